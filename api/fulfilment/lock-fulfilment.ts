import type { EntityManager } from '@mikro-orm/postgresql'
import { present } from '#schema/rules/present'
import { refuse } from '../kernel/errors.ts'
import { isId } from '../kernel/validation.ts'
import { REFUNDED } from '../order/deliver-orders.ts'
import { OrderItem, type Order } from '../order/order.entity.ts'
import { lockOrder } from '../payment/record-refund.ts'
import { Fulfilment } from './fulfilment.entity.ts'

export interface Parcel {
  fulfilment: Fulfilment
  order: Order
}

/** A parcel as it is while its order is locked: whatever happens to the parcels of an order happens one after the other. */
export async function lockFulfilment(em: EntityManager, id: string): Promise<Parcel> {
  const known = isId(id) ? await em.findOne(Fulfilment, { id }) : null
  if (!known) throw refuse('NOT_FOUND', 'There is no such parcel.')
  const order = present(await lockOrder(em, known.orderId))
  await em.find(OrderItem, { order }, { refresh: true })
  const fulfilment = await em.findOneOrFail(Fulfilment, { id }, { refresh: true, populate: ['lines.item'] })
  return { fulfilment, order }
}

/** Refuses to send goods to whom all money went back. */
export function refuseRefunded({ isRefunded }: Order): void {
  if (isRefunded) throw refuse('ORDER_REFUNDED', REFUNDED)
}

/** Refuses what cannot be done with a parcel that does not go any more. */
export function refuseCancelled({ cancelledAt }: Fulfilment): void {
  if (cancelledAt) throw refuse('FULFILMENT_STATE', 'This parcel was cancelled.')
}
