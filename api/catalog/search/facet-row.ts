import { METRES_STEPS, PRICE_PER_100_M_STEPS, PRICE_STEPS, stepText, type Step } from '#schema/rules/facts/facet-steps'
import { WEIGHT_CLASSES } from '#schema/rules/facts/shelf-names'
import { nth } from '#schema/rules/present'
import type { ProductFacetField, ProductSortField } from '../../generated/types.ts'

/** What is known of a product in memory. Its columns have a trigger that calls `note_changed_facts`. */
export interface Row {
  place: number
  facts_changed: string
  on_sale: boolean
  kind: string | null
  weight_class: number | null
  fibres: string[]
  colours: string[]
  needle_mm: number[]
  hook_mm: number[]
  superwash: boolean | null
  in_stock: boolean
  /** Floor of the plain average. */
  rating: number
  score: number
  /** Seconds. */
  created: number
  sold: number
  metres: number | null
  price: number
  price_per_100_m: number | null
  category: string
}

const COLUMNS: Record<keyof Row, string> = {
  place: 'p.place',
  facts_changed: 'p.facts_changed::text',
  on_sale: 'p.published_at is not null and p.archived_at is null',
  kind: 'p.kind',
  weight_class: 'p.weight_class',
  fibres: 'p.fibres',
  colours: 'p.colours',
  needle_mm: 'p.needle_mm',
  hook_mm: 'p.hook_mm',
  superwash: 'p.superwash',
  in_stock: 'p.count_in_stock > 0',
  rating: 'p.rating_sum / greatest(p.num_reviews, 1)',
  score: 'p.score',
  created: 'extract(epoch from p.created_at)::float8',
  sold: 'p.sold_last_90_days',
  metres: 'p.metres',
  price: 'p.price',
  price_per_100_m: 'p.price_per_100_m',
  category: 'p.category',
}

/** How rows are read from products `p`. */
export const ROW = Object.entries(COLUMNS)
  .map(([name, sql]) => `${sql} as ${name}`)
  .join(', ')

export const STEPS = { METRES: METRES_STEPS, PRICE: PRICE_STEPS, PRICE_PER_100_M: PRICE_PER_100_M_STEPS } as const
export type StepField = keyof typeof STEPS
export const isStepField = (field: ProductFacetField): field is StepField => field in STEPS

/** What a product has of each facet. */
const VALUES: Record<ProductFacetField, (row: Row) => readonly string[]> = {
  KIND: ({ kind }) => (kind === null ? [] : [kind]),
  WEIGHT_CLASS: row => (row.weight_class === null ? [] : [nth(WEIGHT_CLASSES, row.weight_class)]),
  FIBRE: ({ fibres }) => fibres,
  COLOUR: ({ colours }) => colours,
  NEEDLE_MM: row => row.needle_mm.map(String),
  HOOK_MM: row => row.hook_mm.map(String),
  METRES: ({ metres }) => stepOf('METRES', metres),
  PRICE: ({ price }) => stepOf('PRICE', price),
  PRICE_PER_100_M: row => stepOf('PRICE_PER_100_M', row.price_per_100_m),
  SUPERWASH: ({ superwash }) => (superwash === null ? [] : [String(superwash)]),
  IN_STOCK: row => [String(row.in_stock)],
  RATING: ({ rating }) => Array.from({ length: rating }, (_, below) => String(below + 1)),
}
export const FACETS = Object.entries(VALUES) as [ProductFacetField, (typeof VALUES)[ProductFacetField]][]

function stepOf(field: StepField, number: number | null): string[] {
  const step = number === null ? undefined : STEPS[field].find(step => isWithin(number, step))
  return step ? [stepText(step)] : []
}

/** To the nearest whole number, as product-filter.ts has it. */
const isWithin = (number: number, { from, to }: Step) => number >= from - 0.5 && (to === null || number < to + 0.5)

const BY_CREATED = ['created_at', 'timestamptz'] as const

/** What each sort compares before the id, and PostgreSQL's name for its type. */
export const SORTS: Record<ProductSortField, (direction: 'asc' | 'desc') => readonly [sql: string, type: string]> = {
  RELEVANCE: () => BY_CREATED,
  CREATED: () => BY_CREATED,
  NAME: () => ['lower(name)', 'text'],
  PRICE: () => ['price', 'int'],
  // Products without a length come last in both directions.
  PRICE_PER_100_M: direction => [
    direction === 'asc' ? `coalesce(price_per_100_m, 'infinity')` : 'coalesce(price_per_100_m, -1)',
    'float8',
  ],
  RATING: () => ['score', 'float8'],
  BEST_SELLING: () => ['sold_last_90_days', 'int'],
  UPDATED: () => ['updated_in', 'xid8'],
}

/** What lists are sorted by in memory; other orders are the database's. */
export type Sorting = Exclude<ProductSortField, 'RELEVANCE' | 'NAME' | 'UPDATED'>

/** The numbers that products are kept in order of. What has no length comes last both ways. */
export const NUMBERS: Record<
  Exclude<Sorting, 'PRICE_PER_100_M'> | 'CHEAPEST_PER_100_M' | 'DEAREST_PER_100_M' | 'METRES',
  (row: Row) => number
> = {
  CREATED: ({ created }) => created,
  PRICE: ({ price }) => price,
  RATING: ({ score }) => score,
  BEST_SELLING: ({ sold }) => sold,
  CHEAPEST_PER_100_M: row => row.price_per_100_m ?? Infinity,
  DEAREST_PER_100_M: row => row.price_per_100_m ?? -1,
  METRES: ({ metres }) => metres ?? Infinity,
}
export const ORDERINGS = Object.entries(NUMBERS) as [keyof typeof NUMBERS, (row: Row) => number][]
