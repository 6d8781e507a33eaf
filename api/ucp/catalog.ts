import { z } from 'zod'
import { COLOUR_FAMILIES, FIBRES, KINDS, WEIGHT_CLASSES } from '#schema/rules/facts/shelf-names'
import { limits } from '#schema/rules/limits'
import { variantName } from '#schema/rules/variant-name'
import { valueAt } from '#schema/rules/present'
import * as op from '../generated/ucp.ts'
import { isId } from '../kernel/validation.ts'
import { error, hints, Nothing, type Shop } from './call.ts'
import { inLines, OPTION, optionOf, productOf, type Found, type Variant } from './product-view.ts'

/** How many ids can be looked up at a time, and how long they are at most. */
const IDS = 20
const id = z.string().min(1).max(200)
const cents = z.number().int().min(0).max(limits.price)
const someOf = <const Value extends string>(values: readonly Value[], description: string) =>
  z
    .array(z.enum(values.map(value => value.toLowerCase()) as [Lowercase<Value>, ...Lowercase<Value>[]]))
    .max(values.length)
    .optional()
    .describe(`${description}; any of them`)

/** The protocol's filters, and the shop's own: what yarn is chosen by. */
const filters = z
  .looseObject({
    categories: z.array(z.string().max(limits.productText)).max(1).optional().describe('Exactly this category'),
    price: z.looseObject({ min: cents.optional(), max: cents.optional() }).optional().describe('Whole cents of a unit'),
    available: z.boolean().optional().describe('True: only what can be ordered now'),
    kind: someOf(KINDS, 'What it is'),
    weight_class: someOf(WEIGHT_CLASSES, 'How thick the yarn is'),
    fibre: someOf(FIBRES, 'What the yarn is spun of'),
    colour: someOf(COLOUR_FAMILIES, 'Families of colours'),
    needle_mm: z
      .array(z.number().min(0).max(100))
      .max(50)
      .optional()
      .describe('Sizes of knitting needles in millimetres: of a tool, or recommended for a yarn'),
    superwash: z.boolean().optional().describe('Wool that a machine can wash'),
  })
  .optional()

export const searching = z.looseObject({
  ...hints,
  query: z
    .string()
    .max(limits.keyword)
    .optional()
    .describe('Words to look for, as knitters say them; typing errors are mended'),
  filters,
  pagination: z
    .looseObject({
      cursor: z.string().max(40).optional(),
      limit: z.number().int().min(1).max(1_000).default(10).describe('At most 24 are answered'),
    })
    .optional(),
})

export const lookingUp = z.looseObject({
  ...hints,
  ids: z.array(id).min(1).max(IDS).describe('Of products or variants, or SKUs'),
  filters,
})

const chosen = z.looseObject({ name: z.string().max(100), label: z.string().max(limits.productText) })

export const gettingProduct = z.looseObject({
  ...hints,
  id: id.describe('Of a product or a variant, or a SKU'),
  selected: z.array(chosen).max(5).optional().describe('Options the buyer has chosen'),
  preferences: z.array(z.string().max(100)).max(5).optional(),
  filters,
})

const MOST_ON_A_PAGE = 24
const CURSOR = /^(\d{1,6})x(\d{1,2})$/

export async function search(shop: Shop, { query = '', filters: narrowed, pagination }: z.output<typeof searching>) {
  if (query.trim() === '' && Object.keys(narrowed ?? {}).length === 0)
    throw new Nothing(error('invalid_input', 'Say what to look for: a `query`, or `filters`.'))
  const [, page = '1', size = String(pagination?.limit ?? 10)] = CURSOR.exec(pagination?.cursor ?? '') ?? []
  const pageSize = Math.min(Math.max(Number(size), 1), MOST_ON_A_PAGE)
  const variables = { keyword: query, page: Math.max(Number(page), 1), filter: filterOf(narrowed) }
  const { products } = await shop.ask(op.UcpSearchDocument, variables, { pageSize })
  const hasMore = products.page < products.pages
  return {
    products: inLines(products.items).map(found => productOf(shop, found)),
    pagination: {
      ...(hasMore && { cursor: `${products.page + 1}x${pageSize}` }),
      has_next_page: hasMore,
      ...(products.totalIsExact && { total_count: products.total }),
    },
  }
}

