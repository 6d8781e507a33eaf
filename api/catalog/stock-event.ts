import type { EntityManager } from '@mikro-orm/postgresql'
import { WELL_STOCKED } from '#schema/rules/stock'
import { lastOf } from '#schema/rules/present'
import { recordEvents, type EventRecord } from '../event/record-events.ts'
import { productEvent, type PublicProduct } from './product-event.ts'

export type StockReason = 'initial' | 'sold' | 'released' | 'returned' | 'adjusted'

/** An order that stock is taken for, or comes back of. */
export interface StockOrder {
  id: string
  reference: string
}

/** Units that came to a dye lot, or left it with a negative number. */
export interface LotShift {
  code: string
  delta: number
}

/** Units that came to a product, or left it with a negative number. */
export interface StockMove {
  /** As it is after the move. */
  product: PublicProduct
  delta: number
  /** By dye lot; none where the stock is not kept by lot. */
  lots?: readonly LotShift[] | undefined
}

/**
 * Tells that stocks moved, inside the caller's transaction, which holds the products' rows and has written them: one event
 * for each product. A sale that leaves fewer than count as well stocked makes an event of its own, too.
 */
export async function recordStockMoves(
  em: EntityManager,
  moves: readonly StockMove[],
  reason: StockReason,
  order: StockOrder | null = null,
): Promise<void> {
  await recordEvents(em, stockMoveEvents(moves, reason, order))
}

/** The events of `recordStockMoves`. */
export function stockMoveEvents(
  moves: readonly StockMove[],
  reason: StockReason,
  order: StockOrder | null,
): EventRecord[] {
  const byProduct = Map.groupBy(moves, ({ product }) => product.id)
  return [...byProduct.values()].flatMap(own => stockEvents(own, reason, order))
}

function stockEvents(moves: readonly StockMove[], reason: StockReason, order: StockOrder | null): EventRecord[] {
  const { product } = lastOf(moves)
  const delta = moves.reduce((sum, move) => sum + move.delta, 0)
  const lots = moves.flatMap(move => move.lots ?? [])
  if (delta === 0 && lots.length === 0) return []
  const after = product.countInStock
  const before = after - delta
  const stock = {
    before,
    after,
    delta,
    reason: reason.toUpperCase(),
    lots: lots.map(({ code, delta }) => ({ code, delta })),
    order: order && { id: order.id, reference: order.reference },
  }
  const isLow = reason === 'sold' && before >= WELL_STOCKED && after < WELL_STOCKED
  return [productEvent('STOCK_CHANGED', product, { stock }), ...(isLow ? [productEvent('STOCK_LOW', product)] : [])]
}
