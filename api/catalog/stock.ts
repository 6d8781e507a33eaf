import type { EntityManager } from '@mikro-orm/postgresql'
import { WELL_STOCKED } from '#schema/rules/stock'
import { recordEvents, type EventRecord } from '../event/record-events.ts'
import { productEvent } from './product-event.ts'

export interface StockLine {
  productId: string
  quantity: number
}

/** A product as a buyer finds it. */
export interface OnShelf {
  id: string
  sku: string
  name: string
  image: string
  weight: string
  category: string
  price: number
  left: number
}

export interface Shortage {
  productId: string
  /** Null when the product is not for sale (any more), as is `available`. */
  name: string | null
  /** Units left. */
  available: number | null
}

/** The products of a cart as they are at this moment, and what falls short. Nothing is locked: takeStock decides. */
export async function readShelf(
  em: EntityManager,
  lines: readonly StockLine[],
): Promise<{ products: Map<string, OnShelf>; shortages: Shortage[] }> {
  const found = await em.execute<OnShelf[]>(
    `select id, sku, name, image, weight, category, price, count_in_stock as left from products
     where id in (?) and published_at is not null and archived_at is null`,
    [lines.map(({ productId }) => productId)],
  )
  const products = new Map(found.map(product => [product.id, product]))
  const short = lines.filter(({ productId, quantity }) => (products.get(productId)?.left ?? -1) < quantity)
  return { products, shortages: short.map(({ productId }) => shortageOf(productId, products)) }
}

const shortageOf = (productId: string, products: Map<string, OnShelf>): Shortage => ({
  productId,
  name: products.get(productId)?.name ?? null,
  available: products.get(productId)?.left ?? null,
})

/** Locking rows always in the same order is what keeps crossing carts from deadlocking. */
const inIdOrder = (lines: readonly StockLine[]) => [...lines].sort((a, b) => (a.productId < b.productId ? -1 : 1))

/**
 * Takes stock for an order inside the caller's transaction, and answers what falls short: then the caller must roll
 * back. Best done late, for the rows stay locked until the transaction ends and others want them too; but before
 * anything refers to the products, or those who wait for a product would wait for each other. Tells of every product
 * that is no longer well stocked.
 */
export async function takeStock(em: EntityManager, orderId: string, lines: readonly StockLine[]): Promise<Shortage[]> {
  const short: StockLine[] = []
  const low: EventRecord[] = []
  for (const line of inIdOrder(lines)) {
    // Checking and taking in one statement: a read before the write would let two buyers have the last skein.
    const [taken] = await em.execute<OnShelf[]>(
      `with taken as (
         update products set count_in_stock = count_in_stock - ?
         where id = ? and count_in_stock >= ? and published_at is not null and archived_at is null
         returning id, name, image, weight, category, price, sku, count_in_stock as left
       ), moved as (
         insert into stock_movements (product_id, order_id, delta, reason) select id, ?, ?, 'sold' from taken
       )
       select * from taken`,
      [line.quantity, line.productId, line.quantity, orderId, -line.quantity],
    )
    if (!taken) {
      short.push(line)
      continue
    }
    const { left, ...product } = taken
    if (left < WELL_STOCKED && left + line.quantity >= WELL_STOCKED)
      low.push(productEvent('STOCK_LOW', { ...product, countInStock: left, isForSale: true }))
  }
  if (short.length > 0) {
    const { products } = await readShelf(em, short)
    return short.map(({ productId }) => shortageOf(productId, products))
  }
  await recordEvents(em, low)
  return []
}

/** Gives the stock of an order back, inside the caller's transaction. */
export async function releaseStock(em: EntityManager, orderId: string, lines: readonly StockLine[]): Promise<void> {
  for (const { productId, quantity } of inIdOrder(lines)) {
    await em.execute('update products set count_in_stock = count_in_stock + ? where id = ?', [quantity, productId])
    await move(em, productId, orderId, quantity, 'released')
  }
}

/**
 * Sets the stock to a count the administrator saw on the shelf, inside the caller's transaction. Sales of the meantime
 * are not lost: the ledger gets the difference to what is there at this moment.
 */
export async function adjustStock(
  em: EntityManager,
  productId: string,
  count: number,
  reason: 'initial' | 'adjusted' = 'adjusted',
): Promise<void> {
  const [row] = await em.execute<{ count_in_stock: number }[]>(
    'select count_in_stock from products where id = ? for update',
    [productId],
  )
  const delta = count - (row?.count_in_stock ?? 0)
  if (!row || delta === 0) return
  await em.execute('update products set count_in_stock = ? where id = ?', [count, productId])
  await move(em, productId, null, delta, reason)
}

/**
 * Adds units to stocks, or takes them away with a negative number, inside the caller's transaction. The caller has
 * locked the products and knows that no stock falls below zero.
 */
export async function shiftStock(
  em: EntityManager,
  shifts: readonly { productId: string; delta: number }[],
  reason: 'initial' | 'adjusted' = 'adjusted',
): Promise<void> {
  const moves = shifts.filter(({ delta }) => delta !== 0)
  if (moves.length === 0) return
  await em.execute(
    `with moves as (select * from jsonb_to_recordset(?::jsonb) as m("productId" uuid, delta integer)),
          moved as (update products set count_in_stock = count_in_stock + delta from moves where id = "productId")
     insert into stock_movements (product_id, delta, reason) select "productId", delta, ? from moves`,
    [JSON.stringify(moves), reason],
  )
}

async function move(em: EntityManager, productId: string, orderId: string | null, delta: number, reason: string) {
  await em.execute('insert into stock_movements (product_id, order_id, delta, reason) values (?, ?, ?, ?)', [
    productId,
    orderId,
    delta,
    reason,
  ])
}
