// A PayPal on this machine, for a shop without an account and for tests. No money moves. It keeps everything
// in memory, and forgets it when it stops.
import Fastify, { type FastifyInstance } from 'fastify'
import { buyerPages } from './buyer-pages.ts'
import { answerErrors, readBodies, sameOriginOnly } from './http.ts'
import { isRefusal } from './errors.ts'
import { createJournal, type JournalEntry } from './journal.ts'
import { paypalApi, type ClientAccount, type Desk } from './paypal-api.ts'
import { emptyPlan, releaseShape, scenarioShape } from './scenarios.ts'
import { createStore, MERCHANT_ID } from './store.ts'
import { certificate, createWebhooks, type Delivery, type Release } from './webhooks.ts'

export type { JournalEntry } from './journal.ts'
export { SIMULATED_WEBHOOK_ID } from './webhooks.ts'

/** The shop's account at the simulator. */
export const SIMULATED_ACCOUNT = {
  clientId: 'simulated-client',
  clientSecret: 'simulated-secret',
  merchantId: MERCHANT_ID,
}

export interface SimulatorOptions extends ClientAccount {
  /** 0 takes any free port. */
  port: number
  host?: string
  /** Where signed webhooks go. None are sent without it. */
  webhookUrl?: string
}

export interface Simulator {
  /** The API's base URL, and where the browser finds /sdk/js and the approval window. */
  url: string
  close(): Promise<void>
  journal(): JournalEntry[]
  /** How many payments were captured. */
  captured(): number
  /** Ends the review of a pending capture. */
  decide(paypalOrderId: string, status: 'COMPLETED' | 'DECLINED'): void
  /** The buyer's bank takes the whole payment back. */
  reverse(paypalOrderId: string): void
  webhooks: {
    sendTo(url: string | null): void
    hold(): void
    release(how?: Release): Promise<Delivery[]>
    arrived(): Promise<number[]>
  }
  /** Forgets orders, tokens, journal and planned scenarios, as a restart would. */
  reset(): void
}

export async function startSimulator({
  port,
  host = '127.0.0.1',
  webhookUrl,
  ...account
}: SimulatorOptions): Promise<Simulator> {
  const desk: Desk = {
    store: createStore(),
    journal: createJournal(),
    tokens: new Set(),
    plan: emptyPlan(),
    plans: new Map(),
    webhooks: createWebhooks(),
  }
  desk.webhooks.sendTo(webhookUrl ?? null)
  const reset = () => {
    desk.store.reset()
    desk.journal.clear()
    desk.tokens.clear()
    desk.webhooks.reset()
    desk.plans.clear()
    Object.assign(desk.plan, emptyPlan())
  }

  // Answers that a scenario withholds must not keep the process from closing.
  const app = Fastify({ forceCloseConnections: true, bodyLimit: 64 * 1024 })
  readBodies(app)
  answerErrors(app)
  await app.register(async scope => paypalApi(scope, desk, account))
  await app.register(async scope => buyerPages(scope, desk, account))
  await app.register(async scope => testControls(scope, desk, reset))
  app.get('/v1/notifications/certs/:id', async (_request, reply) => reply.type('text/plain').send(certificate))
  await app.listen({ port, host })

  const address = app.server.address()
  const boundPort = address && typeof address === 'object' ? address.port : port
  const url = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${boundPort}`
  const orderOf = (paypalOrderId: string) => {
    const order = desk.store.find(paypalOrderId)
    if (!order) throw new Error(`No such PayPal order: ${paypalOrderId}`)
    return order
  }
  return {
    url,
    async close() {
      await desk.webhooks.stop()
      await app.close()
    },
    webhooks: desk.webhooks,
    journal: desk.journal.entries,
    captured: desk.store.captured,
    decide(paypalOrderId, status) {
      const order = orderOf(paypalOrderId)
      if (!desk.store.decide(order, status)) throw new Error(`No pending capture: ${paypalOrderId}`)
      desk.webhooks.captured(order, url)
    },
    reverse(paypalOrderId) {
      const order = orderOf(paypalOrderId)
      const reversal = desk.store.refund(order, { amount: undefined })
      if (isRefusal(reversal)) throw new Error(`Nothing to take back: ${paypalOrderId}`)
      desk.webhooks.refunded(reversal, order, url, 'REVERSED')
    },
    reset,
  }
}

function testControls(app: FastifyInstance, { journal, plan, plans, webhooks }: Desk, reset: () => void): void {
  app.addHook('onRequest', sameOriginOnly)
  app.get('/__sim/journal', async () => journal.entries())
  app.post('/__sim/reset', async (_request, reply) => {
    reset()
    return reply.status(204).send()
  })
  app.post('/__sim/webhooks/hold', async (_request, reply) => {
    webhooks.hold()
    return reply.status(204).send()
  })
  app.post('/__sim/webhooks/release', async (request, reply) => {
    const how = releaseShape.safeParse(request.body ?? {})
    if (!how.success) return reply.status(400).send({ message: 'Unknown way to release', issues: how.error.issues })
    return { released: (await webhooks.release(how.data as Release)).length }
  })
  app.post('/__sim/scenario', async (request, reply) => {
    const parsed = scenarioShape.safeParse(request.body)
    if (!parsed.success) return reply.status(400).send({ message: 'Unknown scenario', issues: parsed.error.issues })
    const { order, ...given } = parsed.data
    if (order) plans.set(order, given)
    else Object.assign(plan, given)
    return reply.status(204).send()
  })
}
