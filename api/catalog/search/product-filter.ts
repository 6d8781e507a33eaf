import { WEIGHT_CLASSES } from '#schema/rules/facts/shelf-names'
import type { ProductFacetField, ProductFilter } from '../../generated/types.ts'
import { refuse } from '../../kernel/errors.ts'
import { isId } from '../../kernel/validation.ts'
import type { Condition } from '../../query/paging.ts'

export type Filter = ProductFilter

const MOST_VALUES = 50

/** The fields of the filter that one facet sets. */
export const FIELDS_OF = {
  KIND: ['kind'],
  WEIGHT_CLASS: ['weightClass'],
  FIBRE: ['fibre'],
  COLOUR: ['colour'],
  NEEDLE_MM: ['needleMm'],
  HOOK_MM: ['hookMm'],
  METRES: ['metresFrom', 'metresTo'],
  PRICE: ['priceFrom', 'priceTo'],
  PRICE_PER_100_M: ['pricePer100mFrom', 'pricePer100mTo'],
  SUPERWASH: ['superwash'],
  IN_STOCK: ['inStock'],
  RATING: ['ratingFrom'],
} as const satisfies Record<ProductFacetField, readonly (keyof Filter)[]>

/** A filter without what does not restrict. Null when nothing can match it. */
export function readFilter(filter: Filter | null | undefined): Filter | null {
  const read: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(filter ?? {})) {
    if (value == null || (Array.isArray(value) && value.length === 0)) continue
    if (Array.isArray(value) && value.length > MOST_VALUES)
      throw refuse('INVALID', `\`${field}\` takes at most ${MOST_VALUES} values.`, { field: [field] })
    read[field] = Array.isArray(value) ? [...new Set<unknown>(value)] : value
  }
  const { category, ids, skus } = read as Filter
  if (ids) read['ids'] = ids.filter(isId)
  if (skus) read['skus'] = skus.map(sku => sku.trim().toUpperCase()).filter(sku => !sku.includes('\0'))
  const isHopeless = (wanted: unknown[] | null | undefined, readable: unknown) =>
    Boolean(wanted) && (readable as unknown[]).length === 0
  if (category?.includes('\0') || isHopeless(ids, read['ids']) || isHopeless(skus, read['skus'])) return null
  return read as Filter
}

const list = (values: readonly unknown[]) => values.map(() => '?').join(', ')

type Wanted = { [Field in keyof Filter]-?: NonNullable<Filter[Field]> }

/** What each field of the filter asks for, as SQL over `products`. */
const CONDITIONS: { [Field in keyof Wanted]: (wanted: Wanted[Field]) => Condition } = {
  kind: kinds => [`kind in (${list(kinds)})`, ...kinds],
  weightClass: names => [`weight_class in (${list(names)})`, ...names.map(name => WEIGHT_CLASSES.indexOf(name))],
  fibre: fibres => [`fibres && array[${list(fibres)}]::text[]`, ...fibres],
  colour: colours => [`colours && array[${list(colours)}]::text[]`, ...colours],
  needleMm: sizes => [`needle_mm && array[${list(sizes)}]::float8[]`, ...sizes],
  hookMm: sizes => [`hook_mm && array[${list(sizes)}]::float8[]`, ...sizes],
  category: category => ['category = ?', category],
  superwash: isSuperwash => ['superwash = ?', isSuperwash],
  inStock: isInStock => [`count_in_stock ${isInStock ? '>' : '='} 0`],
  ratingFrom: least => (least > 0 ? ['num_reviews > 0 and rating_sum >= ?::bigint * num_reviews', least] : ['true']),
  ids: ids => [`id in (${list(ids)})`, ...ids],
  skus: skus => [`sku in (${list(skus)})`, ...skus],
  updatedFrom: instant => ['updated_at >= ?', instant],
  updatedTo: instant => ['updated_at < ?', instant],
  priceFrom: cents => ['price >= ?', cents],
  priceTo: cents => ['price <= ?', cents],
  // To the nearest whole number, so that steps such as 100-199 leave no gap.
  metresFrom: metres => ['metres >= ?::float8 - 0.5', metres],
  metresTo: metres => ['metres < ?::float8 + 0.5', metres],
  pricePer100mFrom: cents => ['price_per_100_m >= ?::float8 - 0.5', cents],
  pricePer100mTo: cents => ['price_per_100_m < ?::float8 + 0.5', cents],
}

const FIELDS = Object.keys(CONDITIONS) as (keyof Filter)[]

/** Fields of the filter that belong to no facet. */
export const UNFACETED = FIELDS.filter(field => !Object.values<readonly string[]>(FIELDS_OF).flat().includes(field))

function conditionOf<Field extends keyof Wanted>(
  field: Field,
  filter: { [Each in keyof Wanted]?: Wanted[Each] | null },
): Condition[] {
  const wanted: Wanted[Field] | null | undefined = filter[field]
  return wanted == null ? [] : [CONDITIONS[field](wanted)]
}

/** What a read filter asks for. */
export const filterConditions = (filter: Filter): Condition[] => FIELDS.flatMap(field => conditionOf(field, filter))
