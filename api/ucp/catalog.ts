import { z } from 'zod'
import { COLOUR_FAMILIES, FIBRES, WEIGHT_CLASSES } from '#schema/rules/facts/shelf-names'
import { KINDS } from '#schema/rules/facts/kind'
import { limits } from '#schema/rules/limits'
import { slugBehind, slugOf } from '#schema/rules/slug'
import { variantName } from '#schema/rules/variant-name'
import { nth, valueAt } from '#schema/rules/present'
import * as op from '../generated/ucp.ts'
import { isId } from '../kernel/validation.ts'
import { error, hints, Nothing, type Shop } from './call.ts'

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

type Variant = op.UcpVariantFragment
type Line = op.UcpLineFragment
/** What the prices and choices of a line are told by. */
type Sibling = Pick<Variant, 'id' | 'name' | 'price' | 'compareAtPrice' | 'countInStock'>
type Found = Variant & { group?: (Line & { products: Sibling[] }) | null }

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

interface Product {
  group: (Line & { products: Sibling[] }) | null
  /** At least one. */
  variants: Variant[]
}

/** What was found, as products of the protocol: a line with those of its colourways that were found, where the first of them was. */
const inLines = (found: readonly Found[]): Product[] =>
  [...Map.groupBy(found, ({ id, group }) => group?.id ?? id).values()].map(variants => ({
    group: nth(variants, 0).group ?? null,
    variants,
  }))

const OPTION = { COLOUR: 'Colour', SIZE: 'Size' } as const

function productOf(shop: Shop, { group, variants }: Product, more: (variant: Variant) => object = () => ({})) {
  const [featured] = variants as [Variant, ...Variant[]]
  const prices = (group?.products ?? variants).map(({ price }) => price)
  const listed = (group?.products ?? variants).map(({ price, compareAtPrice }) => compareAtPrice ?? price)
  const isOnSale = listed.some((each, index) => each !== prices[index])
  const { rating, numReviews } = group ?? featured
  return {
    id: group?.id ?? featured.id,
    handle: slugOf(group?.name ?? featured.name),
    title: group?.name ?? featured.name,
    description: { plain: featured.description || featured.name },
    url: addressOf(shop, featured),
    categories: [{ value: featured.category, taxonomy: 'merchant' }],
    price_range: rangeOf(prices),
    ...(isOnSale && { list_price_range: rangeOf(listed) }),
    media: mediaOf(shop, featured),
    ...(group && { options: [optionOf(group)] }),
    variants: variants.map(variant => ({ ...variantOf(shop, variant, group), ...more(variant) })),
    ...(numReviews > 0 && { rating: ratingOf(rating, numReviews) }),
    ...(group?.maker && { metadata: { maker: group.maker } }),
  }
}

function variantOf(shop: Shop, variant: Variant, group: Line | null) {
  const { id, sku, name, description, category, price, compareAtPrice, countInStock, rating, numReviews, facts } =
    variant
  return {
    id,
    sku,
    handle: slugOf(name),
    title: group ? variantName(name, group.name) : name,
    description: { plain: description || name },
    url: addressOf(shop, variant),
    categories: [{ value: category, taxonomy: 'merchant' }],
    price: money(price),
    ...(compareAtPrice != null && { list_price: money(compareAtPrice) }),
    ...(facts.pricePer100m != null &&
      facts.metres != null && {
        unit_price: {
          ...money(facts.pricePer100m),
          measure: { value: facts.metres, unit: 'm' },
          reference: { value: 100, unit: 'm' },
        },
      }),
    availability: { available: countInStock > 0, status: countInStock > 0 ? 'in_stock' : 'out_of_stock' },
    ...(group && { options: [{ name: OPTION[group.variesBy], label: variantName(name, group.name) }] }),
    media: mediaOf(shop, variant),
    ...(numReviews > 0 && { rating: ratingOf(rating, numReviews) }),
    metadata: attributesOf(variant),
  }
}

type Facts = Variant['facts']

/** What the attributes are called that knitters choose by: numbers and names. What 100 m cost is the price of a unit. */
const FACTS = {
  kind: 'kind',
  weightClass: 'weight_class',
  grams: 'grams',
  metres: 'metres',
  fibres: 'fibres',
  stitches: 'stitches_per_10_cm',
  rows: 'rows_per_10_cm',
  needles: 'needles_mm',
  hooks: 'hooks_mm',
  washing: 'washing',
  superwash: 'superwash',
  colourFamilies: 'colour_families',
} as const satisfies Record<Exclude<keyof Facts, 'pricePer100m'>, string>

/** What a variant says outside its attributes. */
type ElsewhereOfVariant =
  | 'id'
  | 'sku'
  | 'name'
  | 'description'
  | 'image'
  | 'pictures'
  | 'category'
  | 'facts'
  | 'price'
  | 'compareAtPrice'
  | 'rating'
  | 'numReviews'

/** And what the band says, in its own words. */
const ON_THE_BAND = {
  countInStock: 'in_stock',
  weight: 'weight',
  length: 'length',
  gauge: 'gauge',
  knittingNeedle: 'knitting_needle',
  crochetHook: 'crochet_hook',
  recommendedCare: 'care',
  content: 'content',
} as const satisfies Record<Exclude<keyof Variant, ElsewhereOfVariant>, string>

/** What nobody says is left out. */
const attributesOf = ({ facts, ...texts }: Variant) =>
  given({ ...renamed(facts, FACTS, inLowerCase), ...renamed(texts, ON_THE_BAND) })

const renamed = <Field extends string>(
  from: NoInfer<Record<Field, unknown>>,
  names: Record<Field, string>,
  tell = (value: unknown) => value,
) => Object.fromEntries((Object.keys(names) as Field[]).map(field => [names[field], tell(from[field])]))

/** The names of the contract as the protocol writes them, also those inside of lists and objects. */
function inLowerCase(value: unknown): unknown {
  if (typeof value === 'string') return value.toLowerCase()
  if (Array.isArray(value)) return value.map(inLowerCase)
  if (typeof value !== 'object' || value === null) return value
  return given(Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inLowerCase(each)])))
}

const given = (fields: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value != null && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  )

/** What of a line can be chosen, each choice once. */
function optionOf({ name, variesBy, products }: Line & { products: Sibling[] }, { withStock = false } = {}) {
  const choices = Map.groupBy(products, product => variantName(product.name, name))
  return {
    name: OPTION[variesBy],
    values: [...choices].map(([label, variants]) => ({
      label,
      ...(withStock && { available: variants.some(({ countInStock }) => countInStock > 0), exists: true }),
    })),
  }
}

const money = (amount: number) => ({ amount, currency: 'USD' })
const rangeOf = (prices: number[]) => ({ min: money(Math.min(...prices)), max: money(Math.max(...prices)) })
const ratingOf = (value: number, count: number) => ({ value, scale_min: 1, scale_max: 5, count })

const mediaOf = (shop: Shop, { name, pictures }: Variant) =>
  pictures.map(({ image, alt, width, height }) => ({
    type: 'image',
    url: absolute(shop, image),
    alt_text: alt || name,
    ...(width && height && { width, height }),
  }))

const addressOf = (shop: Shop, { id, name }: { id: string; name: string }) =>
  `${shop.url}/product/${id}${slugBehind(name)}`

export const absolute = (shop: Shop, image: string) => (image.startsWith('/') ? shop.url + image : image)
