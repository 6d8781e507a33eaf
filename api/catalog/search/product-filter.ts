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

/** What a read filter asks for, as SQL over `products`. */
export function filterConditions(filter: Filter): Condition[] {
  const conditions: Condition[] = []
  const add = (sql: string, ...values: unknown[]) => conditions.push([sql, ...values])
  const { kind, weightClass, fibre, colour, needleMm, hookMm, category, superwash, inStock, ratingFrom } = filter
  if (kind) add(`kind in (${list(kind)})`, ...kind)
  if (weightClass)
    add(`weight_class in (${list(weightClass)})`, ...weightClass.map(name => WEIGHT_CLASSES.indexOf(name)))
  if (fibre) add(`fibres && array[${list(fibre)}]::text[]`, ...fibre)
  if (colour) add(`colours && array[${list(colour)}]::text[]`, ...colour)
  if (needleMm) add(`needle_mm && array[${list(needleMm)}]::float8[]`, ...needleMm)
  if (hookMm) add(`hook_mm && array[${list(hookMm)}]::float8[]`, ...hookMm)
  if (category != null) add('category = ?', category)
  if (superwash != null) add(`superwash = ?`, superwash)
  if (inStock != null) add(`count_in_stock ${inStock ? '>' : '='} 0`)
  if (ratingFrom != null && ratingFrom > 0) add('num_reviews > 0 and rating_sum >= ?::bigint * num_reviews', ratingFrom)
  if (filter.ids) add(`id in (${list(filter.ids)})`, ...filter.ids)
  if (filter.skus) add(`sku in (${list(filter.skus)})`, ...filter.skus)
  if (filter.updatedFrom != null) add('updated_at >= ?', filter.updatedFrom)
  if (filter.updatedTo != null) add('updated_at < ?', filter.updatedTo)
  if (filter.priceFrom != null) add('price >= ?', filter.priceFrom)
  if (filter.priceTo != null) add('price <= ?', filter.priceTo)
  for (const [column, from, to] of [
    ['metres', filter.metresFrom, filter.metresTo],
    ['price_per_100_m', filter.pricePer100mFrom, filter.pricePer100mTo],
  ] as const) {
    // To the nearest whole number, so that steps such as 100-199 leave no gap.
    if (from != null) add(`${column} >= ?::float8 - 0.5`, from)
    if (to != null) add(`${column} < ?::float8 + 0.5`, to)
  }
  return conditions
}
