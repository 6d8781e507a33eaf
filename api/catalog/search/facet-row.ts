import {
  METRES_STEPS,
  PRICE_PER_100_M_STEPS,
  PRICE_STEPS,
  RATING_STEPS,
  stepText,
  type Step,
} from '#schema/rules/facts/facet-steps'
import { WEIGHT_CLASSES } from '#schema/rules/facts/shelf-names'
import { nth, present } from '#schema/rules/present'
import type { ProductFacetField, ProductFilter, ProductSortField } from '../../generated/types.ts'
import type { Condition } from '../../query/paging.ts'

/** What many products have alike. */
interface Traits {
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
  category: string
}

const TRAITS: Record<keyof Traits, string> = {
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
  category: 'p.category',
}

interface Numbers {
  score: number
  /** Seconds. */
  created: number
  sold: number
  metres: number | null
  price: number
  price_per_100_m: number | null
}

const NUMBER_COLUMNS: Record<keyof Numbers, string> = {
  score: 'p.score',
  created: 'extract(epoch from p.created_at)::float8',
  sold: 'p.sold_last_90_days',
  metres: 'p.metres',
  price: 'p.price',
  price_per_100_m: 'p.price_per_100_m',
}
const NUMBER_NAMES = Object.keys(NUMBER_COLUMNS) as (keyof Numbers)[]

/** A product as it is read. Its columns have a trigger that calls `note_changed_facts`. */
interface Stored extends Numbers {
  place: number
  /** As JSON. */
  traits: string
}

/** One that has changed, and by which transaction. */
export interface Change extends Stored {
  facts_changed: string
}

/** What is known of a product in memory. */
export interface Row extends Stored, Traits {}

/** How rows are read from products `p`. */
export const ROW = [
  'p.place',
  `json_build_array(${Object.values(TRAITS).join(', ')})::text as traits`,
  ...Object.entries(NUMBER_COLUMNS).map(([name, sql]) => `${sql} as ${name}`),
].join(', ')

export const rowOf = (stored: Stored): Row => ({ ...traitsOf(stored.traits), ...stored })

/** Many of ROW as two values. */
export const PACKED = `json_agg(traits) as traits, string_agg(${[
  'int4send(place)',
  ...NUMBER_NAMES.map(name => `float8send(coalesce(${name}::float8, 'NaN'))`),
].join(' || ')}, ''::bytea) as numbers`

/** Null for none. */
export interface Packed {
  traits: string[] | null
  numbers: Buffer | null
}

export function unpack({ traits, numbers }: Packed): Row[] {
  let at = 0
  return (traits ?? []).map(text => {
    const packed = present(numbers)
    const stored: Record<string, unknown> = { traits: text, place: packed.readInt32BE(at) }
    at += 4
    for (const name of NUMBER_NAMES) {
      const number = packed.readDoubleBE(at)
      stored[name] = Number.isNaN(number) ? null : number
      at += 8
    }
    return rowOf(stored as unknown as Stored)
  })
}

/** What was met before. Kept by a few thousand, for many products have the same. */
const known = new Map<string, Traits>()
const MOST_KNOWN = 10_000

function traitsOf(text: string): Traits {
  const before = known.get(text)
  if (before) return before
  const values = JSON.parse(text) as unknown[]
  const traits = Object.fromEntries(Object.keys(TRAITS).map((name, at) => [name, values[at]])) as unknown as Traits
  if (known.size === MOST_KNOWN) known.clear()
  known.set(text, traits)
  return traits
}

export const STEPS = { METRES: METRES_STEPS, PRICE: PRICE_STEPS, PRICE_PER_100_M: PRICE_PER_100_M_STEPS } as const
export type StepField = keyof typeof STEPS
export const STEP_FIELDS = Object.keys(STEPS) as StepField[]
export const isStepField = (field: ProductFacetField): field is StepField => field in STEPS

export type Filter = ProductFilter
/** What a filter asks for, by its fields. */
export type FilterValues = { [Field in keyof Filter]-?: NonNullable<Filter[Field]> }
/** What fields of the filter ask for, as SQL over `products`. */
export type Conditions = { [Field in keyof FilterValues]: (wanted: FilterValues[Field]) => Condition }

interface Facet {
  /** The fields of the filter that it sets. */
  filter: Partial<Conditions>
  /** What a product has of it. */
  values: (row: Row) => readonly string[]
  /** What stands before what: the values as listed, and no others; small sizes; or what most products have. */
  order: readonly string[] | 'BY_SIZE' | 'MOST_FIRST'
}

const TRUTH = ['true', 'false']
export const list = (values: readonly unknown[]) => values.map(() => '?').join(', ')

