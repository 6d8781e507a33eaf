import type { EntityManager } from '@mikro-orm/postgresql'
import type { z } from 'zod'
import { type Cents, shopCurrency } from '#schema/rules/money'
import { nth } from '#schema/rules/present'
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
  const refunds = await reserve(services.em, actor, orderId, wanted)
  for (const refund of refunds) {
    if (refund.state === 'STARTED' || refund.state === 'UNKNOWN') await carryOut(services, refund)
    await services.em.refresh(refund)
    if (refund.state === 'FAILED') {
      for (const other of refunds) await dropRefund(services.em, other)
      throw refuse('REFUND_FAILED', 'PayPal did not accept the refund. Nothing was sent back.')
    }
  }
  return services.em.findOneOrFail(Order, { id: nth(refunds, 0).orderId }, { refresh: true })
}

/**
 * Writes a refund down before PayPal is asked: in parts where gift cards paid, too, which get the last of it. Refunds of
 * one order take turns, so they never exceed what was paid.
 */
function reserve(
  em: EntityManager,
  actor: Actor,
  orderId: string,
  { amount, reason, idempotencyKey }: Wanted,
): Promise<Refund[]> {
  return em.transactional(async tx => {
    const order = await lockOrder(tx, orderId)
    if (!order) throw refuse('NOT_FOUND', 'There is no such order.')
    const before = await tx.find(Refund, { orderId: order.id, idempotencyKey }, { orderBy: { id: 'asc' } })
    if (before.length > 0) {
      const asked = before.reduce((sum, part) => sum + part.amount, 0)
      if ((amount !== null && amount !== asked) || before.some(part => reason !== (part.reason ?? null)))
        throw refuse('IDEMPOTENCY_MISMATCH', 'This refund was already made with another amount or reason.')
      return before
    }
    const payments = await tx.find(Payment, { orderId: order.id }, { orderBy: { createdAt: 'desc' } })
    if (payments.length === 0) throw refuse('NOT_PAID', 'This order has not been paid yet.')
    const refunds = await tx.find(Refund, { orderId: order.id, state: { $ne: 'FAILED' } })
    const parts = partsOf(payments, refunds, amount)
    order.refundedAmount += parts.reduce((sum, part) => sum + part.amount, 0)
    return parts.map(part =>
      tx.create(Refund, {
        orderId: order.id,
        ...part,
        idempotencyKey,
        reason,
        state: 'STARTED',
        actorId: actor.id,
        actorName: actor.name,
      }),
    )
  })
}

/** Of which payments a refund is: of one that was no gift card's, as far as it goes, and of gift cards for the rest. */
function partsOf(payments: readonly Payment[], refunds: readonly Refund[], asked: Cents | null) {
  const captures = payments.map(({ captureId, amount, giftCardId }) => ({
    captureId,
    isGiftCard: giftCardId != null,
    left: refunds.reduce((left, refund) => (refund.captureId === captureId ? left - refund.amount : left), amount),
  }))
  const open = captures.filter(({ left }) => left > 0)
  const cards = open.filter(({ isGiftCard }) => isGiftCard)
  const onCards = cards.reduce((sum, { left }) => sum + left, 0)
  // Where somebody paid twice, a refund is of one of the two.
  const others = open.filter(({ isGiftCard }) => !isGiftCard)
  const most = Math.max(0, ...others.map(({ left }) => left)) + onCards
  if (most === 0 || (asked ?? 0) > most)
    throw refuse('INVALID', most > 0 ? atMost(most) : 'All that was paid has been refunded.', { field: ['amount'] })
  const other = others.find(({ left }) => left + onCards >= (asked ?? 0))
  const from = [...(other ? [other] : []), ...cards]
  let amount = asked ?? from.reduce((sum, { left }) => sum + left, 0)
  return from.flatMap(({ captureId, left }) => {
    const part = Math.min(left, amount)
    amount -= part
    return part > 0 ? [{ captureId, amount: part }] : []
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
