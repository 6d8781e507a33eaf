import type { EntityManager } from '@mikro-orm/postgresql'
import type { ProductFilter, ProductSort } from '../generated/types.ts'
import {
  connectionBy,
  sortedRows,
  type Connection,
  type ConnectionArguments,
  type Stretch,
} from '../query/connection.ts'
import { MOST_COUNTED } from '../query/page-sizes.ts'
import type { Condition } from '../query/paging.ts'
import { directionOf, narrowed, ON_SALE, productsById } from './list-products.ts'
import type { Product } from './product.entity.ts'
import type { FacetIndex } from './search/facet-index.ts'
import { SORTS, type Filter } from './search/facet-row.ts'
import { search } from './search/find-products.ts'
import { filterConditions, readFilter } from './search/product-filter.ts'
import type { Wanted } from './search/term-finder.ts'

export type ConnectedProducts = Connection<Product>

/** A part of the catalogue. */
export async function connectProducts(
  em: EntityManager,
  index: FacetIndex,
  asked: ProductFilter & { keyword?: string | null | undefined },
  sort: ProductSort | null,
  range: ConnectionArguments,
): Promise<ConnectedProducts> {
  const choice = await readChoice(em, index, asked)
  const rows = await sortedRows<{ id: string }>(em, {
    table: 'products',
    columns: 'id',
    where: choice && [[ON_SALE], ...choice.conditions],
    by: SORTS[sort?.field ?? 'CREATED'](directionOf(sort)),
    direction: directionOf(sort),
    isFeed: sort?.field === 'UPDATED',
  })
  const inMemory = choice?.isInMemory ? choice : null
  const keysOf = async (stretch: Stretch) =>
    (inMemory &&
      sort?.field === 'NAME' &&
      (await index.stretchByName(em, inMemory.wanted, inMemory.filter, stretch))) ||
    rows.find(stretch)
  return connectionBy(
    {
      ...rows,
      find: async stretch => {
        const keys = await keysOf(stretch)
        const products = await productsById(
          em,
          keys.map(({ id }) => id),
        )
        return keys.map(({ value, id }, at) => ({ value, id, node: products[at]?.isForSale ? products[at] : null }))
      },
      countAll: async most => {
        if (!inMemory) return rows.countAll(most)
        await index.hear(em)
        return (await index.holding(em, inMemory.wanted, inMemory.filter)).count(most ?? MOST_COUNTED)
      },
    },
    range,
  )
}

/** What is asked for of the catalogue. */
interface Choice {
  wanted: Wanted | null
  filter: Filter
  conditions: readonly Condition[]
  /** Whether memory tells what it holds. Of a time of changes it does not, and whole lists are the database's own. */
  isInMemory: boolean
}

/** Null when nothing can match. */
async function readChoice(
  em: EntityManager,
  index: FacetIndex,
  { keyword, ...given }: ProductFilter & { keyword?: string | null | undefined },
): Promise<Choice | null> {
  const filter = readFilter(given)
  const typed = keyword?.trim()
  if (!filter) return null
  const isInMemory = filter.updatedFrom == null && filter.updatedTo == null
  const narrowings = filterConditions(filter)
  if (!typed && (narrowings.length === 0 || !isInMemory))
    return { wanted: null, filter, conditions: narrowings, isInMemory: false }
  await index.hear(em)
  const found = typed ? await search(em, index, typed) : EVERYTHING
  if (!found) return null
  const { wanted, condition } = found
  const conditions = narrowed(await index.holding(em, wanted, filter), [
    ...(condition ? [condition] : []),
    ...narrowings,
  ])
  return { wanted, filter, conditions, isInMemory }
}

/** What is found where no word is asked for. */
const EVERYTHING = { wanted: null, condition: null }
