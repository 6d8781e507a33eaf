// The part of PayPal's REST API that the shop's server talks to.
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { capturedOrder, captureAnswer, fullOrder, minimalOrder, refundAnswer } from './responses.ts'
import { debugId, isIssue, isRefusal, refusal, unauthorized, type Refusal } from './errors.ts'
import type { Journal } from './journal.ts'
import { isTrouble, twistCapture, type CaptureScenario, type Plan, type PlannedCall } from './scenarios.ts'
import { isGenuine, type Webhooks } from './webhooks.ts'
import { acceptAmount, cents, type Amount, type SimulatedOrder, type Store } from './store.ts'

export interface Desk {
  store: Store
  journal: Journal
  tokens: Set<string>
  /** For calls about anything. */
  plan: Plan
  /** For calls about one of our orders, by its id. */
  plans: Map<string, Plan>
  webhooks: Webhooks
}

export interface ClientAccount {
  clientId: string
  clientSecret: string
}

const TOKEN_SECONDS = 32_400
const REMEMBERED_TOKENS = 100

export function paypalApi(app: FastifyInstance, desk: Desk, account: ClientAccount): void {
  const { store, journal, tokens, webhooks } = desk
  const expectedBasic = `Basic ${Buffer.from(`${account.clientId}:${account.clientSecret}`).toString('base64')}`

  app.addHook('onRequest', async (request, reply) => {
    journal.open(request)
    reply.header('paypal-debug-id', debugId())
    if (request.routeOptions.url === '/v1/oauth2/token') return
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    if (!bearer || !tokens.has(bearer)) return reply.status(401).send(unauthorized('invalid_token'))
  })
  app.addHook('onResponse', async (request, reply) => {
    journal.note(request, { status: reply.statusCode })
  })

  app.post('/v1/oauth2/token', async (request, reply) => {
    if (await meetTrouble('token', request, reply)) return reply
    const grant = new URLSearchParams(typeof request.body === 'string' ? request.body : '').get('grant_type')
    if (request.headers.authorization !== expectedBasic) return reply.status(401).send(unauthorized('invalid_client'))
    if (grant !== 'client_credentials') {
      return reply.status(400).send({ error: 'unsupported_grant_type', error_description: 'Grant Type is NULL' })
    }
    const token = `A21AA-simulated-${randomBytes(24).toString('base64url')}`
    tokens.add(token)
    for (const old of tokens) {
      if (tokens.size <= REMEMBERED_TOKENS) break
      tokens.delete(old)
    }
    return {
      scope: 'https://uri.paypal.com/services/payments/payment',
      access_token: token,
      token_type: 'Bearer',
      app_id: 'APP-80W284485P519543T',
      expires_in: TOKEN_SECONDS,
      nonce: `${new Date().toISOString()}${randomBytes(16).toString('base64url')}`,
    }
  })

  app.post('/v2/checkout/orders', async (request, reply) => {
    if (await meetTrouble('create', request, reply)) return reply
    const requestId = requestIdOf(request)
    const known = requestId && store.findByCreateCall(requestId)
    if (known) {
      journal.note(request, { effect: 'replayed', orderId: known.id })
      return reply.status(200).send(orderAnswer(request, known))
    }
    const input = readNewOrder(request.body)
    if (isRefusal(input)) return refuse(reply, input)
    const order = store.create(input, requestId)
    journal.note(request, { effect: 'created', orderId: order.id })
    return reply.status(201).send(orderAnswer(request, order))
  })

  app.get<{ Params: { id: string } }>('/v2/checkout/orders/:id', async (request, reply) => {
    if (await meetTrouble('get', request, reply)) return reply
    const order = store.find(request.params.id)
    return order ? fullOrder(order, baseOf(request)) : refuse(reply, refusal('INVALID_RESOURCE_ID'))
  })

  app.post<{ Params: { id: string } }>('/v2/checkout/orders/:id/capture', async (request, reply) => {
    if (await meetTrouble('capture', request, reply)) return reply
    const order = store.find(request.params.id)
    if (!order) return refuse(reply, refusal('INVALID_RESOURCE_ID'))
    journal.note(request, { orderId: order.id })
    const mocked = mockedRefusal(request)
    if (mocked) return refuse(reply, mocked)

    const requestId = requestIdOf(request)
    const earlier = requestId ? order.captureCalls.get(requestId) : undefined
    if (earlier !== undefined) {
      journal.note(request, { effect: 'replayed' })
      return earlier ? refuse(reply, earlier) : reply.status(200).send(captureReply(request, order))
    }
    // What is left of the plan is no trouble for any call, but something that happens to the money.
    const scenario = spend('capture', request)
    const refused =
      scenario === 'declined' && order.status === 'APPROVED'
        ? store.decline(order)
        : store.capture(order, twistCapture(scenario, order))
    if (refused?.refused === 'INSTRUMENT_DECLINED') journal.note(request, { effect: 'declined' })
    if (refused && refused.refused !== 'INSTRUMENT_DECLINED') return refuse(reply, refused)
    // A bank's answer is remembered, so a shop that asks again with the same id hears the same again.
    if (requestId) order.captureCalls.set(requestId, refused)
    if (refused) return refuse(reply, refused)
    journal.note(request, { effect: 'captured' })
    webhooks.captured(order, baseOf(request))
    return answerCapture(request, reply, order, scenario)
  })

  app.get<{ Params: { id: string } }>('/v2/payments/captures/:id', async (request, reply) => {
    if (await meetTrouble('get', request, reply)) return reply
    const order = store.findByCapture(request.params.id)
    if (!order?.capture) return refuse(reply, refusal('INVALID_RESOURCE_ID'))
    return captureAnswer(order.capture, order, baseOf(request))
  })

  app.post<{ Params: { id: string } }>('/v2/payments/captures/:id/refund', async (request, reply) => {
    if (await meetTrouble('refund', request, reply)) return reply
    const order = store.findByCapture(request.params.id)
    if (!order) return refuse(reply, refusal('INVALID_RESOURCE_ID'))
    const asked = refundShape.safeParse(request.body ?? {})
    if (!asked.success) return refuse(reply, refusal('INVALID_PARAMETER_SYNTAX'))
    const requestId = requestIdOf(request)
    const known = requestId && store.findByRefundCall(requestId)
    if (known) {
      journal.note(request, { effect: 'replayed', orderId: order.id })
      return reply.status(200).send(refundAnswer(known, order, baseOf(request)))
    }
    const scenario = spend('refund', request)
    const mocked = mockedRefusal(request)
    const refund =
      mocked ?? store.refund(order, { ...asked.data, ...(scenario === 'PENDING' && { status: 'PENDING' }) }, requestId)
    if (isRefusal(refund)) return refuse(reply, refund)
    journal.note(request, { effect: 'refunded', orderId: order.id })
    webhooks.refunded(refund, order, baseOf(request))
    if (scenario === '500-after-refund') return refuse(reply, refusal('INTERNAL_SERVICE_ERROR'))
    if (scenario === 'disconnect-after-refund') {
      reply.hijack()
      request.raw.socket.destroy()
      return reply
    }
    return reply.status(201).send(refundAnswer(refund, order, baseOf(request)))
  })

  app.post('/v1/notifications/verify-webhook-signature', (request, reply) => {
    reply.send({
      verification_status: isGenuine((request.body ?? {}) as Record<string, unknown>) ? 'SUCCESS' : 'FAILURE',
    })
  })

  app.get<{ Params: { id: string } }>('/v2/payments/refunds/:id', async (request, reply) => {
    if (await meetTrouble('get', request, reply)) return reply
    const found = store.findRefund(request.params.id)
    if (!found) return refuse(reply, refusal('INVALID_RESOURCE_ID'))
    return refundAnswer(found.refund, found.order, baseOf(request))
  })

  /** What is planned for such calls: for the order it is about, else for all. */
  function planned<Call extends PlannedCall>(call: Call, request: FastifyRequest): Plan[Call] {
    const { id = '' } = request.params as { id?: string }
    const unit = (request.body as { purchase_units?: { custom_id?: string }[] } | null)?.purchase_units?.[0]
    const own = desk.plans.get((store.find(id) ?? store.findByCapture(id))?.customId ?? unit?.custom_id ?? '')
    return own && own[call].length > 0 ? own[call] : desk.plan[call]
  }

  function spend<Call extends PlannedCall>(call: Call, request: FastifyRequest): Plan[Call][number] | undefined {
    const scenario = planned(call, request).shift()
    if (scenario) journal.note(request, { scenario })
    return scenario
  }

  /** True when the planned trouble has taken care of the answer, or of there being none. */
  async function meetTrouble(call: PlannedCall, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    if (!isTrouble(planned(call, request)[0])) return false
    switch (spend(call, request)) {
      case '500':
        refuse(reply, refusal('INTERNAL_SERVICE_ERROR'))
        return true
      case '503':
        reply.status(503).send({ name: 'SERVICE_UNAVAILABLE', message: 'Service is unavailable.', debug_id: debugId() })
        return true
      case 'in-progress':
        refuse(reply, refusal('PREVIOUS_REQUEST_IN_PROGRESS'))
        return true
      case 'redirect':
        reply.status(302).header('location', 'https://www.example.com/').send()
        return true
      case 'proxy-404':
        reply.status(404).type('text/html').send('<html>Not Found</html>')
        return true
      case 'empty':
        reply.status(200).send()
        return true
      case 'unrelated':
        reply.send({ status: 'COMPLETED' })
        return true
      case 'truncated':
        reply.hijack()
        request.raw.socket.write(
          'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"id": "',
          () => request.raw.socket.destroy(),
        )
        return true
      case '429':
        reply.status(429).send({ name: 'RATE_LIMIT_REACHED', message: 'Too many requests.', debug_id: debugId() })
        return true
      case '401':
        tokens.clear()
        reply.status(401).send(unauthorized('invalid_token'))
        return true
      case 'nonsense':
        reply.type('text/html').send('<html>Everything is fine.</html>')
        return true
      case 'slow':
        await pause(3_000)
        return false
      case 'timeout':
        reply.hijack()
        return true
      case 'disconnect':
        reply.hijack()
        request.raw.socket.destroy()
        return true
    }
    return false
  }

  function answerCapture(
    request: FastifyRequest,
    reply: FastifyReply,
    order: SimulatedOrder,
    scenario: CaptureScenario | undefined,
  ): FastifyReply {
    switch (scenario) {
      case 'timeout-after-capture':
        return reply.hijack()
      case 'disconnect-after-capture':
        reply.hijack()
        request.raw.socket.destroy()
        return reply
      case '500-after-capture':
        return refuse(reply, refusal('INTERNAL_SERVICE_ERROR'))
      case 'no-id':
        return reply.status(201).send({ ...captureReply(request, order), id: undefined })
      default:
        return reply.status(201).send(captureReply(request, order))
    }
  }
}

