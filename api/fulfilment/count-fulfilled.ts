import type { EntityManager } from '@mikro-orm/postgresql'
import { OrderItem, type Order } from '../order/order.entity.ts'

/** Adds to what is in parcels, or takes away with a negative number. The database refuses what is more than was ordered. */
export async function countFulfilled(
  em: EntityManager,
  order: Order,
  changes: readonly { item: OrderItem; delta: number }[],
): Promise<void> {
  await em.execute(
    `update order_items set fulfilled_quantity = fulfilled_quantity + delta
     from jsonb_to_recordset(?::jsonb) as c(item uuid, delta integer) where id = item`,
    [JSON.stringify(changes.map(({ item, delta }) => ({ item: item.id, delta })))],
  )
  await em.find(OrderItem, { order }, { refresh: true })
}
