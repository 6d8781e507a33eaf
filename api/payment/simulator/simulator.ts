// A PayPal on this machine, for a shop without an account and for tests. No money moves: it is memory only,
// and forgets everything when it stops.
import Fastify, { type FastifyInstance } from 'fastify'
import { buyerPages } from './buyer-pages.ts'
import { answerErrors, readBodies, sameOriginOnly } from './http.ts'
import { createJournal, type JournalEntry } from './journal.ts'
import { paypalApi, type ClientAccount, type Desk } from './paypal-api.ts'
import { emptyPlan, scenarioShape } from './scenarios.ts'
import { createStore } from './store.ts'

export type { JournalEntry } from './journal.ts'

export interface SimulatorOptions extends ClientAccount {
  /** 0 takes any free port. */
  port: number
  host?: string
}

export interface Simulator {
  /** The API's base URL, and where the browser finds /sdk/js and the approval window. */
  url: string
  close(): Promise<void>
  journal(): JournalEntry[]
  /** Ends the review of a pending capture. */
  decide(paypalOrderId: string, status: 'COMPLETED' | 'DECLINED'): void
  /** Forgets orders, tokens, journal and planned scenarios, as a restart would. */
  reset(): void
}

export async function startSimulator({ port, host = '127.0.0.1', ...account }: SimulatorOptions): Promise<Simulator> {
  const desk: Desk = { store: createStore(), journal: createJournal(), tokens: new Set(), plan: emptyPlan() }
  const reset = () => {
    desk.store.reset()
    desk.journal.clear()
    desk.tokens.clear()
    Object.assign(desk.plan, emptyPlan())
  }

  // Answers that a scenario withholds must not keep the process from closing.
  const app = Fastify({ forceCloseConnections: true, bodyLimit: 64 * 1024 })
  readBodies(app)
  answerErrors(app)
  await app.register(async (scope) => paypalApi(scope, desk, account))
  await app.register(async (scope) => buyerPages(scope, desk, account))
  await app.register(async (scope) => testControls(scope, desk, reset))
  await app.listen({ port, host })

  const address = app.server.address()
  const boundPort = address && typeof address === 'object' ? address.port : port
  return {
    url: `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${boundPort}`,
    close: () => app.close(),
    journal: desk.journal.entries,
    decide(paypalOrderId, status) {
      const order = desk.store.find(paypalOrderId)
      if (!order || !desk.store.decide(order, status)) throw new Error(`No pending capture: ${paypalOrderId}`)
    },
    reset,
  }
}

function testControls(app: FastifyInstance, { journal, plan }: Desk, reset: () => void): void {
  app.addHook('onRequest', sameOriginOnly)
  app.get('/__sim/journal', async () => journal.entries())
  app.post('/__sim/reset', async (_request, reply) => {
    reset()
    return reply.status(204).send()
  })
  app.post('/__sim/scenario', async (request, reply) => {
    const parsed = scenarioShape.safeParse(request.body)
    if (!parsed.success) return reply.status(400).send({ message: 'Unknown scenario', issues: parsed.error.issues })
    Object.assign(plan, parsed.data)
    return reply.status(204).send()
  })
}