/** PayPal's own way to ask its sandbox for a refusal; the same test then runs against both. */
function mockedRefusal(request: FastifyRequest): Refusal | null {
  const header = request.headers['paypal-mock-response']
  if (typeof header !== 'string') return null
  const code = /"mock_application_codes"\s*:\s*\[?\s*"([A-Z_]+)"/.exec(header)?.[1] ?? ''
  return isIssue(code) ? refusal(code) : null
}

function refuse(reply: FastifyReply, { status, body }: Refusal): FastifyReply {
  return reply.status(status).send(body)
}

function orderAnswer(request: FastifyRequest, order: SimulatedOrder): object {
  return wantsRepresentation(request) ? fullOrder(order, baseOf(request)) : minimalOrder(order, baseOf(request))
}

function captureReply(request: FastifyRequest, order: SimulatedOrder): object {
  return wantsRepresentation(request) ? fullOrder(order, baseOf(request)) : capturedOrder(order, baseOf(request))
}

function wantsRepresentation(request: FastifyRequest): boolean {
  return String(request.headers.prefer ?? '').includes('return=representation')
}

function requestIdOf(request: FastifyRequest): string | null {
  const header = request.headers['paypal-request-id']
  return typeof header === 'string' && header.length > 0 && header.length <= 108 ? header : null
}

function baseOf(request: FastifyRequest): string {
  return `http://${request.host}`
}

// ---- What a new order may say ----------------------------------------------------------------------------

const money = z.object({ currency_code: z.string(), value: z.string() })

const newOrderShape = z.object({
  intent: z.literal('CAPTURE'),
  purchase_units: z
    .array(
      z.object({
        reference_id: z.string().max(256).default('default'),
        description: z.string().max(127).default(''),
        custom_id: z.string().max(255).optional(),
        invoice_id: z.string().max(127).optional(),
        payee: z.object({ merchant_id: z.string() }).optional(),
        amount: money.extend({
          breakdown: z.partialRecord(z.enum(['item_total', 'shipping', 'tax_total', 'discount']), money).optional(),
        }),
      }),
    )
    .length(1),
  application_context: z.object({ brand_name: z.string().max(127).optional() }).optional(),
})

const refundShape = z
  .object({
    amount: money.optional(),
    custom_id: z.string().max(127).optional(),
    invoice_id: z.string().max(127).optional(),
  })
  .transform(({ amount, custom_id, invoice_id }) => ({ amount, customId: custom_id, invoiceId: invoice_id }))

function readNewOrder(body: unknown) {
  const parsed = newOrderShape.safeParse(body)
  if (!parsed.success) {
    const missing = parsed.error.issues.some(issue => issue.code === 'invalid_type')
    return refusal(missing ? 'MISSING_REQUIRED_PARAMETER' : 'INVALID_PARAMETER_SYNTAX')
  }
  const [unit] = parsed.data.purchase_units
  if (!unit) return refusal('MISSING_REQUIRED_PARAMETER')
  const amount = acceptAmount(unit.amount)
  if (isRefusal(amount)) return amount
  if (unit.amount.breakdown) {
    const { discount, ...charges } = unit.amount.breakdown
    if (sumOf(Object.values(charges)) - sumOf(discount ? [discount] : []) !== cents(amount))
      return refusal('AMOUNT_MISMATCH')
  }
  return {
    referenceId: unit.reference_id,
    description: unit.description,
    brandName: parsed.data.application_context?.brand_name ?? 'Test shop',
    ...(unit.payee && { merchantId: unit.payee.merchant_id }),
    ...(unit.custom_id && { customId: unit.custom_id }),
    ...(unit.invoice_id && { invoiceId: unit.invoice_id }),
    amount,
  }
}

function sumOf(amounts: Amount[]): number {
  return amounts.reduce((sum, amount) => sum + cents(amount), 0)
}
