import type { EntityManager } from '@mikro-orm/postgresql'
import { recordEvents, type EventRecord } from '../event/record-events.ts'
import { write } from '../query/read.ts'

/** A product as the world may know it. */
export interface PublicProduct {
  id: string
  sku: string
  name: string
  /** cents */
  price: number
  countInStock: number
  /** The day its units are expected; null when they are here. */
  expectedOn: string | null
  isForSale: boolean
  /** Grows with every save by hand. */
  version: number
}

/** Of a row of products, as SQL. */
export const PUBLIC_PRODUCT =
  'id, sku, name, price, count_in_stock as "countInStock", expected_on::text as "expectedOn", published_at is not null and archived_at is null as "isForSale", version'

type ProductEventType = 'PRODUCT_CHANGED' | 'STOCK_LOW' | 'STOCK_CHANGED'

export function productEvent(type: ProductEventType, product: PublicProduct, more: object = {}): EventRecord {
  const { id, sku, name, price, countInStock, expectedOn, isForSale, version } = product
  return {
    type,
    subjectId: id,
    data: { product: { id, sku, name, price, countInStock, expectedOn, isForSale, version }, ...more },
  }
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
    `select ${PUBLIC_PRODUCT}
     from products where id in (?) and (published_at is not null or id in (select value::uuid from jsonb_array_elements_text(?::jsonb))) order by id`,
    [ids, JSON.stringify(taken)],
  )
  await recordEvents(
    em,
    products.map(product => productEvent('PRODUCT_CHANGED', product)),
  )
}

/** Has every process forget what it shows, once the caller's transaction is committed: of what nobody outside is told of, such as a version. */
export const forgetShownLater = (em: EntityManager) => write(em, `select pg_notify('stock', '{"productId": null}')`, [])
