import type { EntityManager } from '@mikro-orm/postgresql'
import { recordEvents } from '../event/record-events.ts'
import type { EventType } from '../generated/types.ts'
import { OrderItem, type Order } from './order.entity.ts'

type OrderEventType = Extract<EventType, `ORDER_${string}`>

/**
 * Writes down that something happened to orders, inside the caller's transaction. The world hears how each stands, with
 * its lines, and no word about who ordered but the account's id.
 */
export async function recordOrderEvents(
  em: EntityManager,
  type: OrderEventType,
  orders: readonly Order[],
  more: object = {},
): Promise<void> {
  const items = await em.find(
    OrderItem,
    { order: { $in: orders.map(({ id }) => id) } },
    // What parcels hold is counted past what is in memory.
    { orderBy: { position: 'asc' }, refresh: true },
  )
  const itemsOf = Map.groupBy(items, ({ order }) => order.id)
  await recordEvents(
    em,
    orders.map(({ id, reference, userId, status, totalPrice, refundedAmount }) => {
      const lines = (itemsOf.get(id) ?? []).map(
        ({ productId, sku, name, quantity, price, discount, lots, fulfilledQuantity }) => ({
          productId,
          sku,
          name,
          quantity,
          price,
          discount,
          lots,
          fulfilledQuantity,
        }),
      )
      const money = { totalPrice, refundedAmount, currency: 'USD' }
      const order = { id, reference, accountId: userId ?? null, status, lines, ...money }
      return { type, subjectId: id, data: { order, ...more } }
    }),
  )
}
