import { shopCurrency } from '#schema/rules/money'
import { ofEachField, snakeCase, type ProductField } from '#schema/rules/product-fields'
import { slugBehind, slugOf } from '#schema/rules/slug'
import { variantName } from '#schema/rules/variant-name'
import { nth } from '#schema/rules/present'
import type * as op from '../generated/ucp.ts'
import type { Shop } from './call.ts'

export type Variant = op.UcpVariantFragment
type Line = op.UcpLineFragment
/** What the prices and choices of a line are written from. */
type Sibling = Pick<Variant, 'id' | 'name' | 'price' | 'compareAtPrice' | 'countInStock'>
export type Found = Variant & { group?: (Line & { products: Sibling[] }) | null }

interface Product {
  group: (Line & { products: Sibling[] }) | null
  /** At least one. */
  variants: Variant[]
}

/** What was found, as products of the protocol: a line with those of its colourways that were found, where the first of them was. */
export const inLines = (found: readonly Found[]): Product[] =>
  [...Map.groupBy(found, ({ id, group }) => group?.id ?? id).values()].map(variants => ({
    group: nth(variants, 0).group ?? null,
    variants,
  }))

export const OPTION = { COLOUR: 'Colour', SIZE: 'Size' } as const

export function productOf(shop: Shop, { group, variants }: Product, more: (variant: Variant) => object = () => ({})) {
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
  const { id, sku, name, description, category, price, compareAtPrice, rating, numReviews, facts } = variant
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
    availability: availabilityOf(variant),
    ...(group && { options: [{ name: OPTION[group.variesBy], label: variantName(name, group.name) }] }),
    media: mediaOf(shop, variant),
    ...(numReviews > 0 && { rating: ratingOf(rating, numReviews) }),
    metadata: attributesOf(variant),
  }
}

const availabilityOf = ({ countInStock, expectedOn }: Variant) =>
  countInStock > 0
    ? { available: true, status: expectedOn === null ? 'in_stock' : 'preorder' }
    : { available: false, status: 'out_of_stock' }

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

/** What a variant does not say outside its attributes. */
const withinAttributes = <Names extends Record<ProductField, string>>({
  name,
  image,
  description,
  category,
  price,
  reducedTax,
  ...names
}: Names) => names

/** And what the band says, in its own words. */
const ON_THE_BAND = withinAttributes({
  ...ofEachField({ text: snakeCase, cents: snakeCase, units: snakeCase, flag: snakeCase, day: snakeCase }),
  countInStock: 'in_stock',
  recommendedCare: 'care',
})

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
export function optionOf({ name, variesBy, products }: Line & { products: Sibling[] }, { withStock = false } = {}) {
  const choices = Map.groupBy(products, product => variantName(product.name, name))
  return {
    name: OPTION[variesBy],
    values: [...choices].map(([label, variants]) => ({
      label,
      ...(withStock && { available: variants.some(({ countInStock }) => countInStock > 0), exists: true }),
    })),
  }
}

const money = (amount: number) => ({ amount, currency: shopCurrency() })
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
