import type { EntityManager } from '@mikro-orm/postgresql'
import { recordEvents, type EventRecord } from '../event/record-events.ts'

/** A product as the world may know it. */
export interface PublicProduct {
  id: string
  sku: string
  name: string
  /** cents */
  price: number
  countInStock: number
  isForSale: boolean
  /** Grows with every save by hand. */
  version: number
}

type ProductEventType = 'PRODUCT_CHANGED' | 'STOCK_LOW'

export function productEvent(type: ProductEventType, product: PublicProduct): EventRecord {
  const { id, sku, name, price, countInStock, isForSale, version } = product
  return { type, subjectId: id, data: { product: { id, sku, name, price, countInStock, isForSale, version } } }
}

/**
 * Tells that products were changed by hand, inside the caller's transaction, which has written them. A draft is nobody's
 * business, unless it was on sale just now: those are `taken`.
 */
export async function recordProductChanges(
  em: EntityManager,
  ids: readonly string[],
  taken: readonly string[] = [],
): Promise<void> {
  if (ids.length === 0) return
  const products = await em.execute<PublicProduct[]>(
    `select id, sku, name, price, version, count_in_stock as "countInStock", published_at is not null and archived_at is null as "isForSale"
     from products where id in (?) and (published_at is not null or id in (select value::uuid from jsonb_array_elements_text(?::jsonb))) order by id`,
    [ids, JSON.stringify(taken)],
  )
  await recordEvents(
    em,
    products.map(product => productEvent('PRODUCT_CHANGED', product)),
  )
}
