import type { Load } from '../query/batch.ts'
import { Bell } from './bell.entity.ts'

/** Whether each shopper waits for a product, or a lot of it. */
export const bellsOf: Load<{ productId: string; lot: string; userId: string }, boolean> = async (em, asked) => {
  const bells = await em.find(Bell, { $or: asked.map(each => ({ ...each })) })
  return asked.map(({ productId, lot, userId }) =>
    bells.some(bell => bell.productId === productId && bell.lot === lot && bell.userId === userId),
  )
}

/** How many people wait for each product, or a lot of it. */
export const bellsWaiting: Load<string, number> = async (em, productIds) => {
  const rows = await em.execute<{ product_id: string; waiting: number }[]>(
    `select product_id, count(distinct coalesce(user_id::text, email_key))::int as waiting from bells
     where product_id in (?) group by product_id`,
    [productIds],
  )
  const counts = new Map(rows.map(({ product_id, waiting }) => [product_id, waiting]))
  return productIds.map(id => counts.get(id) ?? 0)
}
