import type { Load } from '../query/batch.ts'

/** How many units of each product are ordered ahead, and neither here nor given back. */
export const preordered: Load<string, number> = async (em, productIds) => {
  const rows = await em.execute<{ product_id: string; units: number }[]>(
    `select product_id, sum(quantity - fulfilled_quantity)::int as units from order_items i join orders o on o.id = i.order_id
     where product_id in (?) and expected_on is not null and lapsed_at is null and (paid_at is null or refunded_amount < total_price - unpaid_amount)
     group by product_id`,
    [productIds],
  )
  const units = new Map(rows.map(({ product_id, units }) => [product_id, units]))
  return productIds.map(id => units.get(id) ?? 0)
}
