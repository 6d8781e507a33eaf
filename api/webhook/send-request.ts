import { before } from '../kernel/before.ts'
import { clock } from '../kernel/clock.ts'
import { httpClient, type Line } from '../http/open-line.ts'
import { ForbiddenAddress } from '../http/public-address.ts'
import type { StoredAttempt } from './webhook-delivery.entity.ts'

/** From the look at the name to the end of the answer. */
const TIMEOUT_MS = 10_000
const READ_BYTES = 64_000
const EXCERPT = 1_000

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
