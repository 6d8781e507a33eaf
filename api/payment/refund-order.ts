import type { EntityManager } from '@mikro-orm/postgresql'
import type { z } from 'zod'
import { shopCurrency } from '#schema/rules/money'
import { atMost, refund as refundShape } from '#schema/rules/shapes/refund'
import type { Actor } from '../audit/record-audit.ts'
import { clock } from '../kernel/clock.ts'
import type { Context } from '../context.ts'
import { refuse } from '../kernel/errors.ts'
import type { MutationRefundOrderArgs } from '../generated/types.ts'
import { Order } from '../order/order.entity.ts'
import { check, idempotencyKey } from '../kernel/validation.ts'
import { write } from '../query/read.ts'
import { isOwn, Payment } from './payment.entity.ts'
import { PaypalRefused, PaypalUnavailable } from './paypal.ts'
import { dropRefund, lockOrder, recordRefund } from './record-refund.ts'
import { Refund } from './refund.entity.ts'

type Refunding = Pick<Context, 'em' | 'paypal' | 'log'>

const shape = refundShape.extend({ idempotencyKey })

type Wanted = z.output<typeof shape>

/** Sends money of a paid order back, all that is left or a part. The same idempotency key sends it once. */
export async function refundOrder(services: Refunding, actor: Actor, args: MutationRefundOrderArgs): Promise<Order> {
  const { orderId, ...given } = args
  const wanted = check(shape, given)
  const refund = await reserve(services.em, actor, orderId, wanted)
  if (refund.state === 'STARTED' || refund.state === 'UNKNOWN') await carryOut(services, refund)
  await services.em.refresh(refund)
  if (refund.state === 'FAILED')
    throw refuse('REFUND_FAILED', 'PayPal did not accept the refund. Nothing was sent back.')
  return services.em.findOneOrFail(Order, { id: refund.orderId }, { refresh: true })
}

/** Writes the refund down before PayPal is asked. Refunds of one order take turns, so they never exceed what was paid. */
function reserve(
  em: EntityManager,
  actor: Actor,
  orderId: string,
  { amount, reason, idempotencyKey }: Wanted,
): Promise<Refund> {
  return em.transactional(async tx => {
    const order = await lockOrder(tx, orderId)
    if (!order) throw refuse('NOT_FOUND', 'There is no such order.')
    const before = await tx.findOne(Refund, { orderId: order.id, idempotencyKey })
    if (before) {
      if ((amount !== null && amount !== before.amount) || reason !== (before.reason ?? null))
        throw refuse('IDEMPOTENCY_MISMATCH', 'This refund was already made with another amount or reason.')
      return before
    }
    const payments = await tx.find(Payment, { orderId: order.id }, { orderBy: { createdAt: 'desc' } })
    if (payments.length === 0) throw refuse('NOT_PAID', 'This order has not been paid yet.')
    const refunds = await tx.find(Refund, { orderId: order.id, state: { $ne: 'FAILED' } })
    const captures = payments.map(({ captureId, amount }) => ({
      captureId,
      left: refunds.reduce((left, refund) => (refund.captureId === captureId ? left - refund.amount : left), amount),
    }))
    const most = Math.max(...captures.map(({ left }) => left))
    const capture = captures.find(({ left }) => left > 0 && left >= (amount ?? 0))
    if (!capture)
      throw refuse('INVALID', most > 0 ? atMost(most) : 'All that was paid has been refunded.', { field: ['amount'] })
    const refund = tx.create(Refund, {
      orderId: order.id,
      captureId: capture.captureId,
      idempotencyKey,
      amount: amount ?? capture.left,
      reason,
      state: 'STARTED',
      actorId: actor.id,
      actorName: actor.name,
    })
    order.refundedAmount += refund.amount
    return refund
  })
}

/** Asks PayPal for the refund. Safe to repeat: PayPal sees the same request id. Without an answer the reconciler goes on. */
export async function carryOut(services: Refunding, refund: Refund): Promise<void> {
  try {
    await askPaypal(services, refund)
  } catch (error) {
    if (!(error instanceof PaypalRefused || error instanceof PaypalUnavailable)) throw error
    services.log.warn({ refund: refund.id, reason: error.message }, 'Nobody knows how a refund ended')
    await recordNoAnswer(services.em, refund)
    throw refuse(
      'PAYMENT_UNAVAILABLE',
      'PayPal did not answer. The shop keeps asking until it knows whether the money went back; do not refund it again.',
    )
  }
}

/** Locks the order first, as writing a refund down does: its time of change moves with the refund. */
const recordNoAnswer = (em: EntityManager, { id, orderId }: Refund) =>
  write(
    em,
    `with paid as (select id from orders where id = ? for no key update)
     update refunds r set state = 'UNKNOWN', updated_at = ? from paid where r.id = ? and order_id = paid.id and state = 'STARTED'`,
    [orderId, clock.now(), id],
  )

async function askPaypal(services: Refunding, refund: Refund): Promise<void> {
  const { id, orderId, captureId, amount, reason } = refund
  if (isOwn(captureId)) return recordOwn(services.em, refund)
  try {
    const made = await services.paypal.refundCapture(captureId, {
      refundId: id,
      amount,
      note: reason ?? null,
      requestId: `refund:${id}`,
    })
    await recordRefund(services.em, orderId, captureId, made)
  } catch (error) {
    if (!(error instanceof PaypalRefused) || error.issue === 'PREVIOUS_REQUEST_IN_PROGRESS') throw error
    // A no to a repeated request may mean that the first one went through.
    if (!(await lookedUp(services, refund))) await dropRefund(services.em, refund)
  }
}

/** The shop gives back itself what it took itself: there is nobody to ask. */
const recordOwn = (em: EntityManager, { id, orderId, captureId, amount }: Refund) =>
  recordRefund(em, orderId, captureId, {
    id: captureId + id,
    reference: id,
    status: 'COMPLETED',
    amount,
    currency: shopCurrency(),
  })

/** Whether PayPal lists the refund; then it is written down. */
export async function lookedUp({ em, paypal }: Refunding, refund: Refund): Promise<boolean> {
  if (isOwn(refund.captureId)) return false
  const payment = await em.findOneOrFail(Payment, { captureId: refund.captureId })
  const report = await paypal.getOrder(payment.paypalOrderId)
  const made = report?.refunds.find(({ id, reference }) => id === refund.paypalRefundId || reference === refund.id)
  if (made) await recordRefund(em, refund.orderId, refund.captureId, made)
  return Boolean(made)
}
