import { setTimeout as pause } from 'node:timers/promises'
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql'
import type { FastifyInstance } from 'fastify'
import { clock } from '../kernel/clock.ts'
import type { Services } from '../context.ts'
import { Problem } from '../http/problem.ts'
import { Order } from '../order/order.entity.ts'
import { recordIncident } from '../order/record-incident.ts'
import { isId } from '../kernel/validation.ts'
import { write } from '../query/read.ts'
import { adoptReport } from './capture-payment.ts'
import { PaymentAttempt } from './payment-attempt.entity.ts'
import { Payment } from './payment.entity.ts'
import { PaypalUnavailable, type PaypalEvent } from './paypal.ts'
import { CAPTURE_EVENT, readWebhookEvent } from './paypal-json.ts'
import { lockOrder, recordRefund } from './record-refund.ts'
import { ForgedWebhook, UnverifiableWebhook, webhookVerifier } from './verify-webhook.ts'

type Receiving = Pick<Services, 'paypal' | 'log'>

/**
 * Where PayPal reports what happened. 2xx means the shop has made use of it and need not be sent it again; after anything
 * else PayPal repeats it, 25 times over three days.
 */
export async function paypalWebhook(
  app: FastifyInstance,
  { orm, services }: { orm: MikroORM; services: Services },
): Promise<void> {
  const { log } = services
  const verify = webhookVerifier(services.paypalWebhook)

  // The signature is over the bytes as they came.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  app.post('/api/webhooks/paypal', async (request, reply) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    try {
      await verify(request.headers, body)
    } catch (error) {
      if (error instanceof ForgedWebhook) {
        log.warn({ reason: error.message, ip: request.ip }, 'Refused a webhook')
        throw new Problem(400, 'BAD_SIGNATURE', 'This is not signed by PayPal.')
      }
      if (!(error instanceof UnverifiableWebhook)) throw error
      log.warn({ reason: error.message }, 'Cannot tell whether a webhook is genuine')
      throw new Problem(503, 'UNAVAILABLE', 'Webhooks cannot be checked now.')
    }
    const event = readWebhookEvent(body.toString())
    if (!event) throw new Problem(400, 'BAD_REQUEST', 'This is not an event.')
    try {
      await receiveEvent(orm.em.fork(), services, event)
    } catch (error) {
      if (!(error instanceof PaypalUnavailable)) throw error
      log.warn({ event: event.id, reason: error.message }, 'PayPal cannot be asked about its event now')
      throw new Problem(503, 'UNAVAILABLE', 'Please send this again later.')
    }
    return reply.code(200).send({ received: event.id })
  })
}

/** PayPal reports a capture while it answers the request for it, which is about to settle it. */
const SETTLING_MS = 500
/** PayPal gives times in seconds, and both clocks may be off by a little. */
const FRESH_MS = 2_000

/** Takes what most events tell, each in one statement. Returns whether it was taken. */
async function takeUsual(em: EntityManager, event: PaypalEvent): Promise<boolean> {
  if (event.type === 'CHECKOUT.ORDER.APPROVED') return watchAgain(em, event)
  if (event.type !== 'PAYMENT.CAPTURE.COMPLETED') return false
  const isFresh = event.createdAt !== null && clock.now().getTime() - event.createdAt.getTime() < FRESH_MS
  if (!isFresh && (await isSettled(em, event))) return true
  await pause(SETTLING_MS)
  return isSettled(em, event)
}

/**
 * The reconciler finishes the capture at its next sweeps, unless the shopper's browser does: no need to race it. What it
 * has watched for some minutes only, it looks at in each sweep already.
 */
