// The part of PayPal's REST API that the shop's server talks to.
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { capturedOrder, captureAnswer, fullOrder, minimalOrder, refundAnswer } from './responses.ts'
import { debugId, isIssue, isRefusal, refusal, refuse, unauthorized, type Refusal } from './errors.ts'
import type { Journal } from './journal.ts'
import { meetTrouble, spend } from './meet-trouble.ts'
import { readNewOrder, refundShape } from './read-order.ts'
import { twistCapture, type CaptureScenario, type Plan } from './scenarios.ts'
import { isGenuine, type Webhooks } from './webhooks.ts'
import type { SimulatedOrder, Store } from './store.ts'

export interface Desk {
  store: Store
  journal: Journal
  tokens: Set<string>
  /** For all calls. */
  plan: Plan
  /** For calls about one of our orders, by the order's id. */
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
  const { journal, tokens } = desk
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

  tokenRoute(app, desk, account)
  orderRoutes(app, desk)
  captureRoutes(app, desk)
  app.post('/v1/notifications/verify-webhook-signature', (request, reply) => {
    reply.send({
      verification_status: isGenuine((request.body ?? {}) as Record<string, unknown>) ? 'SUCCESS' : 'FAILURE',
    })
  })
}

function tokenRoute(app: FastifyInstance, desk: Desk, { clientId, clientSecret }: ClientAccount): void {
  const { tokens } = desk
  const expectedBasic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`

  app.post('/v1/oauth2/token', async (request, reply) => {
    if (await meetTrouble(desk, 'token', request, reply)) return reply
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
}

function orderRoutes(app: FastifyInstance, desk: Desk): void {
  const { store, journal, webhooks } = desk

  app.post('/v2/checkout/orders', async (request, reply) => {
    if (await meetTrouble(desk, 'create', request, reply)) return reply
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
    if (await meetTrouble(desk, 'get', request, reply)) return reply
    const order = store.find(request.params.id)
    return order ? fullOrder(order, baseOf(request)) : refuse(reply, refusal('INVALID_RESOURCE_ID'))
  })

  app.post<{ Params: { id: string } }>('/v2/checkout/orders/:id/capture', async (request, reply) => {
    if (await meetTrouble(desk, 'capture', request, reply)) return reply
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
    // What comes next in the plan is not trouble that any call can meet, but something that happens to the money.
    const scenario = spend(desk, 'capture', request)
    const refused =
      scenario === 'declined' && order.status === 'APPROVED'
        ? store.decline(order)
        : store.capture(order, twistCapture(scenario, order))
    if (refused?.refused === 'INSTRUMENT_DECLINED') journal.note(request, { effect: 'declined' })
    if (refused && refused.refused !== 'INSTRUMENT_DECLINED') return refuse(reply, refused)
    // A bank's answer is remembered, so a shop that asks again with the same id gets the same answer.
    if (requestId) order.captureCalls.set(requestId, refused)
    if (refused) return refuse(reply, refused)
    journal.note(request, { effect: 'captured' })
    webhooks.captured(order, baseOf(request))
    return answerCapture(request, reply, order, scenario)
  })
}

/** Captures and their refunds. */
function captureRoutes(app: FastifyInstance, desk: Desk): void {
  const { store, journal, webhooks } = desk

  app.get<{ Params: { id: string } }>('/v2/payments/captures/:id', async (request, reply) => {
    if (await meetTrouble(desk, 'get', request, reply)) return reply
    const order = store.findByCapture(request.params.id)
    if (!order?.capture) return refuse(reply, refusal('INVALID_RESOURCE_ID'))
    return captureAnswer(order.capture, order, baseOf(request))
  })

  app.post<{ Params: { id: string } }>('/v2/payments/captures/:id/refund', async (request, reply) => {
    if (await meetTrouble(desk, 'refund', request, reply)) return reply
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
    const scenario = spend(desk, 'refund', request)
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

  app.get<{ Params: { id: string } }>('/v2/payments/refunds/:id', async (request, reply) => {
    if (await meetTrouble(desk, 'get', request, reply)) return reply
    const found = store.findRefund(request.params.id)
    if (!found) return refuse(reply, refusal('INVALID_RESOURCE_ID'))
    return refundAnswer(found.refund, found.order, baseOf(request))
  })
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

/** PayPal's own way to ask its sandbox for a refusal; the same test can then run against both. */
function mockedRefusal(request: FastifyRequest): Refusal | null {
  const header = request.headers['paypal-mock-response']
  if (typeof header !== 'string') return null
  const code = /"mock_application_codes"\s*:\s*\[?\s*"([A-Z_]+)"/.exec(header)?.[1] ?? ''
  return isIssue(code) ? refusal(code) : null
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
