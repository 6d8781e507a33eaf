import { valueAt } from '#schema/rules/present'
import type { Load } from './batch.ts'

interface LastChange {
  updatedAt: Date
  version: number
}

/** For each thing of a table, when anything about it last changed. The database keeps that; see Migration032Changes. */
const lastChangeIn =
  (table: 'products' | 'orders' | 'reviews' | 'users'): Load<string, LastChange> =>
  async (em, ids) => {
    const rows = await em.execute<{ id: string; updated_at: string; version: number }[]>(
      `select id, updated_at, version from ${table} where id in (?)`,
      [[...new Set(ids)]],
    )
    const found = new Map(rows.map(({ id, updated_at, version }) => [id, { updatedAt: new Date(updated_at), version }]))
    return ids.map(id => valueAt(found, id))
  }

export const lastChangeOfProduct = lastChangeIn('products')
export const lastChangeOfOrder = lastChangeIn('orders')
export const lastChangeOfReview = lastChangeIn('reviews')
export const lastChangeOfAccount = lastChangeIn('users')
