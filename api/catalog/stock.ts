import type { EntityManager } from '@mikro-orm/postgresql'
import { fillFromLots, isAsAsked, unitsOf, UNREAD_LOT, type LotPortion } from '#schema/rules/lots'
import { WELL_STOCKED } from '#schema/rules/stock'
import { recordEvents, type EventRecord } from '../event/record-events.ts'
import type { Load } from '../query/batch.ts'
import { productEvent } from './product-event.ts'

export interface StockLine {
  productId: string
  quantity: number
  /** The dye lots asked for, as many units in all; any one lot when left out. */
  lots?: LotPortion[]
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
  keptByLot: boolean
}

export interface Shortage {
  productId: string
  /** Null when the product is not for sale (any more), as is `available`. */
  name: string | null
  /** Units left. */
  available: number | null
}

/** Lots that a line can be filled from, which are others than its shopper agreed to. */
export interface OtherLots {
  productId: string
  name: string
  asked: readonly LotPortion[]
  portions: LotPortion[]
  /** Units of the largest lot. */
  largest: number
}

export interface Taken {
  /** What falls short. */
  shortages: Shortage[]
  /** What can only be had from other lots. */
  otherLots: OtherLots[]
  /** By product, the lots the units are of; none of products that are not kept by lot. */
  lots: Map<string, LotPortion[]>
}

