import type { Load } from '../query/batch.ts'

/** For each product, whether it can be bought now. */
export const forSale: Load<string, boolean> = async (em, productIds) => {
  const found = await em.execute<{ id: string }[]>(
    'select id from products where id in (?) and published_at is not null and archived_at is null',
    [productIds],
  )
  const ids = new Set(found.map(({ id }) => id))
  return productIds.map(id => ids.has(id))
}
