import { formatCents } from '#schema/rules/money'
import {
  COLOUR_FAMILIES,
  type ColourFamily,
  colourLabel,
  FIBRES,
  fibreLabel,
  type FibreName,
  type Kind,
  KIND_LABELS,
  KINDS,
  WEIGHT_CLASS_LABELS,
  WEIGHT_CLASSES,
  type WeightClassName,
} from '#schema/rules/facts/shelf-names'
import type { ProductFacetField, ProductFilter } from '../generated/types.ts'

/** What shoppers narrow lists by, as a control and in the address. */
interface Facet extends InAddress {
  /** Over its choices. */
  title: string
  /** A value, as shoppers read it. */
  words: (value: string) => string
  /** The same on a chip, where no title stands over it. */
  onChip?: (words: string) => string
}

interface InAddress {
  param: string
  /** Turns a value from the address into one of the facet; null when it is not a value. */
  read: (text: string) => string | null
  write: (value: string) => string
  /** Orders the values, so that the same choice always has the same address. */
  compare: (a: string, b: string) => number
  /** Only one value of this facet can be chosen at a time. */
  single?: true
  /** The only value that is offered, as a box to tick. */
  tick?: string
  filter: (values: readonly string[]) => ProductFilter
}

const named = (
  param: string,
  names: readonly string[],
  filter: (values: readonly string[]) => ProductFilter,
): InAddress => {
  const write = (name: string) => name.toLowerCase().replaceAll('_', '-')
  return {
    param,
    read: text => names.find(name => write(name) === text.toLowerCase()) ?? null,
    write,
    compare: (a, b) => names.indexOf(a) - names.indexOf(b),
    filter,
  }
}

const sized = (param: string, filter: (mm: number[]) => ProductFilter): InAddress => ({
  param,
  read: text => (/^\d{1,2}(\.\d{1,2})?$/.test(text) && Number(text) > 0 ? String(Number(text)) : null),
  write: value => value,
  compare: (a, b) => Number(a) - Number(b),
  filter: values => filter(values.map(Number)),
})

/** `100-199`, `800-`, `-99`; `unit`: how many of the API's units make one of the address (100 cents, one dollar). */
const ranged = (
  param: string,
  unit: number,
  filter: (from: number | null, to: number | null) => ProductFilter,
): InAddress => ({
  param,
  read: text => {
    const [, from, to] = /^(\d{1,5}(?:\.\d{1,2})?)?-(\d{1,5}(?:\.\d{1,2})?)?$/.exec(text) ?? []
    if (from === undefined && to === undefined) return null
    const least = Math.round(Number(from ?? 0) * unit)
    if (to === undefined) return least > 0 ? `${least}-` : null
    const most = Math.round(Number(to) * unit)
    return least <= most ? `${least}-${most}` : null
  },
  write: value =>
    value
      .split('-')
      .map(end => (end === '' ? '' : String(Number(end) / unit)))
      .join('-'),
  compare: () => 0,
  single: true,
  filter: ([value = '']) => {
    const [from, to] = value.split('-')
    return filter(Number(from) || null, to ? Number(to) : null)
  },
})

const only = (param: string, word: string, filter: ProductFilter): InAddress => ({
  param,
  read: text => (text.toLowerCase() === word ? 'true' : null),
  write: () => word,
  compare: () => 0,
  single: true,
  tick: 'true',
  filter: () => filter,
})

const THIN = '\u2009'
const millimetres = (value: string) => `${value}${THIN}mm`
const price = (cents: number) => formatCents(cents).replace('.00', '')

/** "200–399 m", "800 m and more", "Under $5": a range without a start is named by where the next one begins. */
function range(value: string, inWords: (n: number) => string, joined: (from: number, to: number) => string): string {
  const [from, to] = value.split('-')
  if (!to) return `${inWords(Number(from))} and more`
  return Number(from) === 0 ? `Under ${inWords(Number(to) + 1)}` : joined(Number(from), Number(to))
}

const money = (value: string) =>
  range(value, price, (from, to) => `${price(from)} to ${price(to % 100 === 99 ? to + 1 : to)}`)

/** In the order of the address, and of the page. */
const FACETS: Record<ProductFacetField, Facet> = {
  KIND: {
    title: 'Kind',
    words: value => KIND_LABELS[value as Kind],
    ...named('kind', KINDS, kind => ({ kind }) as ProductFilter),
  },
  WEIGHT_CLASS: {
    title: 'Weight',
    words: value => (value === 'WORSTED' ? 'Worsted & aran' : WEIGHT_CLASS_LABELS[value as WeightClassName]),
    ...named('weight', WEIGHT_CLASSES, weightClass => ({ weightClass }) as ProductFilter),
  },
  FIBRE: {
    title: 'Fibre',
    words: value => fibreLabel(value as FibreName),
    ...named('fibre', FIBRES, fibre => ({ fibre }) as ProductFilter),
  },
  COLOUR: {
    title: 'Colour',
    words: value => colourLabel(value as ColourFamily),
    ...named('colour', COLOUR_FAMILIES, colour => ({ colour }) as ProductFilter),
  },
  NEEDLE_MM: {
    title: 'Needle size',
    words: millimetres,
    onChip: words => `Needle ${words}`,
    ...sized('needle', needleMm => ({ needleMm })),
  },
  HOOK_MM: {
    title: 'Hook size',
    words: millimetres,
    onChip: words => `Hook ${words}`,
    ...sized('hook', hookMm => ({ hookMm })),
  },
  METRES: {
    title: 'Length of a skein',
    words: value =>
      range(
        value,
        metres => `${metres}${THIN}m`,
        (from, to) => `${from}–${to}${THIN}m`,
      ),
    ...ranged('metres', 1, (metresFrom, metresTo) => ({ metresFrom, metresTo })),
  },
  PRICE: {
    title: 'Price',
    words: money,
    ...ranged('price', 100, (priceFrom, priceTo) => ({ priceFrom, priceTo })),
  },
  PRICE_PER_100_M: {
    title: 'Price per 100 m',
    words: money,
    onChip: words => `${words} per 100${THIN}m`,
    ...ranged('per-100m', 100, (pricePer100mFrom, pricePer100mTo) => ({ pricePer100mFrom, pricePer100mTo })),
  },
  RATING: {
    title: 'Rating',
    words: value => (value === '5' ? '5 stars' : `${value} stars & up`),
    param: 'rating',
    read: text => (/^[1-5]$/.test(text) ? text : null),
    write: value => value,
    compare: () => 0,
    single: true,
    filter: ([value]) => ({ ratingFrom: Number(value) }),
  },
  SUPERWASH: {
    title: 'Care',
    words: value => (value === 'true' ? 'Superwash' : 'Not superwash'),
    ...only('superwash', 'yes', { superwash: true }),
  },
  IN_STOCK: {
    title: 'Availability',
    words: value => (value === 'true' ? 'In stock' : 'Sold out'),
    ...only('stock', 'in', { inStock: true }),
  },
}

export const FACET_FIELDS = Object.keys(FACETS) as ProductFacetField[]
export const facetOf = (field: ProductFacetField): Facet => FACETS[field]

/** As on a chip, where no title stands over it. */
export function chipWords(field: ProductFacetField, value: string): string {
  const { words, onChip = same => same } = FACETS[field]
  return onChip(words(value))
}
