import type { EntityManager } from '@mikro-orm/postgresql'
import type { Condition } from '../../query/paging.ts'
import { readKeyword, type Term } from './read-keyword.ts'

/** Matches beyond are not ranked: among so many, the best rated are what is looked for. */
export const MOST_RANKED = 1_000

/** What a word in a field is worth: in the name, in category or content, among the figures, in the description. */
const WORTH = { A: 10, B: 6, C: 3, D: 1 } as const
const LABELS = Object.keys(WORTH) as (keyof typeof WORTH)[]

export interface Search {
  /** Holds for every product that matches. */
  condition: Condition
  /** How well one matches, as SQL over `search_document` and `sku`. */
  rank: Condition
  corrected: string | null
}

/** What a keyword finds. Null when that is nothing. */
export async function search(
  em: EntityManager,
  keyword: string,
  options: { asTyped?: boolean; typing?: boolean } = {},
): Promise<Search | null> {
  const read = await readKeyword(em, keyword, options)
  if (!read) return null
  const needed = read.terms.filter(({ optional }) => !optional)
  const all = needed.map(term => `(${queryOf(term.ways)})`).join(' & ')
  const most = needed.length === 1 || (await matches(em, all)) ? needed.length : mostOf(needed.length, read.unknown)
  const rank = rankOf(read.terms, keyword)
  if (most === needed.length)
    return { condition: [`search_document @@ to_tsquery('english', ?)`, all], rank, corrected: read.corrected }

  const each = needed.map(term => queryOf(term.ways))
  return {
    condition: [
      `search_document @@ to_tsquery('english', ?) and ${each.map(() => `(search_document @@ to_tsquery('english', ?))::int`).join(' + ')} >= ?`,
      each.map(query => `(${query})`).join(' | '),
      ...each,
      most,
    ],
    rank,
    corrected: read.corrected,
  }
}

/** How many of so many words must match when not all do. A word that no product has never leaves just half of them. */
const mostOf = (words: number, unknown: boolean) => (unknown ? Math.floor(words / 2) + 1 : Math.ceil(words / 2))

async function matches(em: EntityManager, query: string): Promise<boolean> {
  const rows = await em.execute<object[]>(
    `select 1 from products where published_at is not null and archived_at is null and search_document @@ to_tsquery('english', ?) limit 1`,
    [query],
  )
  return rows.length > 0
}

const queryOf = (ways: readonly string[][], label = '') =>
  ways
    .map(way => (way.length === 1 ? `'${way[0]}'${label}` : `(${way.map(word => `'${word}'${label}`).join(' <-> ')})`))
    .join(' | ')

function rankOf(terms: readonly Term[], keyword: string): Condition {
  const parts = terms.flatMap(({ ways, typed }): [string, string][] => [
    ...LABELS.map((label): [string, string] => [
      `(search_document @@ to_tsquery('english', ?))::int * ${WORTH[label]}`,
      queryOf(ways, `:${label}`),
    ]),
    [`(search_document @@ to_tsquery('english', ?))::int * 4`, queryOf([typed], ':AB')],
  ])
  return [
    `${parts.map(([sql]) => sql).join(' + ')} + (sku = ?)::int * 1000`,
    ...parts.map(([, query]) => query),
    keyword.trim().toUpperCase(),
  ]
}

/** The ids of what a search finds, the best matches first; `more` conditions hold too. */
export async function bestMatches(
  em: EntityManager,
  { condition, rank }: Search,
  more: readonly Condition[],
  limit: number,
  offset = 0,
): Promise<string[]> {
  const conditions = [condition, ...more]
  const rows = await em.execute<{ id: string }[]>(
    `select id from (
       select id, sku, score, search_document from products
       where ${conditions.map(([sql]) => sql).join(' and ')} order by score desc, id desc limit ${MOST_RANKED}
     ) found
     order by ${rank[0]} desc, score desc, id desc limit ? offset ?`,
    [...conditions.flatMap(([, ...values]) => values), ...rank.slice(1), limit, offset],
  )
  return rows.map(({ id }) => id)
}
