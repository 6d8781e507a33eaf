import type { EntityManager } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import type { Order } from '../order/order.entity.ts'

/** How far all of an order has come. Its parcels have to be written down already. */
export async function progressOf(em: EntityManager, { id }: Order): Promise<{ isSent: boolean; isDelivered: boolean }> {
  const [progress] = await em.execute<[{ isSent: boolean; isDelivered: boolean }]>(
    `with i as (select coalesce(bool_and(fulfilled_quantity = quantity), false) as packed from order_items where order_id = ?),
          f as (select coalesce(bool_and(sent_at is not null), false) as sent, coalesce(bool_and(delivered_at is not null), false) as delivered
                from fulfilments where order_id = ? and cancelled_at is null)
     select packed and sent as "isSent", packed and delivered as "isDelivered" from i, f`,
    [id, id],
  )
  return progress
}

/**
 * Sends and delivers at this moment whatever of paid orders was not yet: what is left of each goes into a parcel of its
 * own. Inside the caller's transaction, with the orders locked.
 */
export async function deliverRest(em: EntityManager, orders: readonly Order[], now: Date): Promise<void> {
  const ids = orders.map(({ id }) => id)
  await em.execute(
    `update fulfilments set sent_at = coalesce(sent_at, ?), delivered_at = ?
     where order_id in (?) and cancelled_at is null and delivered_at is null`,
    [now, now, ids],
  )
  await em.execute(
    `with parcels as (select * from jsonb_to_recordset(?::jsonb) as p(id uuid, order_id uuid)),
          rest as (
            select i.id, i.order_id, i.quantity - i.fulfilled_quantity as quantity, left_over.lots
            from order_items i join parcels p on p.order_id = i.order_id
            cross join lateral (
              select coalesce(jsonb_agg(jsonb_build_object('code', code, 'quantity', ordered - parcelled) order by place), '[]') as lots
              from lots_of_line(i.id) where ordered > parcelled) left_over
            where i.fulfilled_quantity < i.quantity),
          packed as (update order_items i set fulfilled_quantity = i.quantity from rest where rest.id = i.id),
          made as (
            insert into fulfilments (id, order_id, created_at, sent_at, delivered_at)
            select id, order_id, ?, ?, ? from parcels where order_id in (select order_id from rest))
     insert into fulfilment_lines (id, fulfilment_id, item_id, quantity, lots)
     -- After a parcel whose lots nobody wrote down, those of the rest are not known either.
     select gen_random_uuid(), p.id, r.id, r.quantity, case when units_of_lots(r.lots) = r.quantity then r.lots else '[]' end
     from rest r join parcels p on p.order_id = r.order_id`,
    [JSON.stringify(ids.map(order_id => ({ id: v7(), order_id }))), now, now, now],
  )
  for (const order of orders) {
    order.firstSentAt ??= now
    order.sentAt ??= now
  }
}
