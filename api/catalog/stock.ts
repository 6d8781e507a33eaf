import type { EntityManager } from '@mikro-orm/postgresql'
import { fillFromLots, isAsAsked, unitsOf, UNREAD_LOT, type LotPortion } from '#schema/rules/lots'
import { present, valueAt } from '#schema/rules/present'
import { clock } from '../kernel/clock.ts'
import { listed, read, write } from '../query/read.ts'
import { readLots, shiftLots } from './lots.ts'
import { PUBLIC_PRODUCT, type PublicProduct } from './product-event.ts'
import { SALE_DUE } from './turn-sales.ts'
import { recordStockMoves, type LotShift, type StockMove, type StockOrder, type StockReason } from './stock-event.ts'

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
  isDownload: boolean
  isGiftCard: boolean
  reducedTax: boolean
  /** A sale of it begins or ends by now, and its price has yet to turn. */
  isSaleDue: boolean
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
  /** By product, the day the units are expected; none of what is here. */
  expected: Map<string, string>
  /** What moved, of each product. */
  moves: StockMove[]
}

/** The products of a cart as they are at this moment, and what falls short. Nothing is locked: takeStock decides. */
export async function readShelf(
  em: EntityManager,
  lines: readonly StockLine[],
): Promise<{ products: Map<string, OnShelf>; shortages: Shortage[] }> {
  const now = clock.now()
  // Planned once, for it is not seen how many they are.
  const found = await read<OnShelf>(
    em,
    `select id, sku, name, image, weight, category, price, count_in_stock as left, kept_by_lot as "keptByLot", is_download as "isDownload", is_gift_card as "isGiftCard", reduced_tax as "reducedTax",
       coalesce(${SALE_DUE}, false) as "isSaleDue"
     from products where id = any ((select ?::uuid[])::uuid[]) and published_at is not null and archived_at is null`,
    [now, now, listed(lines.map(({ productId }) => productId))],
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
 * each other. Tells of every stock that moved.
 */
export async function takeStock(
  em: EntityManager,
  order: StockOrder,
  lines: readonly StockLine[],
  how: { fromAnyLots?: boolean } = {},
): Promise<Taken> {
  const taken = await takeUntold(em, order, lines, how)
  await recordStockMoves(em, taken.moves, 'sold', order)
  return taken
}

/** As `takeStock`, for a caller that tells of what moved. */
export async function takeUntold(
  em: EntityManager,
  order: StockOrder,
  lines: readonly StockLine[],
  { fromAnyLots = false } = {},
): Promise<Taken> {
  // Checking and taking in one statement: a read before the write would let two buyers have the last skein. The rows are
  // locked in the order of their ids, which is what keeps crossing carts from deadlocking.
  const moved = await write<PublicProduct & Pick<OnShelf, 'keptByLot'>>(
    em,
    `with found as (
       -- Written so that no index on stock looks better than the one on ids.
       select id as found_id, units from products join unnest(?::uuid[], ?::integer[]) as wanted(wanted_id, units) on id = wanted_id
       where count_in_stock - units >= 0 and published_at is not null and archived_at is null
       order by id for no key update of products
     ), taken as (
       update products set count_in_stock = count_in_stock - units from found where id = found_id
       returning ${PUBLIC_PRODUCT}, kept_by_lot as "keptByLot", units
     ), moved as (
       insert into stock_movements (product_id, order_id, delta, reason) select id, ?::uuid, -units, 'sold' from taken
     )
     select * from taken`,
    [listed(lines.map(({ productId }) => productId)), listed(lines.map(({ quantity }) => quantity)), order.id],
  )
  const products = new Map(moved.map(product => [product.id, product]))
  const short = lines.filter(({ productId }) => !products.has(productId))
  if (short.length > 0) {
    const { products } = await readShelf(em, short)
    return {
      shortages: short.map(({ productId }) => shortageOf(productId, products)),
      otherLots: [],
      lots: new Map(),
      expected: new Map(),
      moves: [],
    }
  }
  const found = inIdOrder(lines).map(line => ({ ...line, product: valueAt(products, line.productId) }))
  const taken = await takeLots(
    em,
    found.map(({ product: { name, keptByLot }, ...line }) => ({ ...line, name, keptByLot })),
    fromAnyLots,
  )
  const moves = found.map(({ product, quantity }) => ({
    product,
    delta: -quantity,
    lots: taken.lots.get(product.id)?.map(({ code, quantity }) => ({ code, delta: -quantity })),
  }))
  const expected = new Map(
    moved.flatMap(({ id, expectedOn }) => (expectedOn === null ? [] : [[id, expectedOn] as const])),
  )
  return { shortages: [], ...taken, expected, moves: taken.otherLots.length === 0 ? moves : [] }
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

/** A line of an order whose stock goes back. */
type Returned = StockLine & { lots: readonly LotPortion[] }

/** Gives stock of an order back, inside the caller's transaction: to the lots it was taken from. */
export async function releaseStock(
  em: EntityManager,
  order: StockOrder,
  lines: readonly Returned[],
  reason: 'released' | 'returned' = 'released',
): Promise<void> {
  const moves: StockMove[] = []
  for (const { productId, quantity, lots } of inIdOrder(lines)) {
    const { keptByLot, ...product } = await move(em, productId, quantity, reason, order)
    const portions = lots.length > 0 ? lots : [{ code: UNREAD_LOT, quantity }]
    const shifts = keptByLot ? portions.map(({ code, quantity }) => ({ code, delta: quantity })) : []
    moves.push({ product, delta: quantity, lots: shifts })
  }
  // A lot that was taken off the list since is there again.
  await shiftLots(
    em,
    moves.flatMap(({ product, lots = [] }) => lots.map(lot => ({ productId: product.id, ...lot }))),
  )
  await recordStockMoves(em, moves, reason, order)
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
  lots: LotShift[] = [],
): Promise<void> {
  const [row] = await em.execute<{ count_in_stock: number }[]>(
    'select count_in_stock from products where id = ? for update',
    [productId],
  )
  await shiftStock(em, [{ productId, delta: count - (row?.count_in_stock ?? count), lots }], reason)
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
  const before = await em.execute<LotPortion[]>(
    'delete from product_lots where product_id = ? returning code, quantity',
    [productId],
  )
  await em.execute('update products set kept_by_lot = ? where id = ?', [lots !== null, productId])
  if (!lots) return
  await em.execute(
    `insert into product_lots (product_id, code, quantity)
     select ?, code, quantity from jsonb_to_recordset(?::jsonb) as l(code text, quantity integer)`,
    [productId, JSON.stringify(lots)],
  )
  await adjustStock(em, productId, unitsOf(lots), reason, shiftsBetween(before, lots))
}

function shiftsBetween(before: readonly LotPortion[], after: readonly LotPortion[]): LotShift[] {
  const shifts = new Map(before.map(({ code, quantity }) => [code, -quantity]))
  for (const { code, quantity } of after) shifts.set(code, (shifts.get(code) ?? 0) + quantity)
  return [...shifts].flatMap(([code, delta]) => (delta === 0 ? [] : { code, delta }))
}

/**
 * Adds units to stocks, or takes them away with a negative number, inside the caller's transaction. The caller has
 * locked the products, knows that no stock falls below zero, and moves the lots of those that are kept by lot with
 * `shiftLots`.
 */
export async function shiftStock(
  em: EntityManager,
  shifts: readonly { productId: string; delta: number; lots?: readonly LotShift[] }[],
  reason: 'initial' | 'adjusted' = 'adjusted',
): Promise<void> {
  const moves = shifts.filter(({ delta }) => delta !== 0)
  if (moves.length === 0) return
  const products = await em.execute<PublicProduct[]>(
    `with moves as (select * from jsonb_to_recordset(?::jsonb) as m("productId" uuid, delta integer)),
          moved as (
            update products set count_in_stock = count_in_stock + delta from moves where id = "productId" returning ${PUBLIC_PRODUCT}
          ),
          noted as (insert into stock_movements (product_id, delta, reason) select "productId", delta, ? from moves)
     select * from moved`,
    [JSON.stringify(moves), reason],
  )
  const byId = new Map(moves.map(move => [move.productId, move]))
  await recordStockMoves(
    em,
    products.map(product => ({ product, ...valueAt(byId, product.id) })),
    reason,
  )
}

/** Moves the stock of one product for an order. Returns it as it is now. */
async function move(
  em: EntityManager,
  productId: string,
  delta: number,
  reason: StockReason,
  { id: orderId }: StockOrder,
): Promise<PublicProduct & Pick<OnShelf, 'keptByLot'>> {
  const [product] = await em.execute<(PublicProduct & Pick<OnShelf, 'keptByLot'>)[]>(
    `with moved as (
       update products set count_in_stock = count_in_stock + ? where id = ? returning ${PUBLIC_PRODUCT}, kept_by_lot as "keptByLot"
     ), noted as (
       insert into stock_movements (product_id, order_id, delta, reason) select id, ?, ?, ? from moved
     )
     select * from moved`,
    [delta, productId, orderId, delta, reason],
  )
  return present(product)
}
