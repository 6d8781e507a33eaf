import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { refuse } from '../errors.ts'
import type { ProductInput } from '../generated/types.ts'
import { check, isId, requiredText, text } from '../validation.ts'
import { Product } from './product.entity.ts'
import { adjustStock } from './stock.ts'

const line = (label: string) => text(label, limits.productText)

const productInput = z.object({
  name: requiredText('Name', limits.productText),
  image: requiredText('Image', 2_000).regex(/^(https?:\/\/|\/(?!\/))/, 'Image is a web address or a path that starts with /.'),
  description: text('Description', limits.description),
  weight: line('Weight'),
  length: line('Length'),
  gauge: line('Gauge'),
  knittingNeedle: line('Knitting needle'),
  crochetHook: line('Crochet hook'),
  recommendedCare: line('Recommended care'),
  content: line('Content'),
  category: line('Category'),
  price: z.number().int().min(0, 'Price cannot be negative.').max(limits.price, 'Price is too high.'),
  countInStock: z.number().int().min(0, 'Count in stock cannot be negative.').max(limits.stock, 'Count in stock is too high.'),
})

const PLACEHOLDER = {
  name: 'Sample name',
  image: '/images/sample.webp',
  description: 'Sample description',
  weight: '100 g',
  length: '',
  gauge: '',
  knittingNeedle: '',
  crochetHook: '',
  recommendedCare: '',
  content: '',
  category: 'Sample category',
  price: 0,
  countInStock: 0,
}

/** Makes the placeholder of SPEC §7 `POST {products}`: a draft until it is saved. */
export async function createPlaceholder(em: EntityManager): Promise<Product> {
  const product = em.create(Product, { ...PLACEHOLDER })
  await em.flush()
  return product
}

/** Saves a product and puts it on sale. With `version`, only if nobody saved it since that version. */
export async function saveProduct(em: EntityManager, id: string, input: ProductInput): Promise<Product> {
  const { countInStock, ...fields } = check(productInput, input)
  return em.transactional(async tx => {
    const product = await findForUpdate(tx, id)
    if (input.version != null && input.version !== product.version) {
      throw refuse('CONFLICT', 'Someone else saved this product in the meantime.', { details: { product } })
    }
    tx.assign(product, { ...fields, version: product.version + 1, publishedAt: product.publishedAt ?? new Date() })
    await tx.flush()
    await adjustStock(tx, id, countInStock)
    await tx.refresh(product)
    return product
  })
}

/** Takes a product off sale for good. */
export async function archiveProduct(em: EntityManager, id: string): Promise<Product> {
  return em.transactional(async tx => {
    const product = await findForUpdate(tx, id)
    product.archivedAt = new Date()
    return product
  })
}

async function findForUpdate(em: EntityManager, id: string): Promise<Product> {
  const product = isId(id) ? await em.findOne(Product, { id, archivedAt: null }, { lockMode: 4 }) : null
  if (!product) throw refuse('NOT_FOUND', 'There is no such product.')
  return product
}
