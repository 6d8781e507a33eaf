// What was asked of the simulator and what came of it, for tests to count. No bodies, no tokens.
import type { FastifyRequest } from 'fastify'

export interface JournalEntry {
  at: string
  method: string
  path: string
  /** Null while unanswered, and for ever when a scenario swallowed the answer. */
  status: number | null
  requestId: string | null
  /** The scenario that was spent on this call. */
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
