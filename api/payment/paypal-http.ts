import { setTimeout as pause } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { z } from 'zod'
import { before } from '../kernel/before.ts'
import { clock } from '../kernel/clock.ts'
import { PaypalRefused, PaypalUnavailable } from './paypal.ts'
import { parseJson } from './paypal-json.ts'

export interface PaypalCredentials {
  baseUrl: string
  clientId: string
  clientSecret: string
  /** The shop's own PayPal account. Without it money is not checked for where it went. */
  merchantId?: string | undefined
}

export interface PaypalOptions {
  log?: { warn(details: object, message: string): void }
  /** What PayPal shows whoever pays. */
  shopName?: string | undefined
  /** Per HTTP request. */
  timeoutMs?: number
}

const BACKOFF_MS = [150, 450]
const TOKEN_SAFETY_MS = 60_000

const tokenShape = z.object({ access_token: z.string().min(1), expires_in: z.number() })

const errorShape = z.object({
  name: z.string(),
  debug_id: z.string().optional(),
  details: z.array(z.object({ issue: z.string().optional() })).optional(),
})

interface Answer {
  status: number
  debugId: string | undefined
  json: unknown
}

interface Call {
  requestId?: string
  body?: unknown
}

type Exchange = Pick<Dispatcher.RequestOptions, 'method' | 'body'> & { headers: Record<string, string> }

/**
 * Loaded when PayPal is asked first. `fetch` takes three times the processor's time for the same. Requests do not share a
 * connection, so one that breaks leaves the others alone.
 */
async function httpClient() {
  const { Agent, request } = await import('undici')
  const dispatcher = new Agent({ allowH2: false })
  return (url: string, exchange: Exchange & { signal: AbortSignal }) => request(url, { ...exchange, dispatcher })
}

/** PayPal's REST API: access tokens, and requests that are tried again. */
export function openApi(credentials: PaypalCredentials, { log, timeoutMs = 10_000 }: PaypalOptions) {
  const baseUrl = credentials.baseUrl.replace(/\/+$/, '')
  let token: { value: string; expiresAt: number } | null = null
  let tokenRequest: Promise<string> | null = null
  let client: ReturnType<typeof httpClient> | undefined

  /** The JSON of a 2xx answer. Anything else throws. */
  async function call(method: 'GET' | 'POST', path: string, { requestId, body }: Call = {}): Promise<unknown> {
    const attempt = async () => {
      const bearer = await currentToken()
      const answer = await send(path, {
        method,
        headers: {
          authorization: `Bearer ${bearer}`,
          'content-type': 'application/json',
          prefer: 'return=representation',
          ...(requestId && { 'paypal-request-id': requestId }),
        },
        ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
      })
      // Only the token that failed is thrown away; another call may have fetched a fresh one meanwhile.
      if (answer.status === 401 && token?.value === bearer) token = null
      return answer
    }
    let answer = await attempt()
    if (answer.status === 401) answer = await attempt()
    if (answer.status === 401) throw new PaypalUnavailable('PayPal does not accept our access token')
    return acceptedJson(answer, path, log)
  }

  async function currentToken(): Promise<string> {
    if (token && clock.now().getTime() < token.expiresAt) return token.value
    // However many calls wait for a token, one request fetches it.
    tokenRequest ??= fetchToken().finally(() => {
      tokenRequest = null
    })
    return tokenRequest
  }

  async function fetchToken(): Promise<string> {
    const basic = Buffer.from(`${credentials.clientId}:${credentials.clientSecret}`).toString('base64')
    const answer = await send('/v1/oauth2/token', {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials',
    })
    // Never the buyer's fault, so never a refusal.
    if (answer.status >= 400) throw new PaypalUnavailable(`PayPal gave no access token (${answer.status})`)
    const parsed = tokenShape.safeParse(answer.json)
    if (!parsed.success) throw new PaypalUnavailable('PayPal answered with something that is not a token')
    const lifetime = parsed.data.expires_in * 1000 - TOKEN_SAFETY_MS
    token = { value: parsed.data.access_token, expiresAt: clock.now().getTime() + lifetime }
    return token.value
  }

  /** One request, tried again with the same request id while trying again can help. */
  async function send(path: string, init: Exchange): Promise<Answer> {
    for (let tried = 0; ; tried++) {
      const last = tried === BACKOFF_MS.length
      let trouble: string
      try {
        const answer = await exchange(path, init)
        if (answer.status < 500 && answer.status !== 429) return answer
        trouble = `status ${answer.status}`
        log?.warn({ path, status: answer.status, debugId: answer.debugId, tried }, 'PayPal is in trouble')
      } catch (error) {
        trouble = error instanceof Error ? error.name : 'unknown error'
        log?.warn({ path, trouble, tried }, 'PayPal did not answer')
        // A buyer who has waited for one timeout should not wait for three.
        if (trouble === 'TimeoutError') throw new PaypalUnavailable(`PayPal took too long: ${path}`, { cause: error })
        if (last) throw new PaypalUnavailable(`PayPal cannot be reached: ${path}`, { cause: error })
      }
      if (last) throw new PaypalUnavailable(`PayPal is in trouble: ${path}, ${trouble}`)
      await pause(BACKOFF_MS[tried])
    }
  }

  async function exchange(path: string, init: Exchange): Promise<Answer> {
    const request = await (client ??= httpClient())
    const signal = AbortSignal.timeout(timeoutMs)
    // A request listens to its signal once it has a connection; waiting for that takes no longer either.
    const { statusCode, headers, body } = await before(
      signal,
      request(baseUrl + path, {
        ...init,
        headers: { accept: 'application/json', 'user-agent': 'Skein', ...init.headers },
        signal,
      }),
    )
    const text = await body.text()
    if (statusCode >= 300 && statusCode < 400) throw new Error('PayPal leads elsewhere')
    return { status: statusCode, debugId: [headers['paypal-debug-id']].flat()[0], json: parseJson(text) }
  }

  return { call }
}

function acceptedJson(answer: Answer, path: string, log: PaypalOptions['log']): unknown {
  if (answer.status < 300) return answer.json
  const parsed = errorShape.safeParse(answer.json)
  // A 4xx that is not PayPal's own (a proxy, a wrong address) says nothing about the payment.
  if (!parsed.success) throw new PaypalUnavailable(`PayPal answered ${answer.status} with nonsense: ${path}`)
  const issue = parsed.data.details?.[0]?.issue ?? parsed.data.name
  const debugId = answer.debugId ?? parsed.data.debug_id
  log?.warn({ path, status: answer.status, issue, debugId }, 'PayPal refused')
  throw new PaypalRefused(issue, answer.status, debugId)
}
