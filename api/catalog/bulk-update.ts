import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { basisPoints, formatCents } from '#schema/rules/money'
import { productFields } from '#schema/rules/shapes/product'
import { valueAt } from '#schema/rules/present'
import { changesBetween, recordAudit, type Actor } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../kernel/errors.ts'
import type { MutationBulkUpdateProductsArgs, UserError } from '../generated/types.ts'
import { check, isId } from '../kernel/validation.ts'
import { addressesOf } from './change-pictures.ts'
import { keptByLotMessage } from './count-stock.ts'
import { recordProductChanges } from './product-event.ts'
import { Product, type ProductPicture } from './product.entity.ts'
import { indexProducts } from './search/index-products.ts'
import { shiftStock } from './stock.ts'
import { turnSales } from './turn-sales.ts'
import { discardLater } from './uploads.ts'
import { BULK_LIMIT } from '../query/page-sizes.ts'

export const bulkIds = z
  .array(z.string())
  .min(1, 'Choose at least one.')
  .max(BULK_LIMIT, `At most ${BULK_LIMIT} can be changed at once.`)

const changes = z.object({
  priceByCents: z.number().int().min(-limits.price).max(limits.price),
  priceByBasisPoints: z
    .number()
    .int()
    .min(-10_000, 'A price cannot fall by more than 100%.')
    .max(100_000, 'A price cannot rise by more than 1000%.'),
  stockTo: productFields.countInStock,
  stockBy: z.number().int().min(-limits.stock).max(limits.stock),
  category: productFields.category.min(1, 'Category is required.'),
  reducedTax: z.boolean(),
  archive: z.boolean().refine(archive => archive, 'Archive must be true or left out.'),
})

const bulkUpdate = z.object({
  ids: bulkIds,
  versions: z.array(z.number().int()).nullish(),
  // GraphQL's @oneOf sees to it as well; callers in process do not pass through it.
  change: changes.partial().refine(change => Object.keys(change).length === 1, 'Choose exactly one change.'),
})

interface Row {
  id: string
  name: string
  image: string
  storedPictures: ProductPicture[]
  /** Without a sale. */
  price: number
  salePrice: number | null
  countInStock: number
  keptByLot: boolean
  category: string
  reducedTax: boolean
  version: number
}

/** Makes one change to many products, all or nothing. Relative changes start from what is there at this moment. */
export async function bulkUpdateProducts(
  { em, jobs }: Pick<Context, 'em' | 'jobs'>,
  actor: Actor,
  input: MutationBulkUpdateProductsArgs,
) {
  const { ids: asked, change, versions } = check(bulkUpdate, input)
  const expected = new Map(asked.map((id, place) => [id.toLowerCase(), versions?.[place]]))
  const ids = [...expected.keys()]

  return em.transactional(async tx => {
    const rows = await lock(tx, ids.filter(isId))
    const found = new Map(rows.map(row => [row.id, row]))
    const targets = rows.map(row => ({ before: row, after: apply(change, row) }))
    const errors = [
      ...ids.filter(id => !found.has(id)).map(id => problem(id, 'NOT_FOUND', 'There is no such product.')),
      ...rows
        .filter(row => (expected.get(row.id) ?? row.version) !== row.version)
        .map(({ id, name }) => problem(id, 'CONFLICT', `Someone else saved ${name} in the meantime.`)),
      ...targets
        .filter(({ before, after }) => before.keptByLot && before.countInStock !== after.countInStock)
        .map(({ after }) => problem(after.id, 'INVALID', keptByLotMessage(after.name))),
      ...targets.flatMap(({ after }) => outOfRange(after)),
    ]
    if (errors.length > 0) throw new Refusal(errors, { products: [], changed: 0 })

    const differing = targets.filter(
      ({ before, after }) =>
        change.archive ||
        before.price !== after.price ||
        before.countInStock !== after.countInStock ||
        before.category !== after.category ||
        before.reducedTax !== after.reducedTax,
    )
    await tx.execute(
      // As if no sale were on.
      `update products p set price = r.price, regular_price = null, category = r.category, reduced_tax = r."reducedTax", version = p.version + 1, archived_at = case when ? then now() else p.archived_at end
       from jsonb_to_recordset(?::jsonb) as r(id uuid, price integer, category text, "reducedTax" boolean) where p.id = r.id`,
      [change.archive ?? false, JSON.stringify(differing.map(({ after }) => after))],
    )
    await turnSales(
      tx,
      differing.map(({ after }) => after.id),
    )
    await indexProducts(
      tx,
      differing.map(({ after }) => after.id),
    )
    await shiftStock(
      tx,
      differing.map(({ before, after }) => ({ productId: after.id, delta: after.countInStock - before.countInStock })),
    )
    await recordAudit(
      tx,
      actor,
      ...differing.map(({ before, after }) => ({
        entity: 'PRODUCT' as const,
        entityId: after.id,
        label: after.name,
        action: change.archive ? ('ARCHIVED' as const) : ('UPDATED' as const),
        changes: changesBetween({ ...before }, { ...after }, ['price', 'countInStock', 'category', 'reducedTax']),
      })),
    )
    await recordProductChanges(
      tx,
      differing.map(({ after }) => after.id),
    )
    if (change.archive)
      await discardLater(
        jobs,
        tx,
        differing.flatMap(({ before }) => addressesOf(before)),
      )
    const products = new Map(
      (await tx.find(Product, { id: { $in: ids } }, { refresh: true })).map(product => [product.id, product]),
    )
    return { products: ids.map(id => valueAt(products, id)), changed: differing.length }
  })
}

function lock(em: EntityManager, ids: string[]): Promise<Row[]> {
  if (ids.length === 0) return Promise.resolve([])
  // In id order, as buyers lock them.
  return em.execute<Row[]>(
    `select id, name, image, pictures as "storedPictures", coalesce(regular_price, price) as price,
            sale_price as "salePrice", count_in_stock as "countInStock", kept_by_lot as "keptByLot",
            category, reduced_tax as "reducedTax", version
     from products where id in (?) and archived_at is null order by id for update`,
    [ids],
  )
}

function apply(change: z.output<typeof bulkUpdate>['change'], row: Row): Row {
  return {
    ...row,
    price: row.price + (change.priceByCents ?? 0) + basisPoints(row.price, change.priceByBasisPoints ?? 0),
    countInStock: change.stockTo ?? row.countInStock + (change.stockBy ?? 0),
    category: change.category ?? row.category,
    reducedTax: change.reducedTax ?? row.reducedTax,
  }
}

function outOfRange({ id, name, price, salePrice, countInStock }: Row): UserError[] {
  const messages = [
    price < 1 && `The price of ${name} would fall below ${formatCents(1)}.`,
    price > limits.price && `The price of ${name} would rise above ${formatCents(limits.price)}.`,
    price >= 1 &&
      salePrice !== null &&
      price <= salePrice &&
      `The price of ${name} would not be above its sale price of ${formatCents(salePrice)} any more.`,
    countInStock < 0 && `The stock of ${name} would fall below zero.`,
    countInStock > limits.stock && `The stock of ${name} would rise above ${limits.stock}.`,
  ]
  return messages.filter(message => message !== false).map(message => problem(id, 'INVALID', message))
}

const problem = (id: string, code: UserError['code'], message: string): UserError => ({
  code,
  message,
  field: ['ids', id],
})
