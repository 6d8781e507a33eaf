import type { EntityManager } from '@mikro-orm/postgresql'
import type { Condition } from '../../query/paging.ts'
import { primaryOf } from '../../query/primary.ts'
import { listed, read } from '../../query/read.ts'
import { nth, valueAt } from '#schema/rules/present'
import type { FacetIndex } from './facet-index.ts'
import { placesIn, type Wanted } from './term-finder.ts'
import type { Filter } from './facet-row.ts'
import type { Keyword, Reading, Term } from './read-keyword.ts'

/** Matches beyond are not ranked: among so many, the best rated are what is looked for. */
export const MOST_RANKED = 1_000

/** Among so many best rated products is looked first for what somebody is still typing. */
const LOOKED_AT = 2_048

/** What a word in a field is worth: in the name, in category or content, among the figures, in the description. */
const WORTH = { A: 10, B: 6, C: 3, D: 1 } as const
const LABELS = Object.keys(WORTH) as (keyof typeof WORTH)[]
/** What a word is worth at most that says what something is for: of "yarn for 4mm needles" yarns come first. */
const PURPOSE_WORTH = 3

/** How well a product matches: what each query is worth that its document answers, and its SKU more than all of them. */
interface Rank {
  queries: string[]
  worths: number[]
  sku: string
}

export interface Search {
  wanted: Wanted
  /** Holds for every product that matches. */
  condition: Condition
  rank: Rank
  corrected: string | null
}

/** What a keyword finds, as far as the index has heard. Null when that is nothing. */
export async function search(
  em: EntityManager,
  index: FacetIndex,
  keyword: string,
  how?: Reading,
): Promise<Search | null> {
  const read = await index.vocabulary.read(em, keyword, how)
  if (!read) return null
  const needed = neededOf(read)
  const terms = needed.map(({ ways }) => queryOf(ways))
  const all = { terms, most: terms.length }
  const hasAll = terms.length === 1 || (await index.holding(em, all, {})).total > 0
  const wanted = hasAll ? all : { terms, most: mostOf(terms.length, read.unknown) }
  const alone = hasAll ? [] : await Promise.all(terms.map(term => index.holding(em, { terms: [term], most: 1 }, {})))
  // What no product has, ranks none before another.
  const nowhere = new Set(needed.filter((_, at) => alone[at]?.total === 0))
  const telling = read.terms.filter(term => !nowhere.has(term))
  return { wanted, condition: conditionOf(wanted), rank: rankOf(telling, keyword), corrected: read.corrected }
}

/** What every match has. */
const neededOf = ({ terms }: Keyword) => terms.filter(({ optional }) => !optional)

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

function rankOf(terms: readonly Term[], keyword: string): Rank {
  const parts = terms.flatMap(({ ways, typed, purpose }): [query: string, worth: number][] =>
    purpose
      ? [
          [queryOf(ways, ':ABC'), PURPOSE_WORTH - WORTH.D],
          [queryOf(ways), WORTH.D],
        ]
      : [
          ...LABELS.map((label): [string, number] => [queryOf(ways, `:${label}`), WORTH[label]]),
          [queryOf([typed], ':AB'), 4],
        ],
  )
  return {
    queries: parts.map(([query]) => query),
    worths: parts.map(([, worth]) => worth),
    // No SKU has a space: words in any spelling are ranked alike.
    sku: /\s/.test(keyword.trim()) ? '' : keyword.trim().toUpperCase(),
  }
}

/** The places of the best of those that a search and a filter find. */
export async function bestMatches(
  em: EntityManager,
  index: FacetIndex,
  { wanted, rank }: Search,
  filter: Filter,
): Promise<readonly number[]> {
  const holding = await index.holding(em, wanted, filter)
  return inRank(em, index, holding.part('RATING', { descending: true, offset: 0, limit: MOST_RANKED }), rank, filter)
}

/**
 * The best of what a keyword finds that is not typed to its end, at least `count` where so many match. A beginning stands for many words,
 * and seldom is anything but the best rated shown of what those find.
 */
export async function firstMatches(
  em: EntityManager,
  index: FacetIndex,
  keyword: string,
  count: number,
): Promise<{ places: readonly number[]; corrected: string | null }> {
  const how = { typing: true }
  const read = await index.vocabulary.read(em, keyword, how)
  if (!read) return { places: [], corrected: null }
  const terms = neededOf(read).map(({ ways }) => queryOf(ways))
  const best = await index.bestRatedWith(em, terms, LOOKED_AT)
  const { corrected } = read
  if (best && best.length >= count) {
    const ranked = best.slice(0, MOST_RANKED)
    return { places: await inRank(em, index, ranked, rankOf(read.terms, keyword), {}), corrected }
  }
  const found = await search(em, index, keyword, how)
  return { places: found ? await bestMatches(em, index, found, {}) : [], corrected }
}

/** Places of a filter, the best match first. */
const inRank = async (em: EntityManager, index: FacetIndex, places: readonly number[], rank: Rank, filter: Filter) =>
  places.length === 0 ? [] : index.ranked([rank, filter], places, () => placesByRank(primaryOf(em), places, rank))

/** As they come, which is how they are rated, but those of more worth first. */
async function placesByRank(em: EntityManager, places: readonly number[], { queries, worths, sku }: Rank) {
  // Queries are read and documents unpacked once, not for every comparison; a thousand places are one value, not as many rows.
  const [ranked] = await read<{ places: Buffer | null; worths: Buffer | null }>(
    em,
    `select string_agg(int4send(place), ''::bytea) as places, string_agg(int4send(worth), ''::bytea) as worths from (
       select place, ${worths.map((worth, at) => `(document @@ q${at})::int * ${worth}`).join(' + ')} + (place = named)::int * 1000 as worth
       from (
         select place, document || '' as document from product_documents where place = any (?::int[]) offset 0
       ) found, (
         select coalesce((select place from products where sku = ? and archived_at is null), -1) as named, ${queries.map((_, at) => `to_tsquery('english', ?) as q${at}`).join(', ')} offset 0
       ) asked
     ) matching`,
    [listed(places), sku, ...queries],
  )
  const worthOf = placesIn(ranked?.worths ?? null)
  const worth = new Map([...placesIn(ranked?.places ?? null)].map((place, at) => [place, nth(worthOf, at)]))
  return places.filter(place => worth.has(place)).toSorted((one, other) => valueAt(worth, other) - valueAt(worth, one))
}
