import type { EntityManager } from '@mikro-orm/postgresql'
import type { LotPortion } from '#schema/rules/lots'
import type { Load } from '../query/batch.ts'

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
