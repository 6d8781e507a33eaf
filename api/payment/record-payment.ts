import type { EntityManager } from '@mikro-orm/postgresql'
import { paymentMethods } from '#schema/rules/payment-methods'
import { ownPayment } from '#schema/rules/shapes/payment'
import { recordAudit, type Actor } from '../audit/record-audit.ts'
import type { MutationRecordPaymentArgs } from '../generated/types.ts'
import { refuse } from '../kernel/errors.ts'
import { check } from '../kernel/validation.ts'
import { takeAgain } from './pay-order.ts'
import { ownCaptureId, Payment } from './payment.entity.ts'
import { lockOrder } from './record-refund.ts'
import { becomePaid, type Settled } from './settle.ts'
import { assertNotUnderWay } from './under-way.ts'

/** Writes down that the shop took itself what gift cards leave to pay of an order. PayPal captures nothing for it from then on. */
export async function recordPayment(
  em: EntityManager,
  actor: Actor,
  { orderId, ...given }: MutationRecordPaymentArgs,
): Promise<Settled> {
  const { method, note } = check(ownPayment, given)
  return em.transactional(async tx => {
    const order = await lockOrder(tx, orderId)
    if (!order) throw refuse('NOT_FOUND', 'There is no such order.')
    if (order.isPaid) throw refuse('ALREADY_PAID', 'This order has already been paid.')
    if (order.cancelledAt) throw refuse('ORDER_CANCELLED', 'This order was cancelled, so nothing can be paid for it.')
    await assertNotUnderWay(tx, order.id)
    const mayMoveStock = order.lapsedAt !== null
    if (mayMoveStock) await takeAgain(tx, order)
    const captureId = ownCaptureId()
    tx.create(Payment, {
      orderId: order.id,
      method,
      captureId,
      paypalOrderId: captureId,
      amount: order.charge,
      note,
    })
    const changes = [
      { field: 'paymentMethod', before: null, after: paymentMethods[method] },
      ...(note ? [{ field: 'note', before: null, after: note }] : []),
    ]
    order.paymentMethod = paymentMethods[method]
    order.paypalWatchedFrom = null
    await becomePaid(tx, order)
    await recordAudit(tx, actor, {
      entity: 'ORDER',
      entityId: order.id,
      label: order.reference,
      action: 'PAID',
      changes,
    })
    return { order, captureId, mayMoveStock }
  })
}
