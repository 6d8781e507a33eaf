import type { EntityManager } from '@mikro-orm/postgresql'
import { valueAt } from '#schema/rules/present'
import type { ProductFacet, ProductFacetField } from '../../generated/types.ts'
import { MOST_COUNTED } from '../../query/page-sizes.ts'
import type { FacetIndex } from './facet-index.ts'
import type { Wanted } from './term-finder.ts'
import { facetOf, FIELDS_OF, type Filter } from './facet-row.ts'

/** The facets of a list, in the order of the contract. */
export async function countFacets(
  index: FacetIndex,
  em: EntityManager,
  wanted: Wanted | null,
  filter: Filter,
): Promise<ProductFacet[]> {
  const counts = await index.count(em, wanted, filter)
  return Array.from(counts, ([field, values]) => ({
    field,
    values: inOrder(field, values, selectedIn(filter, field)),
  }))
}

/** The values of a facet that the filter has. */
function selectedIn(filter: Filter, field: ProductFacetField): string[] {
  const [first, last] = FIELDS_OF[field].map(name => filter[name] ?? null)
  if (last !== undefined) return first === null && last === null ? [] : [`${Number(first ?? 0)}-${last ?? ''}`]
  return first === null ? [] : [first].flat().map(String)
}

/** Counted values in the order of their facet, without those that leave nothing, but for selected ones. */
function inOrder(field: ProductFacetField, counts: ReadonlyMap<string, number>, selected: readonly string[]) {
  const { order } = facetOf(field)
  const fixed = typeof order === 'string' ? null : order
  const isRange = FIELDS_OF[field].length > 1
  const kept = [...counts.keys()].filter(value => valueAt(counts, value) > 0 && (!fixed || fixed.includes(value)))
  const values = [
    ...new Set([...kept, ...selected.filter(value => !isRange || counts.has(value) || fixed?.includes(value))]),
  ]
  return values
    .toSorted((a, b) =>
      fixed
        ? fixed.indexOf(a) - fixed.indexOf(b)
        : order === 'BY_SIZE'
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
