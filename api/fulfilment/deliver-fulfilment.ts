import type { EntityManager } from '@mikro-orm/postgresql'
import { recordAudit, type Actor } from '../audit/record-audit.ts'
import { clock } from '../kernel/clock.ts'
import { tellDelivered } from '../order/deliver-orders.ts'
import { progressOf } from './deliver-rest.ts'
import { lockFulfilment, refuseCancelled, refuseRefunded, type Parcel } from './lock-fulfilment.ts'
import { contentsOf, parcelAudit } from './parcel-audit.ts'
import { recordParcelEvent } from './parcel-event.ts'

/** Marks a parcel as delivered, and its order with the last of it. */
export function deliverFulfilment(em: EntityManager, actor: Actor, id: string): Promise<Parcel> {
  return em.transactional(async tx => {
    const parcel = await lockFulfilment(tx, id)
    const { fulfilment, order } = parcel
    refuseCancelled(fulfilment)
    if (fulfilment.deliveredAt) return parcel
    if (!fulfilment.sentAt) refuseRefunded(order)
    const now = clock.now()
    fulfilment.sentAt ??= now
    fulfilment.deliveredAt = now
    order.firstSentAt ??= now
    await tx.flush()
    const { isSent, isDelivered } = await progressOf(tx, order)
    if (isSent) order.sentAt ??= now
    if (isDelivered) {
      await tellDelivered(tx, actor, [order], now)
      return parcel
    }
    await recordParcelEvent(tx, 'ORDER_PARTLY_DELIVERED', parcel)
    const contents = contentsOf(fulfilment.lines.getItems())
    await recordAudit(tx, actor, parcelAudit('PARTLY_DELIVERED', order, { fulfilments: [null, contents] }))
    return parcel
  })
}
