// What the buyer's browser sees of the simulator: the script with the buttons, and the approval window.
import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { approvalPage, notePage, type ShownOrder } from './approval-page.ts'
import { sameOriginOnly } from './http.ts'
import type { ClientAccount, Desk } from './paypal-api.ts'
import { BUYER, cents, type FundingSource, type SimulatedOrder } from './store.ts'

const pageQuery = z.object({
  token: z.string().optional(),
  fundingSource: z.enum(['paypal', 'card']).catch('paypal'),
  origin: z.string().optional().transform(readOrigin),
})

const buyerAction = z.object({ token: z.string(), fundingSource: z.enum(['paypal', 'card']).default('paypal') })

export async function buyerPages(
  app: FastifyInstance,
  { store, journal, webhooks }: Desk,
  account: ClientAccount,
): Promise<void> {
  const beside = (name: string) => readFile(new URL(name, import.meta.url), 'utf8')
  const [sdk, pageScript, pageStyle] = await Promise.all([
    beside('sdk.js'),
    beside('approval-page.js'),
    beside('approval-page.css'),
  ])

  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
  })

  // The shop's page loads this from another origin, and it may have asked for isolation.
  app.get<{ Querystring: Record<string, string> }>('/sdk/js', async (request, reply) => {
    reply.type('text/javascript; charset=utf-8').header('cross-origin-resource-policy', 'cross-origin')
    const clientId = request.query['client-id']
    if (clientId === account.clientId) return sdk
    const complaint = clientId ? 'client-id not recognized' : 'Expected client-id to be passed'
    return reply.status(400).send(`throw new Error(${JSON.stringify(`SDK Validation error: '${complaint}'`)})`)
  })
  app.get('/approval-page.js', async (_request, reply) => reply.type('text/javascript; charset=utf-8').send(pageScript))
  app.get('/approval-page.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(pageStyle))

  app.get('/checkoutnow', async (request, reply) => {
    const { token, fundingSource, origin } = pageQuery.parse(request.query)
    allowFraming(reply, origin)
    reply.type('text/html; charset=utf-8')
    // The window opens on the buyer's click, before the shop knows which order it is for.
    if (!token) return notePage('waiting', origin)
    const order = store.find(token)
    if (!order) return reply.status(404).send(notePage('unknown', origin, token))
    if (order.status === 'COMPLETED') return notePage('paid', origin, token)
    return approvalPage(shownOrder(order), fundingSource, origin)
  })

  app.register(async buyer => {
    buyer.addHook('onRequest', sameOriginOnly)
    buyer.addHook('onRequest', async request => journal.open(request))
    buyer.addHook('onResponse', async (request, reply) => journal.note(request, { status: reply.statusCode }))

    buyer.post('/__buyer/approve', async (request, reply) =>
      act(request, reply, (order, source) => store.approve(order, source, false)),
    )
    // PayPal approves this too: only the capture fails.
    buyer.post('/__buyer/decline', async (request, reply) =>
      act(request, reply, (order, source) => store.approve(order, source, true)),
    )
    buyer.post('/__buyer/cancel', async (request, reply) => {
      const action = buyerAction.safeParse(request.body)
      journal.note(request, { effect: 'cancelled', orderId: action.data?.token ?? null })
      return reply.status(204).send()
    })
  })

  function act(
    request: FastifyRequest,
    reply: FastifyReply,
    change: (order: SimulatedOrder, source: FundingSource) => boolean,
  ): FastifyReply {
    const action = buyerAction.safeParse(request.body)
    const order = action.success ? store.find(action.data.token) : undefined
    if (!action.success || !order) return reply.status(404).send({ message: 'This payment is no longer known.' })
    journal.note(request, { orderId: order.id })
    if (!change(order, action.data.fundingSource))
      return reply.status(409).send({ message: 'This payment is already made.' })
    journal.note(request, { effect: 'approved' })
    webhooks.approved(order, `http://${request.host}`)
    return reply.send({ payerId: BUYER.id })
  }
}

/** The origin that the outcome may be sent to. Null for anything that is not exactly an origin; nothing is sent then. */
function readOrigin(text: string | undefined): string | null {
  if (!text || !URL.canParse(text)) return null
  const { origin, protocol } = new URL(text)
  return origin === text && (protocol === 'http:' || protocol === 'https:') ? origin : null
}

function allowFraming(reply: FastifyReply, origin: string | null): void {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    // Where pop-ups are blocked, the shop shows this page in a dialog of its own.
    `frame-ancestors ${origin ?? "'none'"}`,
  ]
  reply.header('content-security-policy', policy.join('; '))
}

function shownOrder(order: SimulatedOrder): ShownOrder {
  const { value, currency_code } = order.amount
  return {
    token: order.id,
    shop: order.brandName,
    description: order.description,
    amount: new Intl.NumberFormat('en-US', { style: 'currency', currency: currency_code }).format(
      cents({ value, currency_code }) / 100,
    ),
    wasDeclined: order.declines > 0 && order.status === 'CREATED',
    buyer: { name: `${BUYER.givenName} ${BUYER.surname}`, email: BUYER.email },
  }
}