async function watchAgain(em: EntityManager, { id, type, paypalOrderId }: PaypalEvent): Promise<boolean> {
  const now = clock.now()
  const taken = await write(
    em,
    `with taken as (
       insert into webhook_events (id, type, order_id) select ?, ?, id from orders where paypal_order_id = ? for no key update
       on conflict (id) do nothing returning order_id
     ), watched as (
       update orders set paypal_watched_from = ?::timestamptz, paypal_checked_at = null from taken
       where id = order_id and paid_at is null and coalesce(paypal_watched_from < ?::timestamptz - interval '5 minutes', true)
     )
     select from taken`,
    [id, type, paypalOrderId, now, now],
  )
  return taken.length > 0
}

/** Of a capture that has paid its order, and of whose PayPal order nothing is open, there is nothing left to find out. */
async function isSettled(em: EntityManager, { id, type, captureId }: PaypalEvent): Promise<boolean> {
  const taken = await write(
    em,
    `insert into webhook_events (id, type, order_id)
     select ?, ?, o.id from payments p join orders o on o.id = p.order_id where capture_id = ? and not exists (
       select from payment_attempts a where a.paypal_order_id = p.paypal_order_id and state in ('STARTED', 'UNKNOWN', 'PENDING'))
     for key share of o
     on conflict (id) do nothing returning id`,
    [id, type, captureId],
  )
  return taken.length > 0
}

/**
 * Takes an event once, whatever comes twice or in the wrong order: what it says is only a reason to look. PayPal is
 * read back before the transaction; the event and its effect are then written together.
 */
async function receiveEvent(em: EntityManager, { paypal, log }: Receiving, event: PaypalEvent): Promise<void> {
  if (await takeUsual(em, event)) return
  if ((await em.execute('select 1 from webhook_events where id = ?', [event.id])).length > 0) return
  const order = await findOrder(em, event)
  if (!order) log.warn({ event: event.id, type: event.type }, 'An event about no order of ours')
  const effect = order ? await effectOn(order) : null
  await em.transactional(async tx => {
    // First of all, or two events about one order would deadlock: naming it below holds a weaker lock already.
    if (order) await lockOrder(tx, order.id)
    // A copy that arrives at the same moment waits, then finds the event taken.
    const taken = await tx.execute(
      'insert into webhook_events (id, type, order_id) values (?, ?, ?) on conflict (id) do nothing returning id',
      [event.id, event.type, order?.id ?? null],
    )
    if (taken.length > 0) await effect?.(tx)
  })

  async function effectOn({ id, paypalOrderId }: Order): Promise<((tx: EntityManager) => Promise<unknown>) | null> {
    const { refund, captureId } = event
    if (refund) {
      // One of a payment the shop does not have yet is listed with the payment, when that is read.
      const paid = captureId && (await em.count(Payment, { captureId, orderId: id })) > 0
      return paid ? tx => recordRefund(tx, id, captureId, refund, event.type.endsWith('.REVERSED')) : null
    }
    if (!CAPTURE_EVENT.test(event.type)) {
      log.info({ event: event.id, type: event.type }, 'An event of a kind that changes nothing here')
      return null
    }
    const reported = event.paypalOrderId ?? paypalOrderId ?? ''
    if (
      reported !== paypalOrderId &&
      (await em.count(PaymentAttempt, { orderId: id, paypalOrderId: reported })) === 0
    ) {
      // The payment may have been opened for another payee: an event that names our order proves nothing.
      return tx => recordIncident(tx, id, { code: 'PAYMENT_NOT_OPENED', data: { paypalOrderId: reported } })
    }
    const payment = await paypal.getOrder(reported)
    // PayPal's own reading may lag behind its events.
    if (!payment?.capture) throw new PaypalUnavailable('The capture of the event is not there')
    return tx => adoptReport(tx, id, payment)
  }
}

async function findOrder(em: EntityManager, { orderId, paypalOrderId, captureId }: PaypalEvent): Promise<Order | null> {
  const payment = captureId ? await em.findOne(Payment, { captureId }) : null
  if (payment) return em.findOne(Order, { id: payment.orderId })
  const named = orderId && isId(orderId) ? await em.findOne(Order, { id: orderId }) : null
  return named ?? (paypalOrderId ? em.findOne(Order, { paypalOrderId }) : null)
}
