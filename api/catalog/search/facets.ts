import type { EntityManager } from '@mikro-orm/postgresql'
import {
  METRES_STEPS,
  PRICE_PER_100_M_STEPS,
  PRICE_STEPS,
  RATING_STEPS,
  stepText,
} from '#schema/rules/facts/facet-steps'
import { WEIGHT_CLASSES } from '#schema/rules/facts/weight-class'
import type { ProductFacet, ProductFacetField } from '../../generated/types.ts'
import type { Condition } from '../../query/paging.ts'
import { FIELDS_OF, filterConditions, type Filter } from './product-filter.ts'

/** Counting ends here, so that no list costs more than this, however long it is. */
export const MOST_COUNTED = 10_000

const ON_SALE = 'published_at is not null and archived_at is null'

/** The values of each facet of one product, as SQL that answers with texts. */
const VALUES: Record<ProductFacetField, string> = {
  KIND: 'select kind',
  WEIGHT_CLASS: `select (array[${WEIGHT_CLASSES.map(name => `'${name}'`).join(', ')}])[weight_class + 1]`,
  FIBRE: 'select unnest(fibres)',
  COLOUR: 'select unnest(colours)',
  NEEDLE_MM: 'select unnest(needle_mm)::text',
  HOOK_MM: 'select unnest(hook_mm)::text',
  METRES: stepOf('round(metres)', METRES_STEPS),
  PRICE: stepOf('price', PRICE_STEPS),
  PRICE_PER_100_M: stepOf('round(price_per_100_m)', PRICE_PER_100_M_STEPS),
  SUPERWASH: 'select superwash::text',
  IN_STOCK: 'select (count_in_stock > 0)::text',
  RATING: RATING_STEPS.map(
    step => `select '${step}' where num_reviews > 0 and rating_sum >= ${step} * num_reviews`,
  ).join(' union all '),
}

function stepOf(sql: string, steps: typeof PRICE_STEPS): string {
  const cases = steps.map(
    step =>
      `when ${sql} >= ${step.from}${step.to === null ? '' : ` and ${sql} <= ${step.to}`} then '${stepText(step)}'`,
  )
  return `select case ${cases.join(' ')} end`
}

export async function countFacets(em: EntityManager, found: Condition | null, filter: Filter): Promise<ProductFacet[]> {
  const facets: ProductFacet[] = []
  for (const field of Object.keys(VALUES) as ProductFacetField[]) {
    const others = { ...filter }
    for (const own of FIELDS_OF[field]) delete others[own]
    const conditions: Condition[] = [[ON_SALE], ...(found ? [found] : []), ...filterConditions(others)]
    const rows = await em.execute<{ value: string; count: number }[]>(
      `select value, count(*)::int as count from products, lateral (${VALUES[field]}) v(value)
       where ${conditions.map(([sql]) => sql).join(' and ')} and value is not null group by value`,
      conditions.flatMap(([, ...values]) => values),
    )
    facets.push({
      field,
      values: inOrder(field, new Map(rows.map(({ value, count }) => [value, count])), selectedIn(filter, field)),
    })
  }
  return facets
}

/** The values of a facet that the filter has. */
export function selectedIn(filter: Filter, field: ProductFacetField): string[] {
  const [first, last] = FIELDS_OF[field].map(name => filter[name] ?? null)
  if (last !== undefined) return first === null && last === null ? [] : [`${Number(first ?? 0)}-${last ?? ''}`]
  return first === null ? [] : [first].flat().map(String)
}

const FIXED: Partial<Record<ProductFacetField, readonly string[]>> = {
  WEIGHT_CLASS: WEIGHT_CLASSES,
  METRES: METRES_STEPS.map(stepText),
  PRICE: PRICE_STEPS.map(stepText),
  PRICE_PER_100_M: PRICE_PER_100_M_STEPS.map(stepText),
  SUPERWASH: ['true', 'false'],
  IN_STOCK: ['true', 'false'],
  RATING: RATING_STEPS.map(String),
}

/** Counted values in the order of their facet, without those that leave nothing, but for selected ones. */
export function inOrder(field: ProductFacetField, counts: ReadonlyMap<string, number>, selected: readonly string[]) {
  const fixed = FIXED[field]
  const isRange = FIELDS_OF[field].length > 1
  const kept = [...counts.keys()].filter(value => counts.get(value)! > 0)
  const values = [
    ...new Set([...kept, ...selected.filter(value => !isRange || counts.has(value) || fixed!.includes(value))]),
  ]
  const bySize = field === 'NEEDLE_MM' || field === 'HOOK_MM'
  return values
    .toSorted((a, b) =>
      fixed
        ? fixed.indexOf(a) - fixed.indexOf(b)
        : bySize
          ? Number(a) - Number(b)
          : (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || (a < b ? -1 : 1),
    )
    .map(value => {
      const count = counts.get(value) ?? 0
      return {
        value,
        count: Math.min(count, MOST_COUNTED),
        countIsExact: count <= MOST_COUNTED,
        selected: selected.includes(value),
      }
    })
}
