import type {
  ProductFacetField,
  ProductFilter,
  ProductSort,
  ProductSortField,
  SortDirection,
} from '../generated/types.ts'
import { FACET_FIELDS, facetOf } from './facet-table.ts'

/** What somebody chose to narrow a list by: the values of each facet, written as in `FacetValue.value`. */
export type Choices = Partial<Record<ProductFacetField, readonly string[]>>

/** The API takes no more. */
const MOST_VALUES = 50

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
    const { param, read } = facetOf(field)
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
  const { compare, single } = facetOf(field)
  return [...new Set(values)].slice(0, single ? 1 : MOST_VALUES).toSorted(compare)
}

/** The address's query for choices and an order, with the mark in front; empty when nothing was chosen. */
export function queryOf(choices: Choices, sort: SortName | null, others: readonly string[] = []): string {
  const chosen = FACET_FIELDS.flatMap(field => {
    const values = choices[field] ?? []
    return values.length > 0 ? `${facetOf(field).param}=${values.map(facetOf(field).write).join(',')}` : []
  })
  const query = [...others, ...chosen, ...(sort ? [`${SORT}=${sort}`] : [])].join('&')
  return query && `?${query}`
}

export function filterOf(choices: Choices): ProductFilter {
  return Object.assign(
    {},
    ...FACET_FIELDS.flatMap(field => (choices[field] ? facetOf(field).filter(choices[field]) : [])),
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
  return withValues(choices, field, facetOf(field).single ? [value] : [...chosen, value])
}

export function withValues(choices: Choices, field: ProductFacetField, values: readonly string[]): Choices {
  const { [field]: _before, ...others } = choices
  return values.length > 0 ? { ...others, [field]: tidy(field, values) } : others
}
