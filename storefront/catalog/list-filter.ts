import { COLOUR_FAMILIES, FIBRES, KINDS, WEIGHT_CLASSES } from '#schema/rules/facts/shelf-names'
import type {
  ProductFacetField,
  ProductFilter,
  ProductSort,
  ProductSortField,
  SortDirection,
} from '../generated/types.ts'

/** What somebody chose to narrow a list by: the values of each facet, written as in `FacetValue.value`. */
export type Choices = Partial<Record<ProductFacetField, readonly string[]>>

/** How a facet is written in the address. */
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

/** The API takes no more. */
const MOST_VALUES = 50

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

/** In the order of the address, and of the page. */
const FACETS: Record<ProductFacetField, InAddress> = {
  KIND: named('kind', KINDS, kind => ({ kind }) as ProductFilter),
  WEIGHT_CLASS: named('weight', WEIGHT_CLASSES, weightClass => ({ weightClass }) as ProductFilter),
  FIBRE: named('fibre', FIBRES, fibre => ({ fibre }) as ProductFilter),
  COLOUR: named('colour', COLOUR_FAMILIES, colour => ({ colour }) as ProductFilter),
  NEEDLE_MM: sized('needle', needleMm => ({ needleMm })),
  HOOK_MM: sized('hook', hookMm => ({ hookMm })),
  METRES: ranged('metres', 1, (metresFrom, metresTo) => ({ metresFrom, metresTo })),
  PRICE: ranged('price', 100, (priceFrom, priceTo) => ({ priceFrom, priceTo })),
  PRICE_PER_100_M: ranged('per-100m', 100, (pricePer100mFrom, pricePer100mTo) => ({
    pricePer100mFrom,
    pricePer100mTo,
  })),
  RATING: {
    param: 'rating',
    read: text => (/^[1-5]$/.test(text) ? text : null),
    write: value => value,
    compare: () => 0,
    single: true,
    filter: ([value]) => ({ ratingFrom: Number(value) }),
  },
  SUPERWASH: only('superwash', 'yes', { superwash: true }),
  IN_STOCK: only('stock', 'in', { inStock: true }),
}

export const FACET_FIELDS = Object.keys(FACETS) as ProductFacetField[]
export const isSingle = (field: ProductFacetField) => FACETS[field].single === true
export const tickOf = (field: ProductFacetField) => FACETS[field].tick
export const paramOf = (field: ProductFacetField) => FACETS[field].param
export const inAddress = (field: ProductFacetField, value: string) => FACETS[field].write(value)

interface Order {
  /** In the address. */
  name: string
  label: string
  direction: SortDirection
}

/** The orders that shoppers are offered, besides the list's own: best match or newest first. */
const ORDERS = {
  RELEVANCE: [],
  CREATED: [{ name: 'newest', label: 'Newest', direction: 'DESC' }],
  NAME: [],
  PRICE: [
    { name: 'price', label: 'Price, low to high', direction: 'ASC' },
    { name: 'price-high', label: 'Price, high to low', direction: 'DESC' },
  ],
  PRICE_PER_100_M: [{ name: 'per-100m', label: 'Price per 100 m', direction: 'ASC' }],
  RATING: [{ name: 'rating', label: 'Best rated', direction: 'DESC' }],
  BEST_SELLING: [{ name: 'best-selling', label: 'Best selling', direction: 'DESC' }],
  UPDATED: [],
} as const satisfies Record<ProductSortField, readonly Order[]>

export type SortName = (typeof ORDERS)[ProductSortField][number]['name']

export const SORTS = Object.fromEntries(
  (Object.keys(ORDERS) as ProductSortField[]).flatMap(field =>
    ORDERS[field].map(({ name, label, direction }) => [name, { label, sort: { field, direction } }]),
  ),
) as Record<SortName, { label: string; sort: ProductSort }>

export const SORT = 'sort'

export function sortIn(search: URLSearchParams): SortName | null {
  const name = search.get(SORT)
  return name !== null && Object.hasOwn(SORTS, name) ? (name as SortName) : null
}

/** The choices of an address, also of one that somebody typed. Forms repeat a name, our own links join values with commas. */
export function choicesIn(search: URLSearchParams): Choices {
  const choices: Choices = {}
  for (const field of FACET_FIELDS) {
    const { param, read } = FACETS[field]
    const read_ = search
      .getAll(param)
      .flatMap(text => text.split(','))
      .map(text => read(text.trim()))
    const values = tidy(
      field,
      read_.filter(value => value !== null),
    )
    if (values.length > 0) choices[field] = values
  }
  return choices
}

function tidy(field: ProductFacetField, values: readonly string[]): string[] {
  const { compare, single } = FACETS[field]
  return [...new Set(values)].slice(0, single ? 1 : MOST_VALUES).toSorted(compare)
}

/** The address's query for choices and an order, with the mark in front; empty when nothing was chosen. */
export function queryOf(choices: Choices, sort: SortName | null, others: readonly string[] = []): string {
  const chosen = FACET_FIELDS.flatMap(field => {
    const values = choices[field] ?? []
    return values.length > 0 ? `${paramOf(field)}=${values.map(FACETS[field].write).join(',')}` : []
  })
  const query = [...others, ...chosen, ...(sort ? [`${SORT}=${sort}`] : [])].join('&')
  return query && `?${query}`
}

export function filterOf(choices: Choices): ProductFilter {
  return Object.assign(
    {},
    ...FACET_FIELDS.flatMap(field => (choices[field] ? FACETS[field].filter(choices[field]) : [])),
  )
}

/** The choices with a value added, or removed if it was chosen. */
export function toggled(choices: Choices, field: ProductFacetField, value: string): Choices {
  const chosen = choices[field] ?? []
  if (chosen.includes(value))
    return withValues(
      choices,
      field,
      chosen.filter(each => each !== value),
    )
  return withValues(choices, field, isSingle(field) ? [value] : [...chosen, value])
}

export function withValues(choices: Choices, field: ProductFacetField, values: readonly string[]): Choices {
  const { [field]: _before, ...others } = choices
  return values.length > 0 ? { ...others, [field]: tidy(field, values) } : others
}
