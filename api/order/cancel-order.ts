import type { EntityManager } from '@mikro-orm/postgresql'
import { orderCan } from '#schema/rules/order-status'
import { clock } from '../kernel/clock.ts'
import { refuse } from '../kernel/errors.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { lockOrder } from '../payment/record-refund.ts'
import { assertNotUnderWay } from '../payment/under-way.ts'
import { recordOrderEvents } from './order-event.ts'
import type { Order } from './order.entity.ts'
import { canPay, type OrderAsker } from './order.policy.ts'
import { giveBack } from './release-hold.ts'

/** Ends an unpaid order of one's own for good, and gives its stock back, once. A capture that begins later finds it cancelled. */
export function cancelOrder(em: EntityManager, asker: OrderAsker, id: string): Promise<Order> {
  return em.transactional(async tx => {
    const order = await lockOrder(tx, id)
    if (!order || !canPay(asker, order)) throw refuse('NOT_FOUND', 'There is no such order.')
    if (order.status === 'CANCELLED') return order
    if (!orderCan.cancel(order.status))
      throw refuse('ALREADY_PAID', 'This order has already been paid, so it cannot be cancelled any more.')
    await assertNotUnderWay(tx, order.id)
    if (order.heldUntil) await giveBack(tx, order)
    order.cancelledAt = clock.now()
    order.paypalWatchedFrom = null
    await recordOrderEvents(tx, 'ORDER_CANCELLED', [order])
    queueMail(tx, 'ORDER_CANCELLED', { orderId: order.id })
    return order
  })
}