/** What lists are narrowed by, in the order of the contract. */
export const FACETS = {
  KIND: {
    filter: { kind: kinds => [`kind in (${list(kinds)})`, ...kinds] },
    values: ({ kind }) => (kind === null ? [] : [kind]),
    order: 'MOST_FIRST',
  },
  WEIGHT_CLASS: {
    filter: {
      weightClass: names => [`weight_class in (${list(names)})`, ...names.map(name => WEIGHT_CLASSES.indexOf(name))],
    },
    values: row => (row.weight_class === null ? [] : [nth(WEIGHT_CLASSES, row.weight_class)]),
    order: WEIGHT_CLASSES,
  },
  FIBRE: {
    filter: { fibre: fibres => [`fibres && array[${list(fibres)}]::text[]`, ...fibres] },
    values: ({ fibres }) => fibres,
    order: 'MOST_FIRST',
  },
  COLOUR: {
    filter: { colour: colours => [`colours && array[${list(colours)}]::text[]`, ...colours] },
    values: ({ colours }) => colours,
    order: 'MOST_FIRST',
  },
  NEEDLE_MM: {
    filter: { needleMm: sizes => [`needle_mm && array[${list(sizes)}]::float8[]`, ...sizes] },
    values: row => row.needle_mm.map(String),
    order: 'BY_SIZE',
  },
  HOOK_MM: {
    filter: { hookMm: sizes => [`hook_mm && array[${list(sizes)}]::float8[]`, ...sizes] },
    values: row => row.hook_mm.map(String),
    order: 'BY_SIZE',
  },
  METRES: {
    // To the nearest whole number, so that steps such as 100-199 leave no gap.
    filter: {
      metresFrom: metres => ['metres >= ?::float8 - 0.5', metres],
      metresTo: metres => ['metres < ?::float8 + 0.5', metres],
    },
    values: ({ metres }) => stepOf('METRES', metres),
    order: STEPS.METRES.map(stepText),
  },
  PRICE: {
    filter: { priceFrom: cents => ['price >= ?', cents], priceTo: cents => ['price <= ?', cents] },
    values: ({ price }) => stepOf('PRICE', price),
    order: STEPS.PRICE.map(stepText),
  },
  PRICE_PER_100_M: {
    filter: {
      pricePer100mFrom: cents => ['price_per_100_m >= ?::float8 - 0.5', cents],
      pricePer100mTo: cents => ['price_per_100_m < ?::float8 + 0.5', cents],
    },
    values: row => stepOf('PRICE_PER_100_M', row.price_per_100_m),
    order: STEPS.PRICE_PER_100_M.map(stepText),
  },
  SUPERWASH: {
    filter: { superwash: isSuperwash => ['superwash = ?', isSuperwash] },
    values: ({ superwash }) => (superwash === null ? [] : [String(superwash)]),
    order: TRUTH,
  },
  IN_STOCK: {
    filter: { inStock: isInStock => [`count_in_stock ${isInStock ? '>' : '='} 0`] },
    values: row => [String(row.in_stock)],
    order: TRUTH,
  },
  RATING: {
    filter: {
      ratingFrom: least =>
        least > 0 ? ['num_reviews > 0 and rating_sum >= ?::bigint * num_reviews', least] : ['true'],
    },
    values: ({ rating }) => Array.from({ length: rating }, (_, below) => String(below + 1)),
    order: RATING_STEPS.map(String),
  },
} as const satisfies Record<ProductFacetField, Facet>

export const FACET_FIELDS = Object.keys(FACETS) as ProductFacetField[]
export const facetOf = (field: ProductFacetField): Facet => FACETS[field]

type FieldsOf<Field extends ProductFacetField> = keyof (typeof FACETS)[Field]['filter']
/** The fields of the filter that some facet sets. */
export type Faceted = { [Field in ProductFacetField]: FieldsOf<Field> }[ProductFacetField]
/** The fields of the filter that one facet sets: of a range, its beginning and its end. */
export const FIELDS_OF = Object.fromEntries(
  FACET_FIELDS.map(field => [field, Object.keys(FACETS[field].filter)]),
) as unknown as { [Field in ProductFacetField]: readonly FieldsOf<Field>[] }

function stepOf(field: StepField, number: number | null): string[] {
  const step = number === null ? undefined : STEPS[field].find(step => isWithin(number, step))
  return step ? [stepText(step)] : []
}

/** To the nearest whole number, as the filter has it. */
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
export type Sorting = Exclude<ProductSortField, 'RELEVANCE' | 'UPDATED'>

/** The numbers that products are kept in order of. What has no length comes last both ways. */
export const NUMBERS: Record<
  Exclude<Sorting, 'NAME' | 'PRICE_PER_100_M'> | 'CHEAPEST_PER_100_M' | 'DEAREST_PER_100_M' | 'METRES',
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
