import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { sku } from '#schema/rules/shapes/product'
import type { ProductLineResult, UserError } from '../generated/types.ts'
import { isId, keyOrNull } from '../kernel/validation.ts'
import { BULK_LIMIT } from '../query/page-sizes.ts'

/** What every line of a change in bulk says: which product it is about, and what was seen of it. */
export const aboutProduct = {
  id: z.string().nullish(),
  sku: sku.nullish(),
  version: z.number().int().nullish(),
}

/** The whole of a change in bulk; its lines are judged one by one. */
export const wholeOf = <L extends Line>() =>
  z.object({
    lines: z
      .array(z.custom<L>())
      .min(1, 'Please send at least one line.')
      .max(BULK_LIMIT, `At most ${BULK_LIMIT} lines can be sent at once.`),
    idempotencyKey: keyOrNull,
  })

export interface Line {
  id?: string | null | undefined
  sku?: string | null | undefined
  version?: number | null | undefined
}

/** A line as its rules want it, or what is wrong with it. */
export type Read<L extends Line> = { line: L; errors: [] } | { line: null; errors: UserError[] }

export function readLine<L extends Line>({ data, error }: z.ZodSafeParseResult<L>, index: number): Read<L> {
  if (error) {
    const errors = error.issues.map(({ path, message }) => lineError(index, 'INVALID', message, ...path.map(String)))
    return { line: null, errors }
  }
  if ((data.id == null) === (data.sku == null))
    return { line: null, errors: [lineError(index, 'INVALID', 'Give `id` or `sku`: one, not both.')] }
  return { line: data, errors: [] }
}

export const lineError = (index: number, code: UserError['code'], message: string, ...field: string[]): UserError => ({
  code,
  message,
  field: ['lines', String(index), ...field],
})

/** A product that lines are about. */
export interface Found {
  id: string
  sku: string
  name: string
  /** Without a sale. */
  price: number
  salePrice: number | null
  countInStock: number
  version: number
}

/** The products that lines are about, locked in id order, as buyers lock them. */
export async function lockProducts<F extends Found>(
  em: EntityManager,
  reads: readonly Read<Line>[],
  more: string,
): Promise<(line: Line) => F | undefined> {
  const lines = reads.flatMap(({ line }) => line ?? [])
  const ids = lines.flatMap(({ id }) => (id != null && isId(id) ? id.toLowerCase() : []))
  const skus = lines.flatMap(({ sku }) => sku ?? [])
  const rows = await em.execute<F[]>(
    `select id, sku, name, coalesce(regular_price, price) as price, sale_price as "salePrice", count_in_stock as "countInStock", version, ${more} from products
     where (id = any (array(select value::uuid from jsonb_array_elements_text(?::jsonb)))
         or sku = any (array(select value from jsonb_array_elements_text(?::jsonb)))) and archived_at is null
     order by id for update`,
    [JSON.stringify(ids), JSON.stringify(skus)],
  )
  const byId = new Map(rows.map(row => [row.id, row]))
  const bySku = new Map(rows.map(row => [row.sku, row]))
  return ({ id, sku }) => {
    if (id != null) return byId.get(id.toLowerCase())
    return sku == null ? undefined : bySku.get(sku)
  }
}

/** Why a line cannot be done, whatever it wants: its product is not there, or was saved since. */
export function refusalOf(line: Line, index: number, found: Found | undefined): UserError | null {
  if (!found) return lineError(index, 'NOT_FOUND', 'There is no such product.', line.id == null ? 'sku' : 'id')
  if (line.version != null && line.version !== found.version)
    return lineError(index, 'CONFLICT', `Someone else saved ${found.name} in the meantime.`, 'version')
  return null
}

/** What a line is answered, when all were done. */
export const lineResult = (index: number, now: Found | undefined, userErrors: UserError[]): ProductLineResult => ({
  index,
  productId: now?.id ?? null,
  sku: now?.sku ?? null,
  price: now?.price ?? null,
  countInStock: now?.countInStock ?? null,
  version: now?.version ?? null,
  userErrors,
})

export interface LinesAnswer {
  lines: ProductLineResult[]
  changed: number
}
