import { refuse } from '../../kernel/errors.ts'
import { isId } from '../../kernel/validation.ts'
import type { Condition } from '../../query/paging.ts'
import { FACETS, list, type Conditions, type Faceted, type Filter, type FilterValues } from './facet-row.ts'

const MOST_VALUES = 50

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

/** What the fields of no facet ask for. */
const OTHERS: Omit<Conditions, Faceted> = {
  category: category => ['category = ?', category],
  ids: ids => [`id in (${list(ids)})`, ...ids],
  skus: skus => [`sku in (${list(skus)})`, ...skus],
  updatedFrom: instant => ['updated_at >= ?', instant],
  updatedTo: instant => ['updated_at < ?', instant],
}
export const UNFACETED = Object.keys(OTHERS) as (keyof typeof OTHERS)[]

const CONDITIONS: Conditions = Object.assign({}, OTHERS, ...Object.values(FACETS).map(({ filter }) => filter))
const FIELDS = Object.keys(CONDITIONS) as (keyof Conditions)[]

function conditionOf<Field extends keyof FilterValues>(
  field: Field,
  filter: { [Each in keyof FilterValues]?: FilterValues[Each] | null },
): Condition[] {
  const wanted: FilterValues[Field] | null | undefined = filter[field]
  return wanted == null ? [] : [CONDITIONS[field](wanted)]
}

/** What a read filter asks for. */
export const filterConditions = (filter: Filter): Condition[] => FIELDS.flatMap(field => conditionOf(field, filter))
