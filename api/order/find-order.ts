import type { EntityManager } from '@mikro-orm/postgresql'
import type { Load } from '../query/batch.ts'
import { listed, read } from '../query/read.ts'
import { columnsOf, shown } from '../query/shown.ts'
import { Order, type OrderItem } from './order.entity.ts'

/** The order as it is stored. Paying reads it with each click, so it is a named statement. */
export async function findOrder(em: EntityManager, id: string): Promise<Order | null> {
  const [row] = await read<object>(em, `select ${columnsOf(em, Order)} from orders where id = ?`, [id])
  return row ? em.map(Order, row) : null
}

/** A line as letters tell of it. */
type ToldLine = Pick<OrderItem, 'name' | 'image' | 'quantity' | 'price' | 'lots' | 'expectedOn' | 'fulfilledQuantity'>

export interface ToldOrder {
  order: Order
  lines: ToldLine[]
  /** Whether something comes with it to download. */
  hasDownloads: boolean
}

/** Orders as letters tell of them; null for one that is not there. */
export const findToldOrders: Load<string, ToldOrder | null> = async (em, ids) => {
  const rows = await read<{ id: string } & Omit<ToldOrder, 'order'>>(
    em,
    `select ${columnsOf(em, Order)}, (
       select jsonb_agg(jsonb_build_object('name', name, 'image', image, 'quantity', quantity, 'price', price, 'lots', lots,
         'expectedOn', expected_on, 'fulfilledQuantity', fulfilled_quantity) order by position)
       from order_items where order_id = o.id) as lines,
       exists (select from order_items i join products p on p.id = product_id where order_id = o.id and p.downloads <> '[]') as "hasDownloads"
     from orders o where id = any(?::uuid[])`,
    [listed(ids)],
  )
  const told = new Map(
    rows.map(({ lines, hasDownloads, ...row }) => [row.id, { order: shown(em, Order, row), lines, hasDownloads }]),
  )
  return ids.map(id => told.get(id) ?? null)
}
