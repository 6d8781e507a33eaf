import type { Agent } from 'undici'
import { nth } from '#schema/rules/present'
import { before } from '../kernel/before.ts'
import { clock } from '../kernel/clock.ts'
import type { Services } from '../context.ts'
import { ForbiddenAddress, publicAddresses } from './public-address.ts'
import type { StoredAttempt } from './webhook-delivery.entity.ts'

/** From the look at the name to the end of the answer. */
const TIMEOUT_MS = 10_000
const READ_BYTES = 64_000
const EXCERPT = 1_000

/** A way to an address, for as many requests as go there one after the other or side by side. */
export interface Line {
  url: URL
  agent: () => Promise<Agent>
  close: () => Promise<void>
}

/** Loaded when something is sent first. */
export const httpClient = () => import('undici')

/** Leads to an address that was checked, and to no other: the name is resolved once. */
export function openLine(url: string, reach: Services['webhookReach'], atOnce: number): Line {
  let agent: Promise<Agent> | undefined
  const open = async () => {
    const addresses = await publicAddresses(new URL(url), reach)
    const { Agent } = await httpClient()
    return new Agent({ connect: { lookup: alreadyKnown(addresses) }, connections: atOnce })
  }
  return {
    url: new URL(url),
    agent: () => (agent ??= open()),
    close: async () => (await agent?.catch(() => null))?.destroy(),
  }
}

/** Sends one signed request and returns what came of it; no failure on the way is thrown. Redirects are not followed. */
export async function sendRequest(line: Line, headers: Record<string, string>, body: string): Promise<StoredAttempt> {
  const at = clock.now()
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const outcome = await answerOf(line, { headers, body, signal }).catch((error: unknown) => ({
    status: null,
    responseExcerpt: null,
    error: explain(error, signal),
  }))
  return { at: at.toISOString(), durationMs: clock.now().getTime() - at.getTime(), ...outcome }
}

interface Sending {
  headers: Record<string, string>
  body: string
  signal: AbortSignal
}

type Outcome = Pick<StoredAttempt, 'status' | 'error' | 'responseExcerpt'>

async function answerOf(line: Line, { headers, body, signal }: Sending): Promise<Outcome> {
  const { request } = await httpClient()
  const answer = await request(line.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Skein-Webhooks',
      'accept-encoding': 'identity',
      ...headers,
    },
    body,
    dispatcher: await before(signal, line.agent()),
    signal,
  })
  const responseExcerpt = await excerptOf(answer.body)
  return { status: answer.statusCode, responseExcerpt, error: complaintAbout(answer.statusCode) }
}

type Answered = (error: Error | null, address: string | { address: string; family: number }[], family?: number) => void

/** Stands in for the look at the name, which is over. */
function alreadyKnown(addresses: readonly string[]) {
  const known = addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 }))
  return (_host: string, { all }: { all?: boolean }, answer: Answered) =>
    all ? answer(null, known) : answer(null, nth(known, 0).address, nth(known, 0).family)
}

/** The beginning of what was answered. An answer that breaks off has a status already. */
async function excerptOf(body: AsyncIterable<Buffer>): Promise<string | null> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      if (chunks.reduce((sum, { length }) => sum + length, 0) >= READ_BYTES) break
    }
  } catch {
    /* What came before it broke off will do. */
  }
  // PostgreSQL cannot store NUL.
  return Buffer.concat(chunks).toString().replaceAll('\0', '\uFFFD').slice(0, EXCERPT).toWellFormed() || null
}

function complaintAbout(status: number): string | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? `It answered ${status}; redirects are not followed.` : `It answered ${status}.`
}

function explain(error: unknown, signal: AbortSignal): string {
  if (error instanceof ForbiddenAddress) return error.message
  if (signal.aborted) return `No answer within ${TIMEOUT_MS / 1_000} seconds.`
  const { code, message } = error as NodeJS.ErrnoException
  return `The connection failed: ${code ?? message}.`
}