/** The products of a cart as they are at this moment, and what falls short. Nothing is locked: takeStock decides. */
export async function readShelf(
  em: EntityManager,
  lines: readonly StockLine[],
): Promise<{ products: Map<string, OnShelf>; shortages: Shortage[] }> {
  const found = await em.execute<OnShelf[]>(
    `select id, sku, name, image, weight, category, price, count_in_stock as left, kept_by_lot as "keptByLot" from products
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
const inIdOrder = <Line extends StockLine>(lines: readonly Line[]) =>
  [...lines].sort((a, b) => (a.productId < b.productId ? -1 : 1))

/**
 * Takes stock for an order inside the caller's transaction, and answers what falls short, or would come from other dye
 * lots than agreed: then the caller must roll back. Best done late, for the rows stay locked until the transaction ends
 * and others want them too; but before anything refers to the products, or those who wait for a product would wait for
 * each other. Tells of every product that is no longer well stocked.
 */
export async function takeStock(
  em: EntityManager,
  orderId: string,
  lines: readonly StockLine[],
  { fromAnyLots = false } = {},
): Promise<Taken> {
  const short: StockLine[] = []
  const low: EventRecord[] = []
  const found: (StockLine & Pick<OnShelf, 'name' | 'keptByLot'>)[] = []
  for (const line of inIdOrder(lines)) {
    // Checking and taking in one statement: a read before the write would let two buyers have the last skein.
    const [taken] = await em.execute<(OnShelf & { version: number })[]>(
      `with taken as (
         update products set count_in_stock = count_in_stock - ?
         where id = ? and count_in_stock >= ? and published_at is not null and archived_at is null
         returning id, name, image, weight, category, price, sku, version, count_in_stock as left, kept_by_lot as "keptByLot"
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
    const { left, keptByLot, ...product } = taken
    found.push({ ...line, name: product.name, keptByLot })
    if (left < WELL_STOCKED && left + line.quantity >= WELL_STOCKED)
      low.push(productEvent('STOCK_LOW', { ...product, countInStock: left, isForSale: true }))
  }
  if (short.length > 0) {
    const { products } = await readShelf(em, short)
    return { shortages: short.map(({ productId }) => shortageOf(productId, products)), otherLots: [], lots: new Map() }
  }
  const taken = await takeLots(em, found, fromAnyLots)
  if (taken.otherLots.length === 0) await recordEvents(em, low)
  return { shortages: [], ...taken }
}

/** Of products whose rows are locked: nobody else reads or moves their lots until the transaction ends. */
async function takeLots(
  em: EntityManager,
  lines: readonly (StockLine & Pick<OnShelf, 'name' | 'keptByLot'>)[],
  fromAnyLots: boolean,
): Promise<Pick<Taken, 'otherLots' | 'lots'>> {
  const left = await readLots(
    em,
    lines.filter(({ keptByLot }) => keptByLot).map(({ productId }) => productId),
  )
  const filled = lines.map(({ productId, name, quantity, lots: asked = [] }) => {
    const lots = left.get(productId) ?? []
    return { productId, name, asked, lots, portions: fillFromLots(lots, quantity, asked) }
  })
  const otherLots = fromAnyLots ? [] : filled.filter(({ portions, asked }) => !isAsAsked(portions, asked))
  if (otherLots.length > 0)
    return {
      otherLots: otherLots.map(({ lots, ...line }) => ({ ...line, largest: largestOf(lots) })),
      lots: new Map(),
    }
  await shiftLots(
    em,
    filled.flatMap(({ productId, portions }) =>
      portions.map(({ code, quantity }) => ({ productId, code, delta: -quantity })),
    ),
  )
  return {
    otherLots: [],
    lots: new Map(filled.filter(({ portions }) => portions.length > 0).map(line => [line.productId, line.portions])),
  }
}

const largestOf = (lots: readonly LotPortion[]) => Math.max(0, ...lots.map(({ quantity }) => quantity))

/** The lots of products of which there are units, by code. */
export async function readLots(em: EntityManager, productIds: readonly string[]): Promise<Map<string, LotPortion[]>> {
  if (productIds.length === 0) return new Map()
  const rows = await em.execute<(LotPortion & { product_id: string })[]>(
    'select product_id, code, quantity from product_lots where product_id in (?) and quantity > 0 order by product_id, code',
    [productIds],
  )
  const byProduct = Map.groupBy(rows, row => row.product_id)
  return new Map(
    [...byProduct].map(([id, lots]) => [id, lots.map(({ code, quantity }) => ({ code, quantity }))] as const),
  )
}

/** As `readLots`, in the order of the products. */
export const lotsById: Load<string, LotPortion[]> = async (em, productIds) => {
  const lots = await readLots(em, productIds)
  return productIds.map(id => lots.get(id) ?? [])
}

/** For each product, the lots nothing is left of, as long as the owner has not counted since. */
export const soldOutLotsById: Load<string, string[]> = async (em, productIds) => {
  const rows = await em.execute<{ product_id: string; code: string }[]>(
    'select product_id, code from product_lots where product_id in (?) and quantity = 0 order by product_id, code',
    [productIds],
  )
  const byProduct = Map.groupBy(rows, row => row.product_id)
  return productIds.map(id => (byProduct.get(id) ?? []).map(({ code }) => code))
}

/** Units of a lot; null when none was ever counted or sold. */
export async function countLot(em: EntityManager, productId: string, code: string): Promise<number | null> {
  const [found] = await em.execute<{ quantity: number }[]>(
    `select quantity from product_lots where product_id = ? and code = ?
     union all
     (select 0 from order_items where product_id = ? and lots @> ?::jsonb limit 1)
     limit 1`,
    [productId, code, productId, JSON.stringify([{ code }])],
  )
  return found?.quantity ?? null
}

/** A line of an order whose stock goes back. */
type Returned = StockLine & { lots: readonly LotPortion[] }

/** Gives stock of an order back, inside the caller's transaction: to the lots it was taken from. */
export async function releaseStock(
  em: EntityManager,
  orderId: string,
  lines: readonly Returned[],
  reason: 'released' | 'returned' = 'released',
): Promise<void> {
  const lotShifts: { productId: string; code: string; delta: number }[] = []
  for (const { productId, quantity, lots } of inIdOrder(lines)) {
    const [product] = await em.execute<{ kept_by_lot: boolean }[]>(
      'update products set count_in_stock = count_in_stock + ? where id = ? returning kept_by_lot',
      [quantity, productId],
    )
    await move(em, productId, orderId, quantity, reason)
    if (product?.kept_by_lot) {
      const portions = lots.length > 0 ? lots : [{ code: UNREAD_LOT, quantity }]
      lotShifts.push(...portions.map(({ code, quantity }) => ({ productId, code, delta: quantity })))
    }
  }
  // A lot that was taken off the list since is there again.
  await shiftLots(em, lotShifts)
}

/**
 * Sets the stock of a product that is not kept by lot to a count the administrator saw on the shelf, inside the caller's transaction. Sales of the meantime
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
 * Keeps the stock of a product by lot, in these alone, or no longer by lot with null: then the units stay as they are.
 * Inside the caller's transaction, which has locked the product.
 */
export async function setLots(
  em: EntityManager,
  productId: string,
  lots: readonly LotPortion[] | null,
  reason: 'initial' | 'adjusted' = 'adjusted',
): Promise<void> {
  await em.execute('delete from product_lots where product_id = ?', [productId])
  await em.execute('update products set kept_by_lot = ? where id = ?', [lots !== null, productId])
  if (!lots) return
  await em.execute(
    `insert into product_lots (product_id, code, quantity)
     select ?, code, quantity from jsonb_to_recordset(?::jsonb) as l(code text, quantity integer)`,
    [productId, JSON.stringify(lots)],
  )
  await adjustStock(em, productId, unitsOf(lots), reason)
}

/**
 * Adds units to stocks, or takes them away with a negative number, inside the caller's transaction. The caller has
 * locked the products, knows that no stock falls below zero, and moves the lots of those that are kept by lot with
 * `shiftLots`.
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

/** Adds units to dye lots, or takes them away, as `shiftStock` does to their products. A lot that is not there yet is made. */
export async function shiftLots(
  em: EntityManager,
  shifts: readonly { productId: string; code: string; delta: number }[],
): Promise<void> {
  const moves = shifts.filter(({ delta }) => delta !== 0)
  if (moves.length === 0) return
  await em.execute(
    `with moves as (select * from jsonb_to_recordset(?::jsonb) as m("productId" uuid, code text, delta integer)),
          moved as (
            update product_lots l set quantity = l.quantity + m.delta from moves m
            where l.product_id = m."productId" and l.code = m.code returning l.product_id, l.code
          )
     insert into product_lots (product_id, code, quantity)
     select "productId", code, delta from moves m
     where not exists (select from moved where moved.product_id = m."productId" and moved.code = m.code)`,
    [JSON.stringify(moves)],
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
