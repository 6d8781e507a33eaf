import { LockMode, UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { dayProblem } from '#schema/rules/preorder'
import { BLANK_PRODUCT } from '#schema/rules/product-fields'
import { saleProblem } from '#schema/rules/sale'
import { group, lotCounts, pictures, productFields, salePrice, sku } from '#schema/rules/shapes/product'
import { present } from '#schema/rules/present'
import { changesBetween, recordAudit, type Actor } from '../audit/record-audit.ts'
import { clock } from '../kernel/clock.ts'
import type { Context } from '../context.ts'
import { refuse } from '../kernel/errors.ts'
import type { ProductInput, ProductPatch } from '../generated/types.ts'
import { check, isId, nullAsLeftOut } from '../kernel/validation.ts'
import { AUDITED_CORRECTIONS, auditedCorrections, factCorrections } from './fact-corrections.ts'
import { groupNameFor, nextPlace, putInGroup } from './group-products.ts'
import { forgetShownLater, recordProductChanges } from './product-event.ts'
import { Product, SALE, type ProductPicture } from './product.entity.ts'
import { indexProducts } from './search/index-products.ts'
import { seeColoursLater } from './see-colours.ts'
import { countStock, lotsInAudit, NO_LOTS, type Counted } from './count-stock.ts'
import { adjustStock } from './stock.ts'
import { addressesOf, changePictures } from './change-pictures.ts'
import { turnSales } from './turn-sales.ts'
import { discardLater } from './uploads.ts'

type Saving = Pick<Context, 'em' | 'jobs' | 'uploads'>

const instant = z
  .date()
  .nullish()
  .transform(instant => instant ?? null)
const sale = z.object({ price: salePrice.nullish(), from: instant, until: instant })

const guards = z
  .object({
    sku,
    group,
    pictures,
    sale,
    countInStockSeen: productFields.countInStock,
    keptByLot: z.boolean(),
    isDownload: z.boolean(),
    isGiftCard: z.boolean(),
    lots: lotCounts,
    version: z.number().int(),
  })
  .partial()
const product = z.object({ ...productFields, factCorrections: factCorrections.optional() }).extend(guards.shape)
const productInput = nullAsLeftOut(product)
const productPatch = nullAsLeftOut(product.partial())

/** The fields whose changes the audit log keeps. */
const AUDITED = [
  'sku',
  'isDownload',
  'isGiftCard',
  ...(Object.keys(productFields) as (keyof typeof productFields)[]),
  'isDraft',
] as const
const audited = (product: Product, group?: string) => ({
  group,
  pictures: inWords(product.pictures),
  ...Object.fromEntries(AUDITED.map(field => [field, product[field]])),
  price: product.listPrice,
  ...Object.fromEntries(SALE.map(field => [field, product[field]])),
  ...auditedCorrections(product.factCorrections),
})

/** What `image` does not say: the words of the first one, and the others. */
const inWords = ([first, ...others]: readonly ProductPicture[]) =>
  [first?.alt ?? '', ...others.map(({ image, alt }) => (alt ? `${image} (${alt})` : image))].filter(Boolean).join(', ')

export const PLACEHOLDER = {
  ...BLANK_PRODUCT,
  name: 'Sample name',
  description: 'Sample description',
  weight: '100 g',
  category: 'Sample category',
}

/** Makes the placeholder of SPEC §7 `POST {products}`: a draft until it is saved. */
export async function createPlaceholder(em: EntityManager, actor: Actor): Promise<Product> {
  return em.transactional(async tx => {
    const product = tx.create(Product, { ...PLACEHOLDER })
    await tx.flush()
    await recordAudit(tx, actor, {
      entity: 'PRODUCT',
      entityId: product.id,
      label: product.name,
      action: 'CREATED',
      changes: changesBetween(null, audited(product), ['sku', 'name', 'isDraft']),
    })
    return product
  })
}

/** Makes a product of these fields, on sale at once. */
export function createProduct(saving: Saving, actor: Actor, input: ProductInput): Promise<Product> {
  const { version: _, countInStockSeen: __, ...fields } = input
  return saving.em.transactional(async tx => {
    const { id } = await createPlaceholder(tx, actor)
    return saveProduct({ ...saving, em: tx }, actor, id, fields)
  })
}

/** A draft like a product, in its group, to become another colourway or size. */
export async function copyProduct(em: EntityManager, actor: Actor, id: string): Promise<Product> {
  return em.transactional(async tx => {
    const original = await lockProduct(tx, id)
    const { colours: _, colourFamilies: __, ...factCorrections } = original.factCorrections
    const copy = tx.create(Product, {
      ...pick(original, [...COPIED, 'groupId', 'isDownload', 'isGiftCard']),
      price: original.listPrice,
      name: `${original.name.slice(0, limits.productText - COPY.length)}${COPY}`,
      image: PLACEHOLDER.image,
      countInStock: 0,
      factCorrections,
      groupPosition: original.groupId ? await nextPlace(tx, original.groupId) : null,
    })
    await tx.flush()
    if (copy.isDownload) await adjustStock(tx, copy.id, limits.stock, 'initial')
    await indexProducts(tx, [copy.id])
    await tx.refresh(copy)
    await recordAudit(tx, actor, {
      entity: 'PRODUCT',
      entityId: copy.id,
      label: copy.name,
      action: 'CREATED',
      changes: changesBetween(null, audited(copy, await groupNameFor(tx, copy)), [...AUDITED, 'group']),
    })
    return copy
  })
}

const COPY = ' (copy)'
const { name: _, image: __, price: ___, countInStock: ____, expectedOn: _____, ...copied } = productFields
const COPIED = Object.keys(copied) as (keyof typeof copied)[]

const pick = <T extends object, K extends keyof T>(from: T, fields: readonly K[]) =>
  Object.fromEntries(fields.map(field => [field, from[field]])) as Pick<T, K>

/** Saves a product and puts it on sale. With `version`, only if nobody saved it since that version. */
export async function saveProduct(saving: Saving, actor: Actor, id: string, input: ProductInput): Promise<Product> {
  return change(saving, actor, id, check(productInput, input), { publish: true })
}

/** Changes the given fields only; a draft stays a draft. */
export async function patchProduct(saving: Saving, actor: Actor, id: string, input: ProductPatch): Promise<Product> {
  return change(saving, actor, id, check(productPatch, input), { publish: false })
}

async function change(
  { em, jobs, uploads }: Saving,
  actor: Actor,
  id: string,
  given: z.output<typeof productPatch>,
  { publish }: { publish: boolean },
): Promise<Product> {
  const input = asGiftCard(given)
  const { countInStock, countInStockSeen, keptByLot, lots, version, group, image, pictures, sale, ...fields } = input
  return uniqueSku(() =>
    em.transactional(async tx => {
      const product = await lockProduct(tx, id, version)
      // Only a changed day is checked: an older one may have passed while something else is saved.
      const problem =
        fields.expectedOn && fields.expectedOn !== product.expectedOn && dayProblem(fields.expectedOn, clock.now())
      if (problem) throw refuse('INVALID', problem, { field: ['expectedOn'] })
      const counted = countOf(product, input)
      const groupBefore = group === undefined ? undefined : await groupNameFor(tx, product)
      const touchesLots = keptByLot !== undefined || lots !== undefined
      const before = { ...audited(product, groupBefore), lots: touchesLots && (await lotsInAudit(tx, id)) }
      const picturesBefore = addressesOf(product)
      await changePictures(tx, uploads, product, { image, pictures })
      tx.assign(product, {
        ...priced(product, fields.price, sale),
        ...fields,
        version: product.version + 1,
        publishedAt: product.publishedAt ?? (publish ? clock.now() : null),
      })
      if (group !== undefined && group !== groupBefore) await putInGroup(tx, product, group)
      await tx.flush()
      await countStock(tx, product, counted)
      await turnSales(tx, [id])
      await indexProducts(tx, [id])
      await tx.refresh(product)
      if (product.image !== product.pictureColours?.image) await seeColoursLater(jobs, tx, { ids: [id] })
      const picturesAfter = addressesOf(product)
      await discardLater(
        jobs,
        tx,
        picturesBefore.filter(address => !picturesAfter.includes(address)),
      )
      const groupAfter = group === undefined ? undefined : await groupNameFor(tx, product)
      const after = { ...audited(product, groupAfter), lots: touchesLots && (await lotsInAudit(tx, id)) }
      const changes = changesBetween(before, after, [
        ...AUDITED,
        ...SALE,
        'lots',
        'pictures',
        'group',
        ...AUDITED_CORRECTIONS,
      ])
      if (changes.length > 0) {
        await recordAudit(tx, actor, {
          entity: 'PRODUCT',
          entityId: id,
          label: product.name,
          action: 'UPDATED',
          changes,
        })
        await recordProductChanges(tx, [id])
      } else await forgetShownLater(tx)
      return product
    }),
  )
}

/** What becomes a gift card is not sent, and what is sent is none. */
function asGiftCard(input: z.output<typeof productPatch>): z.output<typeof productPatch> {
  const { isDownload, isGiftCard } = input
  if (isGiftCard && isDownload === false)
    throw refuse('INVALID', 'A gift card needs no shipping, so this must be a download.', { field: ['isGiftCard'] })
  if (isGiftCard) return { ...input, isDownload: true }
  return isDownload === false ? { ...input, isGiftCard: false } : input
}

/** What was counted; what becomes a download has as much as there can be of anything, and what is none any more nothing. */
function countOf(
  { isDownload: was, keptByLot: byLot }: Product,
  { countInStock, countInStockSeen, keptByLot, lots, isDownload = was }: z.output<typeof productPatch>,
): Counted {
  if (isDownload && (lots || (keptByLot ?? byLot))) throw refuse('INVALID', NO_LOTS, { field: ['isDownload'] })
  if (isDownload === was) return { countInStock, countInStockSeen, keptByLot, lots }
  const count = isDownload ? limits.stock : (countInStock ?? 0)
  return { countInStock: count, countInStockSeen: undefined, keptByLot, lots }
}

/** The prices of a product with the sale it is to have, as if none were on: `turnSales` puts it on when it is due. */
function priced(product: Product, price = product.listPrice, input?: z.output<typeof sale>) {
  const { salePrice, saleFrom, saleUntil } = product
  const kept = { price, regularPrice: null }
  if (!input && salePrice == null) return kept
  if (input && input.price == null) return { ...kept, salePrice: null, saleFrom: null, saleUntil: null }
  const planned = input ? { ...input, price: present(input.price) } : present(product.sale)
  const problem = saleProblem(price, planned, clock.now())
  // Only a changed sale is checked: an older one may end while something else is saved.
  if (problem && (input || problem.field === 'price'))
    throw refuse('INVALID', problem.message, { field: ['sale', problem.field] })
  return input
    ? { ...kept, salePrice: planned.price, saleFrom: planned.from, saleUntil: planned.until }
    : { ...kept, salePrice, saleFrom, saleUntil }
}

/** Takes a product off sale for good. */
export async function archiveProduct(
  { em, jobs }: Saving,
  actor: Actor,
  id: string,
  version?: number | null,
): Promise<Product> {
  return em.transactional(async tx => {
    const product = await lockProduct(tx, id, version)
    product.archivedAt = clock.now()
    product.version++
    await recordAudit(tx, actor, { entity: 'PRODUCT', entityId: product.id, label: product.name, action: 'ARCHIVED' })
    await tx.flush()
    await indexProducts(tx, [product.id])
    await recordProductChanges(tx, [product.id])
    await discardLater(jobs, tx, addressesOf(product))
    return product
  })
}

/** With `version`, only if nobody saved it since that version. */
export async function lockProduct(em: EntityManager, id: string, version?: number | null): Promise<Product> {
  const product = isId(id)
    ? await em.findOne(Product, { id, archivedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
    : null
  if (!product) throw refuse('NOT_FOUND', 'There is no such product.')
  if (version != null && version !== product.version)
    throw refuse('CONFLICT', 'Someone else saved this product in the meantime.', {
      field: ['version'],
      details: { product },
    })
  return product
}

/** A unique index decides whether a SKU is free, so that of two concurrent requests only one gets it. */
export async function uniqueSku<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException)
      throw refuse('SKU_TAKEN', 'Another product has this SKU.', { field: ['sku'] })
    throw error
  }
}
