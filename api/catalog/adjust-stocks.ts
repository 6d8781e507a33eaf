import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { ownerLimits } from '#schema/rules/owner-limits'
import { lotsInWords, type LotPortion } from '#schema/rules/lots'
import { lotCode, productFields } from '#schema/rules/shapes/product'
import { present, valueAt } from '#schema/rules/present'
import { changesBetween, recordAudit, type Actor } from '../audit/record-audit.ts'
import type { MutationAdjustStockArgs, StockLineInput, UserError } from '../generated/types.ts'
import { check, judge } from '../kernel/validation.ts'
import { answerOnce } from './answer-once.ts'
import { keptByLotMessage } from './count-stock.ts'
import { recordProductChanges } from './product-event.ts'
import {
  aboutProduct,
  lineError,
  lineResult,
  lockProducts,
  readLine,
  refusalOf,
  wholeOf,
  type Found,
  type LinesAnswer,
} from './product-lines.ts'
import { readLots, shiftLots } from './lots.ts'
import { shiftStock } from './stock.ts'

const stockLine = z
  .object({
    ...aboutProduct,
    delta: z.number().int().min(-limits.stock).max(limits.stock).nullish(),
    set: productFields.countInStock.nullish(),
    lot: lotCode.nullish(),
  })
  .refine(({ delta, set }) => (delta == null) !== (set == null), 'Give `delta` or `set`: one, not both.')

type StockLine = z.output<typeof stockLine>

/** A product while lines are applied to it, one after the other. */
interface Shelf extends Found {
  keptByLot: boolean
  /** Units by lot. */
  lots: Map<string, number>
}

/** Applies lines to stocks, each for itself. The same key does it once. */
export async function adjustStocks(
  em: EntityManager,
  actor: Actor,
  input: MutationAdjustStockArgs,
): Promise<LinesAnswer> {
  const { lines: given, idempotencyKey } = check(wholeOf<StockLineInput>(), input)
  const reads = given.map((line, index) => readLine(judge(stockLine, line), index))
  return answerOnce(em, actor, idempotencyKey, ['adjustStock', given], async tx => {
    const rowOf = await lockProducts<Shelf>(tx, reads, 'kept_by_lot as "keptByLot"')
    const rows = [...new Set(reads.flatMap(({ line }) => (line && rowOf(line)) || []))]
    const lots = await readLots(
      tx,
      rows.filter(({ keptByLot }) => keptByLot).map(({ id }) => id),
    )
    const shelves = new Map(rows.map(row => [row.id, { ...row, lots: unitsByCode(lots.get(row.id)) }]))

    const judged = reads.map(({ line, errors }, index) => {
      const row = line ? rowOf(line) : undefined
      const shelf = row && shelves.get(row.id)
      const refusal = line && (refusalOf(line, index, row) ?? applyTo(present(shelf), line, index))
      return { index, shelf, errors: refusal ? [refusal] : errors }
    })

    const changed = rows
      .map(before => ({
        before: { ...before, lots: unitsByCode(lots.get(before.id)) },
        after: valueAt(shelves, before.id),
      }))
      .filter(({ before, after }) => wordsOf(before) !== wordsOf(after))
    await write(tx, actor, changed)
    for (const { after } of changed) after.version++
    return {
      lines: judged.map(({ index, shelf, errors }) => lineResult(index, shelf, errors)),
      changed: changed.length,
    }
  })
}

const unitsByCode = (lots: readonly LotPortion[] = []) => new Map(lots.map(({ code, quantity }) => [code, quantity]))

const portionsOf = ({ lots }: Shelf): LotPortion[] =>
  [...lots]
    .map(([code, quantity]) => ({ code, quantity }))
    .filter(({ quantity }) => quantity > 0)
    .sort((a, b) => (a.code < b.code ? -1 : 1))

const wordsOf = (shelf: Shelf) => `${shelf.countInStock} ${lotsInWords(portionsOf(shelf))}`

/** Moves the units on the shelf, or says why not. */
function applyTo(shelf: Shelf, { delta, set, lot }: StockLine, index: number): UserError | null {
  if (shelf.keptByLot && lot == null) return lineError(index, 'INVALID', keptByLotMessage(shelf.name), 'lot')
  if (!shelf.keptByLot && lot != null)
    return lineError(index, 'INVALID', `The stock of “${shelf.name}” is not kept by dye lot.`, 'lot')
  const field = delta == null ? 'set' : 'delta'
  const left = lot == null ? shelf.countInStock : (shelf.lots.get(lot) ?? 0)
  const move = delta ?? present(set) - left
  if (left + move < 0)
    return {
      ...lineError(
        index,
        'OUT_OF_STOCK',
        `Only ${left} of “${shelf.name}” are left${lot == null ? '' : ` of lot ${lot}`}.`,
        field,
      ),
      available: left,
    }
  if (shelf.countInStock + move > limits.stock)
    return lineError(index, 'INVALID', `The stock of “${shelf.name}” would rise above ${limits.stock}.`, field)
  if (lot != null) {
    if (left === 0 && move > 0 && portionsOf(shelf).length >= ownerLimits.lot.perProduct)
      return lineError(index, 'INVALID', `A product has at most ${ownerLimits.lot.perProduct} dye lots.`, 'lot')
    shelf.lots.set(lot, left + move)
  }
  shelf.countInStock += move
  return null
}

async function write(
  em: EntityManager,
  actor: Actor,
  changed: readonly { before: Shelf; after: Shelf }[],
): Promise<void> {
  if (changed.length === 0) return
  const ids = changed.map(({ after }) => after.id)
  await em.execute('update products set version = version + 1 where id in (?)', [ids])
  await shiftStock(
    em,
    changed.map(({ before, after }) => ({
      productId: after.id,
      delta: after.countInStock - before.countInStock,
      lots: lotShifts(before, after),
    })),
  )
  await shiftLots(
    em,
    changed.flatMap(({ before, after }) => lotShifts(before, after).map(lot => ({ productId: after.id, ...lot }))),
  )
  await recordAudit(
    em,
    actor,
    ...changed.map(({ before, after }) => ({
      entity: 'PRODUCT' as const,
      entityId: after.id,
      label: after.name,
      action: 'UPDATED' as const,
      changes: changesBetween(inAudit(before), inAudit(after), ['countInStock', 'lots']),
    })),
  )
  await recordProductChanges(em, ids)
}

const lotShifts = (before: Shelf, after: Shelf) =>
  [...after.lots]
    .map(([code, units]) => ({ code, delta: units - (before.lots.get(code) ?? 0) }))
    .filter(({ delta }) => delta !== 0)

const inAudit = (shelf: Shelf) => ({ countInStock: shelf.countInStock, lots: lotsInWords(portionsOf(shelf)) })
