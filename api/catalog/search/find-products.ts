import type { EntityManager } from '@mikro-orm/postgresql'
import type { Condition } from '../../query/paging.ts'
import { listed } from '../../query/read.ts'
import type { FacetIndex } from './facet-index.ts'
import type { Wanted } from './term-finder.ts'
import type { Filter } from './product-filter.ts'
import { readKeyword, type Term } from './read-keyword.ts'

/** Matches beyond are not ranked: among so many, the best rated are what is looked for. */
export const MOST_RANKED = 1_000

/** What a word in a field is worth: in the name, in category or content, among the figures, in the description. */
const WORTH = { A: 10, B: 6, C: 3, D: 1 } as const
const LABELS = Object.keys(WORTH) as (keyof typeof WORTH)[]
/** What a word is worth at most that says what something is for: of "yarn for 4mm needles" yarns come first. */
const PURPOSE_WORTH = 3

export interface Search {
  wanted: Wanted
  /** Holds for every product that matches. */
  condition: Condition
  /** How well one matches, as SQL over `search_document` and `sku`. */
  rank: Condition
  corrected: string | null
}

/** What a keyword finds. Null when that is nothing. */
export async function search(
  em: EntityManager,
  index: FacetIndex,
  keyword: string,
  options: { asTyped?: boolean; typing?: boolean } = {},
): Promise<Search | null> {
  const read = await readKeyword(em, keyword, options)
  if (!read) return null
  const terms = read.terms.filter(({ optional }) => !optional).map(({ ways }) => queryOf(ways))
  const all = { terms, most: terms.length }
  const hasAll = terms.length === 1 || (await index.holding(em, all, {})).total > 0
  const wanted = hasAll ? all : { terms, most: mostOf(terms.length, read.unknown) }
  return { wanted, condition: conditionOf(wanted), rank: rankOf(read.terms, keyword), corrected: read.corrected }
}

function conditionOf({ terms, most }: Wanted): Condition {
  const joined = (by: '&' | '|') => terms.map(term => `(${term})`).join(` ${by} `)
  if (most === terms.length) return [`search_document @@ to_tsquery('english', ?)`, joined('&')]
  return [
    `search_document @@ to_tsquery('english', ?) and ${terms.map(() => `(search_document @@ to_tsquery('english', ?))::int`).join(' + ')} >= ?`,
    joined('|'),
    ...terms,
    most,
  ]
}

/** How many of so many words must match when not all do. A word that no product has never leaves just half of them. */
const mostOf = (words: number, unknown: boolean) => (unknown ? Math.floor(words / 2) + 1 : Math.ceil(words / 2))

const queryOf = (ways: readonly string[][], label = '') =>
  ways
    .map(way => (way.length === 1 ? `'${way[0]}'${label}` : `(${way.map(word => `'${word}'${label}`).join(' <-> ')})`))
    .join(' | ')

function rankOf(terms: readonly Term[], keyword: string): Condition {
  const worth = (of: number, query: string): [string, string] => [
    `(search_document @@ to_tsquery('english', ?))::int * ${of}`,
    query,
  ]
  const parts = terms.flatMap(({ ways, typed, purpose }) =>
    purpose
      ? [worth(PURPOSE_WORTH - WORTH.D, queryOf(ways, ':ABC')), worth(WORTH.D, queryOf(ways))]
      : [...LABELS.map(label => worth(WORTH[label], queryOf(ways, `:${label}`))), worth(4, queryOf([typed], ':AB'))],
  )
  return [
    `${parts.map(([sql]) => sql).join(' + ')} + (sku = ?)::int * 1000`,
    ...parts.map(([, query]) => query),
    keyword.trim().toUpperCase(),
  ]
}

/** How many products a search finds, and the places of the best matches. */
export async function bestMatches(
  em: EntityManager,
  index: FacetIndex,
  { wanted, rank }: Search,
  filter: Filter,
): Promise<{ total: number; places: readonly number[] }> {
  const holding = await index.holding(em, wanted, filter)
  const best = holding.part('RATING', { descending: true, offset: 0, limit: MOST_RANKED })
  const places = best.length === 0 ? [] : await index.ranked([rank, filter], best, () => placesByRank(em, best, rank))
  return { total: holding.total, places }
}

async function placesByRank(em: EntityManager, places: readonly number[], [rank, ...values]: Condition) {
  // Each document is unpacked once, not for every comparison.
  const rows = await em.execute<{ place: number }[]>(
    `select place from (
       select place, id, sku, score, search_document || '' as search_document from products where place = any (?::int[]) offset 0
     ) found
     order by ${rank} desc, score desc, id desc`,
    [listed(places), ...values],
  )
  return rows.map(({ place }) => place)
}
