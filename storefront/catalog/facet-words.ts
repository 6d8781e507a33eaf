import {
  type ColourFamily,
  colourLabel,
  fibreLabel,
  type FibreName,
  KIND_LABELS,
  WEIGHT_CLASS_LABELS,
  type WeightClassName,
} from '#schema/rules/facts/shelf-names'
import type { Kind } from '#schema/rules/facts/shelf-names'
import type { ProductFacetField } from '../generated/types.ts'

const THIN = '\u2009'

/** What shoppers read over the choices of a facet. */
export const FACET_TITLES: Record<ProductFacetField, string> = {
  KIND: 'Kind',
  WEIGHT_CLASS: 'Weight',
  FIBRE: 'Fibre',
  COLOUR: 'Colour',
  NEEDLE_MM: 'Needle size',
  HOOK_MM: 'Hook size',
  METRES: 'Length of a skein',
  PRICE: 'Price',
  PRICE_PER_100_M: 'Price per 100 m',
  RATING: 'Rating',
  SUPERWASH: 'Care',
  IN_STOCK: 'Availability',
}

const dollars = (cents: number) => `$${cents % 100 === 0 ? cents / 100 : (cents / 100).toFixed(2)}`

/** "200–399 m", "800 m and more", "Under $5": a range without a start is named by where the next one begins. */
function range(value: string, inWords: (n: number) => string, joined: (from: number, to: number) => string): string {
  const [from, to] = value.split('-')
  if (!to) return `${inWords(Number(from))} and more`
  return Number(from) === 0 ? `Under ${inWords(Number(to) + 1)}` : joined(Number(from), Number(to))
}

const money = (value: string) =>
  range(value, dollars, (from, to) => `${dollars(from)} to ${dollars(to % 100 === 99 ? to + 1 : to)}`)

const WORDS: Record<ProductFacetField, (value: string) => string> = {
  KIND: value => KIND_LABELS[value as Kind],
  WEIGHT_CLASS: value => (value === 'WORSTED' ? 'Worsted & aran' : WEIGHT_CLASS_LABELS[value as WeightClassName]),
  FIBRE: value => fibreLabel(value as FibreName),
  COLOUR: value => colourLabel(value as ColourFamily),
  NEEDLE_MM: value => `${value}${THIN}mm`,
  HOOK_MM: value => `${value}${THIN}mm`,
  METRES: value =>
    range(
      value,
      metres => `${metres}${THIN}m`,
      (from, to) => `${from}–${to}${THIN}m`,
    ),
  PRICE: money,
  PRICE_PER_100_M: money,
  RATING: value => (value === '5' ? '5 stars' : `${value} stars & up`),
  SUPERWASH: value => (value === 'true' ? 'Superwash' : 'Not superwash'),
  IN_STOCK: value => (value === 'true' ? 'In stock' : 'Sold out'),
}

export const facetWords = (field: ProductFacetField, value: string) => WORDS[field](value)

/** As on a chip, where no title stands over it. */
export function chipWords(field: ProductFacetField, value: string): string {
  const words = facetWords(field, value)
  if (field === 'NEEDLE_MM') return `Needle ${words}`
  if (field === 'HOOK_MM') return `Hook ${words}`
  if (field === 'PRICE_PER_100_M') return `${words} per 100${THIN}m`
  return words
}

/** "42 products", "More than 10,000 products". */
export function counted(total: number, isExact: boolean): string {
  if (total === 1 && isExact) return '1 product'
  return `${isExact ? '' : 'More than '}${total.toLocaleString('en-US')} products`
}
