// A record of the calls to the simulator and their effects, for tests to count. It holds no bodies and no tokens.
import type { FastifyRequest } from 'fastify'

export interface JournalEntry {
  at: string
  method: string
  path: string
  /** Null until the call is answered; it stays null when a scenario withholds the answer. */
  status: number | null
  requestId: string | null
  /** The scenario that this call used up. */
  scenario: string | null
  effect: 'created' | 'approved' | 'captured' | 'declined' | 'cancelled' | 'refunded' | 'replayed' | null
  orderId: string | null
}

const REMEMBERED_CALLS = 5_000

export type Journal = ReturnType<typeof createJournal>

export function createJournal() {
  const entries: JournalEntry[] = []
  const byRequest = new WeakMap<FastifyRequest, JournalEntry>()

  function open(request: FastifyRequest): void {
    const requestId = request.headers['paypal-request-id']
    const entry: JournalEntry = {
      at: new Date().toISOString(),
      method: request.method,
      path: request.url.split('?', 1)[0] ?? '',
      status: null,
      requestId: typeof requestId === 'string' ? requestId : null,
      scenario: null,
      effect: null,
      orderId: null,
    }
    entries.push(entry)
    if (entries.length > REMEMBERED_CALLS) entries.shift()
    byRequest.set(request, entry)
  }

  function note(request: FastifyRequest, facts: Partial<JournalEntry>): void {
    const entry = byRequest.get(request)
    if (entry) Object.assign(entry, facts)
  }

  function clear(): void {
    entries.length = 0
  }

  return { open, note, clear, entries: (): JournalEntry[] => entries.map(entry => ({ ...entry })) }
}
