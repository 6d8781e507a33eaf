import type { EntityManager } from '@mikro-orm/postgresql'
import { recordAudit, type Actor } from '../audit/record-audit.ts'
import { releaseStock } from '../catalog/stock.ts'
import { giveCodeBack } from '../discount/apply-code.ts'
import { giveGiftCardsBack } from '../gift-card/use-gift-cards.ts'
import { clock } from '../kernel/clock.ts'
import { refuse } from '../kernel/errors.ts'
import { lockOrder } from '../payment/record-refund.ts'
import { isUnderWay } from '../payment/under-way.ts'
import { recordOrderEvents } from './order-event.ts'
import type { Order } from './order.entity.ts'

/** Gives the stock of an unpaid order back before its time is over. It can still be paid while the stock is there. */
export function releaseHold(em: EntityManager, actor: Actor, id: string): Promise<Order> {
  return em.transactional(async tx => {
    const order = await lockOrder(tx, id)
    if (!order) throw refuse('NOT_FOUND', 'There is no such order.')
    if (!order.heldUntil) throw refuse('NOT_HELD', 'This order holds no stock.')
    if (await isUnderWay(tx, order.id))
      throw refuse(
        'PAYMENT_PENDING',
        'A payment of this order is under way. Its stock stays until PayPal says how that ended.',
      )
    const changes = [{ field: 'heldUntil', before: order.heldUntil.toISOString(), after: null }]
    await giveBack(tx, order)
    await recordOrderEvents(tx, 'ORDER_LAPSED', [order])
    await recordAudit(tx, actor, {
      entity: 'ORDER',
      entityId: order.id,
      label: order.reference,
      action: 'HOLD_RELEASED',
      changes,
    })
    return order
  })
}

/** Ends the hold of an order whose row is locked. */
export async function giveBack(em: EntityManager, order: Order, now = clock.now()): Promise<void> {
  // Before the stock, as when an order is placed: else one could hold what the other waits for.
  if (order.giftCardAmount > 0) await giveGiftCardsBack(em, order.id)
  await releaseStock(em, order, await order.items.loadItems())
  if (order.discountCode !== null) await giveCodeBack(em, order.id)
  order.endHold()
  order.lapsedAt = now
}