export async function lookUp(shop: Shop, { ids: given, filters: narrowed }: z.output<typeof lookingUp>) {
  const ids = [...new Set(given)]
  const [uuids, skus] = [ids.filter(isId), ids.filter(each => !isId(each))]
  const filter = filterOf(narrowed)
  const find = (only: op.ProductFilter) => findAll(shop, { ...filter, ...only })
  const variants = [
    ...(uuids.length > 0 ? await find({ ids: uuids }) : []),
    ...(skus.length > 0 ? await find({ skus }) : []),
  ]
  const inputs = new Map<string, { id: string; match: 'exact' | 'featured' }[]>()
  const matches = ({ id, sku }: Variant, input: string) =>
    input.toLowerCase() === id || input.toUpperCase() === sku.toUpperCase()
  for (const variant of variants)
    inputs.set(
      variant.id,
      ids.filter(input => matches(variant, input)).map(input => ({ id: input, match: 'exact' })),
    )
  for (const input of uuids.filter(each => !variants.some(variant => matches(variant, each)))) {
    const line = await lineOf(shop, input)
    const featured = line && featuredOf(line.products, narrowed)
    if (!featured) continue
    if (!variants.some(({ id }) => id === featured.id)) variants.push({ ...featured, group: line })
    inputs.set(featured.id, [...(inputs.get(featured.id) ?? []), { id: input, match: 'featured' }])
  }
  const found = new Set([...inputs.values()].flat().map(input => input.id))
  const missing = ids.filter(each => !found.has(each))
  return {
    products: inLines(unique(variants)).map(product =>
      productOf(shop, product, variant => ({ inputs: valueAt(inputs, variant.id) })),
    ),
    ...(missing.length > 0 && {
      messages: missing.map(each => ({ type: 'info', code: 'not_found', content: each })),
    }),
  }
}

export async function getProduct(shop: Shop, asked: z.output<typeof gettingProduct>) {
  const wanted = isId(asked.id) ? asked.id : await idOfSku(shop, asked.id)
  const { product } = wanted ? await shop.ask(op.UcpProductInLineDocument, { id: wanted }) : { product: null }
  const line = product?.group ?? (wanted && !product ? await lineOf(shop, wanted) : null)
  const fits = (variant: Variant) => isWithin(variant, asked.filters)
  if (product && !line) {
    if (fits(product)) return { product: productOf(shop, { group: null, variants: [product] }) }
  } else if (line) {
    const name = OPTION[line.variesBy]
    // A variant's own id says which is meant, whatever was selected.
    const label = product
      ? variantName(product.name, line.name)
      : asked.selected?.find(option => option.name.toLowerCase() === name.toLowerCase())?.label
    const chosenOne =
      line.products.find(
        variant => fits(variant) && variantName(variant.name, line.name).toLowerCase() === label?.toLowerCase(),
      ) ?? (product ? undefined : featuredOf(line.products, asked.filters))
    if (chosenOne) {
      const others = line.products.filter(variant => variant.id !== chosenOne.id && fits(variant))
      // With a choice made, it is that one; without, the first of all.
      const variants = product || label !== undefined ? [chosenOne] : [chosenOne, ...others]
      return {
        product: {
          ...productOf(shop, { group: line, variants }),
          selected: [{ name, label: variantName(chosenOne.name, line.name) }],
          options: [optionOf(line, { withStock: true })],
        },
      }
    }
  }
  throw new Nothing(error('not_found', 'There is no such product, or it is not for sale.'))
}

async function findAll(shop: Shop, filter: op.ProductFilter) {
  const { productsConnection } = await shop.ask(op.UcpLookupDocument, { first: IDS, filter })
  return productsConnection.edges.map(({ node }) => node)
}

const idOfSku = async (shop: Shop, sku: string) => (await findAll(shop, { skus: [sku] }))[0]?.id

const lineOf = async (shop: Shop, id: string) => (await shop.ask(op.UcpLineOfProductsDocument, { id })).productGroup

type Filters = z.output<typeof filters>

/** What agents do not narrow by. */
type NotOffered =
  | 'hookMm'
  | 'metresFrom'
  | 'metresTo'
  | 'pricePer100mFrom'
  | 'pricePer100mTo'
  | 'ratingFrom'
  | 'ids'
  | 'skus'
  | 'updatedFrom'
  | 'updatedTo'

function filterOf(narrowed: Filters): Required<Omit<op.ProductFilter, NotOffered>> {
  const { categories, price, available, kind, weight_class, fibre, colour, needle_mm, superwash } = narrowed ?? {}
  const upper = <Value extends string>(values?: Lowercase<Value>[]) => values?.map(each => each.toUpperCase() as Value)
  return {
    category: categories?.[0] ?? null,
    priceFrom: price?.min ?? null,
    priceTo: price?.max ?? null,
    inStock: available ?? null,
    kind: upper(kind) ?? null,
    weightClass: upper(weight_class) ?? null,
    fibre: upper(fibre) ?? null,
    colour: upper(colour) ?? null,
    needleMm: needle_mm ?? null,
    superwash: superwash ?? null,
  }
}

/** Whether a variant of a line that was asked for has what was asked for: the protocol's filters, which hold for each by itself. */
const isWithin = ({ price, countInStock, category }: Variant, narrowed: Filters) =>
  price >= (narrowed?.price?.min ?? 0) &&
  price <= (narrowed?.price?.max ?? Infinity) &&
  (narrowed?.available === undefined || narrowed.available === countInStock > 0) &&
  (narrowed?.categories?.[0] ?? category) === category

/** What stands for a line: the first of it that can be had. */
function featuredOf<Each extends Variant>(variants: readonly Each[], narrowed: Filters): Each | undefined {
  const fitting = variants.filter(variant => isWithin(variant, narrowed))
  return fitting.find(({ countInStock }) => countInStock > 0) ?? fitting[0]
}

const unique = (variants: Found[]) => [...new Map(variants.map(variant => [variant.id, variant])).values()]
