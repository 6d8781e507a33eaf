import type { Load } from './batch.ts'

/** For each thing of a table, when anything about it last changed. The database keeps that; see Migration032Changes. */
const updatedIn =
  (table: 'products' | 'orders' | 'reviews' | 'users'): Load<string, Date> =>
  async (em, ids) => {
    const rows = await em.execute<{ id: string; updated_at: string }[]>(
      `select id, updated_at from ${table} where id in (?)`,
      [[...new Set(ids)]],
    )
    const found = new Map(rows.map(({ id, updated_at }) => [id, new Date(updated_at)]))
    return ids.map(id => found.get(id)!)
  }

export const productUpdatedAt = updatedIn('products')
export const orderUpdatedAt = updatedIn('orders')
export const reviewUpdatedAt = updatedIn('reviews')
export const accountUpdatedAt = updatedIn('users')
