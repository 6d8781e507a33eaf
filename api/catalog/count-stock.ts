import type { EntityManager } from '@mikro-orm/postgresql'
import type { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { ownerLimits } from '#schema/rules/owner-limits'
import { lotsInWords, unitsOf, type LotPortion } from '#schema/rules/lots'
import type { lotCounts } from '#schema/rules/shapes/product'
import { refuse } from '../kernel/errors.ts'
import type { Product } from './product.entity.ts'
import { readLots } from './lots.ts'
import { adjustStock, setLots, shiftStock } from './stock.ts'

type LotCounts = z.output<typeof lotCounts>

/** What was counted on the shelf, and what the editor was shown before. */
export interface Counted {
  countInStock: number | undefined
  countInStockSeen: number | undefined
  keptByLot: boolean | undefined
  lots: LotCounts | undefined
}

/** Sets the stock of a locked product to what was counted, as a whole or by lot. */
export async function countStock(
  em: EntityManager,
  product: Product,
  { countInStock, countInStockSeen: seen, keptByLot, lots }: Counted,
): Promise<void> {
  if (lots) {
    if (keptByLot === false)
      throw refuse('INVALID', 'A product has dye lots only while its stock is kept by lot.', { field: ['lots'] })
    return countLots(em, product, lots, seen)
  }
  if (keptByLot && !product.keptByLot) throw refuse('INVALID', 'Please name at least one dye lot.', { field: ['lots'] })
  if (product.keptByLot && keptByLot !== false) {
    if (countInStock === undefined || countInStock === (seen ?? product.countInStock)) return
    throw refuse('INVALID', keptByLotMessage(product.name), { field: ['countInStock'] })
  }
  if (product.keptByLot) await setLots(em, product.id, null)
  if (countInStock !== undefined) await moveStock(em, product, countInStock, seen)
}

export const keptByLotMessage = (name: string) =>
  `The stock of “${name}” is kept by dye lot, so it is the sum of its lots: please change those.`

export const NO_LOTS = 'Products to download cannot have dye lots.'

/** The lots of a product as the audit log shows them. */
export const lotsInAudit = async (em: EntityManager, productId: string) =>
  lotsInWords((await readLots(em, [productId])).get(productId) ?? [])

/** To the count on the shelf; when the editor saw another stock than there is, by the difference to what it saw. */
async function moveStock(em: EntityManager, product: Product, count: number, seen: number | undefined): Promise<void> {
  if (seen === undefined) return adjustStock(em, product.id, count)
  const delta = count - seen
  const left = product.countInStock + delta
  if (left < 0) throw soldMeanwhile(product, ['countInStock'], product.countInStock)
  if (left > limits.stock) throw tooMany(['countInStock'])
  await shiftStock(em, [{ productId: product.id, delta }])
}

/** The lots named; others stay as they are. */
async function countLots(
  em: EntityManager,
  product: Product,
  counts: LotCounts,
  seen: number | undefined,
): Promise<void> {
  if (!product.keptByLot && seen !== undefined && seen !== product.countInStock)
    throw soldMeanwhile(product, ['lots'], product.countInStock)
  const lots = new Map(((await readLots(em, [product.id])).get(product.id) ?? []).map(lot => [lot.code, lot.quantity]))
  for (const { code, quantity, seen } of counts) {
    const left = lots.get(code) ?? 0
    const counted = seen == null ? quantity : left + quantity - seen
    if (counted < 0) throw soldMeanwhile(product, ['lots', code], left)
    lots.set(code, counted)
  }
  const kept: LotPortion[] = [...lots]
    .map(([code, quantity]) => ({ code, quantity }))
    .filter(({ quantity }) => quantity > 0)
  if (kept.length > ownerLimits.lot.perProduct)
    throw refuse('INVALID', `A product has at most ${ownerLimits.lot.perProduct} dye lots.`, { field: ['lots'] })
  if (unitsOf(kept) > limits.stock) throw tooMany(['lots'])
  await setLots(em, product.id, kept)
}

const soldMeanwhile = (product: Product, field: string[], available: number) =>
  refuse('OUT_OF_STOCK', `Only ${available} are left by now: some were sold while you were editing.`, {
    field,
    available,
    details: { product },
  })

const tooMany = (field: string[]) => refuse('INVALID', 'Count in stock is too high.', { field })
