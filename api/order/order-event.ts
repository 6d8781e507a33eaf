import type { EntityManager } from '@mikro-orm/postgresql'
import { orderStatus, type OrderDates } from '#schema/rules/order-status'
import { recordEvents } from '../event/record-events.ts'
import type { EventType } from '../generated/types.ts'

type OrderEventType = Extract<EventType, `ORDER_${string}`>

interface Row extends OrderDates {
  id: string
  number: number
  updatedAt: string
  version: number
}

/**
 * Writes down that something happened to orders, inside the caller's transaction. The world hears how each stands, with
 * its lines, and no word about who ordered but the account's id.
 */
export async function recordOrderEvents(
  em: EntityManager,
  type: OrderEventType,
  orders: readonly { id: string }[],
  more: object = {},
): Promise<void> {
  if (orders.length === 0) return
  // Read past the entities in memory: those may be older than what was counted in SQL, and to load them anew could undo
  // what is not written yet.
  await em.flush()
  const ids = orders.map(({ id }) => id)
  const rows = await em.execute<Row[]>(
    `with touched as (
       -- What lies in tables of its own moves the order at the end of the transaction: the event tells it already.
       update orders set updated_at = clock_timestamp() where id in (?) and updated_in <> pg_current_xact_id()
       returning id, updated_at, version
     )
     select id, number, user_id as "accountId", coalesce(touched.updated_at, orders.updated_at) as "updatedAt",
       coalesce(touched.version, orders.version) as version,
       paid_at as "paidAt", first_sent_at as "firstSentAt", sent_at as "sentAt", delivered_at as "deliveredAt",
       lapsed_at as "lapsedAt", cancelled_at as "cancelledAt",
       coalesce((
         select jsonb_agg(jsonb_build_object(
           'productId', product_id, 'sku', sku, 'name', name, 'quantity', quantity, 'fulfilledQuantity', fulfilled_quantity,
           'lots', lots, 'price', price, 'discount', discount) order by position)
         from order_items where order_id = orders.id), '[]') as lines,
       items_price as "itemsPrice", discount, shipping_price as "shippingPrice", tax_price as "taxPrice",
       total_price as "totalPrice", refunded_amount as "refundedAmount"
     from orders left join touched using (id) where id in (?) order by id`,
    [ids, ids],
  )
  await recordEvents(
    em,
    rows.map(({ number, updatedAt, paidAt, firstSentAt, sentAt, deliveredAt, lapsedAt, cancelledAt, ...order }) => {
      const status = orderStatus({ paidAt, firstSentAt, sentAt, deliveredAt, lapsedAt, cancelledAt })
      const seen = {
        ...order,
        reference: `#${number}`,
        status,
        currency: 'USD',
        updatedAt: new Date(updatedAt).toISOString(),
      }
      return { type, subjectId: order.id, data: { order: seen, ...more } }
    }),
  )
}
