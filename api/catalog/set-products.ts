import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { formatCents } from '#schema/rules/money'
import { present } from '#schema/rules/present'
import { productFields } from '#schema/rules/shapes/product'
import { changesBetween, recordAudit, type Actor } from '../audit/record-audit.ts'
import type { MutationSetProductsArgs, ProductLineInput, UserError } from '../generated/types.ts'
import { check, judge } from '../kernel/validation.ts'
import { answerOnce } from './answer-once.ts'
import { columns } from './import/columns.ts'
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
import { indexProducts } from './search/index-products.ts'
import { turnSales } from './turn-sales.ts'

const { image: _, countInStock: __, expectedOn: ___, ...settable } = productFields
type Field = keyof typeof settable
const FIELDS = Object.keys(settable) as Field[]

const productLine = z.object({
  ...aboutProduct,
  ...(Object.fromEntries(FIELDS.map(field => [field, settable[field].nullish()])) as {
    [F in Field]: z.ZodOptional<z.ZodNullable<(typeof settable)[F]>>
  }),
  isDraft: z.boolean().nullish(),
})

type ProductLine = z.output<typeof productLine>

type Row = Found & Record<Field, string | number | boolean> & { image: string; isDraft: boolean; isPublished: boolean }

const COLUMNS = columns.filter(({ field }) => field in settable)
const SELECTED = [
  ...COLUMNS.filter(({ field }) => field !== 'price').map(({ header, field }) => `${header} as "${field}"`),
  'image',
]

/** Whether lines are about prices alone. */
export const areOfPrices = (lines: readonly ProductLineInput[]) =>
  lines.every(({ id: _id, sku: _sku, version: _version, price: _price, ...more }) =>
    Object.values(more).every(value => value == null),
  )

/** Sets fields of products, each for itself. The same key does it once. */
export async function setProducts(
  em: EntityManager,
  actor: Actor,
  input: MutationSetProductsArgs,
): Promise<LinesAnswer> {
  const { lines: given, idempotencyKey } = check(wholeOf<ProductLineInput>(), input)
  const reads = given.map((line, index) => readLine(judge(productLine, line), index))
  return answerOnce(em, actor, idempotencyKey, ['setProducts', given], async tx => {
    const rowOf = await lockProducts<Row>(tx, reads, `${SELECTED.join(', ')}, published_at is null as "isDraft"`)
    const after = new Map<string, Row>()
    const judged = reads.map(({ line, errors }, index) => {
      const row = line ? rowOf(line) : undefined
      if (!line) return { index, row, errors }
      const refusal = refusalOf(line, index, row)
      if (refusal) return { index, row, errors: [refusal] }
      const before = present(row)
      if (after.has(before.id))
        return { index, row, errors: [lineError(index, 'INVALID', `Another line is about “${before.name}” too.`)] }
      const wanted = merged(before, line)
      const missing = [...aboveSale(wanted, index), ...(before.isDraft && !wanted.isDraft ? unfit(wanted, index) : [])]
      if (missing.length === 0) after.set(wanted.id, wanted)
      return { index, row, errors: missing }
    })
    const rows = [...new Set(judged.flatMap(({ row }) => row ?? []))]
    const changed = rows.flatMap(before => {
      const wanted = after.get(before.id)
      const changes = wanted ? changesBetween({ ...before }, { ...wanted }, [...FIELDS, 'isDraft']) : []
      return wanted && changes.length > 0 ? [{ before, after: wanted, changes }] : []
    })
    await write(tx, actor, changed)
    const now = new Map(changed.map(({ after }) => [after.id, { ...after, version: after.version + 1 }]))
    return {
      lines: judged.map(({ index, row, errors }) => lineResult(index, row && (now.get(row.id) ?? row), errors)),
      changed: changed.length,
    }
  })
}

function merged(row: Row, line: ProductLine): Row {
  const set = Object.fromEntries([...FIELDS, 'isDraft' as const].map(field => [field, line[field] ?? row[field]]))
  return { ...row, ...set }
}

function aboveSale({ price, salePrice }: Row, index: number): UserError[] {
  return salePrice !== null && price <= salePrice
    ? [lineError(index, 'INVALID', `The price must be above the sale price of ${formatCents(salePrice)}.`, 'price')]
    : []
}

/** What a draft lacks to be on sale. */
function unfit(row: Row, index: number): UserError[] {
  const { error } = z.object(productFields).safeParse(row)
  return (error?.issues ?? []).map(({ path, message }) => lineError(index, 'INVALID', message, ...path.map(String)))
}

interface Change {
  before: Row
  after: Row
  changes: ReturnType<typeof changesBetween>
}

async function write(em: EntityManager, actor: Actor, changed: readonly Change[]): Promise<void> {
  if (changed.length === 0) return
  const ids = changed.map(({ after }) => after.id)
  await em.execute(
    // As if no sale were on.
    `update products p set ${COLUMNS.map(({ header, field }) => `${header} = r."${field}"`).join(', ')}, regular_price = null, version = p.version + 1,
       published_at = case when r."isDraft" then null else coalesce(p.published_at, now()) end
     from jsonb_to_recordset(?::jsonb) as r(id uuid, "isDraft" boolean, ${COLUMNS.map(({ field, sql }) => `"${field}" ${sql}`).join(', ')})
     where p.id = r.id`,
    [JSON.stringify(changed.map(({ after }) => after))],
  )
  await turnSales(em, ids)
  await indexProducts(em, ids)
  await recordAudit(
    em,
    actor,
    ...changed.map(({ after, changes }) => ({
      entity: 'PRODUCT' as const,
      entityId: after.id,
      label: after.name,
      action: 'UPDATED' as const,
      changes,
    })),
  )
  const taken = changed.filter(({ before, after }) => !before.isDraft && after.isDraft).map(({ after }) => after.id)
  await recordProductChanges(em, ids, taken)
}
