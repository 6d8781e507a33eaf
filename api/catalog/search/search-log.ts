import type { EntityManager } from '@mikro-orm/postgresql'
import { LRUCache } from 'lru-cache'
import { limits } from '#schema/rules/limits'
import type { SearchOutcome } from '../../generated/types.ts'
import { clock } from '../../kernel/clock.ts'
import { MOST_COUNTED } from '../../query/page-sizes.ts'
import { paginate, type Page } from '../../query/paging.ts'

const KEPT_DAYS = 90
/** Different words of one day; others are not kept. */
const MOST_A_DAY = 5_000
/** Different words between two flushes. */
const MOST_WAITING = 1_000
/** What one client may tell a minute. */
const MOST_A_CLIENT = 30
/** All pages that the shop renders itself count as one client. */
const MOST_OF_PAGES = 600

/** Counts what people search for: the words, a day, and what became of it. Nobody's identity is written down. */
export interface SearchLog {
  searched(client: string, keyword: string, total: number): void
  clicked(client: string, keyword: string): void
  /** Writes down what was counted since the last time. */
  flush(em: EntityManager): Promise<void>
}

interface Count {
  searches: number
  hits: number
  clicks: number
  last_total: number | null
}

export function openSearchLog(): SearchLog {
  let waiting = new Map<string, Count>()
  // Which client reported what, kept for a minute only: one client counts once, and little is stored.
  const countedOf = new LRUCache<string, Set<string>>({ max: 10_000, ttl: 60_000 })

  const counts = (client: string, what: string) => {
    const known = countedOf.get(client) ?? new Set()
    if (known.has(what) && client !== 'server') return false
    if (known.size >= (client === 'server' ? MOST_OF_PAGES : MOST_A_CLIENT)) return false
    known.add(what)
    if (known.size === 1) countedOf.set(client, known)
    return true
  }
  const countOf = (words: string): Count | null => {
    const known = waiting.get(words)
    if (known) return known
    if (waiting.size >= MOST_WAITING) return null
    const count = { searches: 0, hits: 0, clicks: 0, last_total: null }
    waiting.set(words, count)
    return count
  }

  return {
    searched(client, keyword, total) {
      const words = keptWords(keyword)
      if (words === null || !counts(client, `search ${words}`)) return
      const count = countOf(words)
      if (!count) return
      count.searches++
      if (total > 0) count.hits++
      count.last_total = total
    },
    clicked(client, keyword) {
      const words = keptWords(keyword)
      if (words === null || !counts(client, `click ${words}`)) return
      const count = countOf(words)
      if (count) count.clicks++
    },
    async flush(em) {
      if (waiting.size === 0) return
      const rows = Array.from(waiting, ([words, count]) => ({ words, ...count })).toSorted((a, b) =>
        a.words < b.words ? -1 : 1,
      )
      waiting = new Map()
      const now = clock.now()
      const today = now.toISOString().slice(0, 10)
      // Of clicks alone there is no row: nobody searched for these words.
      await em.execute(
        `with counted as (select * from jsonb_to_recordset(?::jsonb) as r(words text, searches integer, hits integer, clicks integer, last_total integer)),
              room as (select greatest(0, ${MOST_A_DAY} - count(*)) as places from search_terms where day = ?::date),
              fresh as (select words from counted where searches > 0
                and not exists (select 1 from search_terms known where known.day = ?::date and known.words = counted.words)
                limit (select places from room)),
              clicked as (update search_terms t set clicks = t.clicks + counted.clicks from counted
                where t.day = ?::date and t.words = counted.words and counted.searches = 0)
         insert into search_terms (day, words, searches, hits, clicks, last_total, last_at)
         select ?::date, words, searches, hits, clicks, last_total, ? from counted
         where searches > 0 and (words in (select words from fresh)
           or exists (select 1 from search_terms known where known.day = ?::date and known.words = counted.words))
         order by words
         on conflict (day, words) do update set searches = search_terms.searches + excluded.searches,
           hits = search_terms.hits + excluded.hits, clicks = search_terms.clicks + excluded.clicks,
           last_total = excluded.last_total, last_at = excluded.last_at`,
        [JSON.stringify(rows), today, today, today, today, now, today],
      )
    },
  }
}

/** Words as they are kept. Null for what nobody has to read again: an address, a number to call, what cannot be stored. */
export function keptWords(keyword: string): string | null {
  if (keyword.length > limits.keyword || keyword.includes('\0') || !keyword.isWellFormed()) return null
  const words = keyword.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  return words === '' || words.includes('@') || (words.match(/\d/g)?.length ?? 0) > 6 ? null : words
}

export async function forgetSearches(em: EntityManager): Promise<void> {
  await em.execute('delete from search_terms where day < ?::date', [daysAgo(KEPT_DAYS)])
}

const daysAgo = (days: number) => new Date(clock.now().getTime() - days * 86_400_000).toISOString().slice(0, 10)

interface SearchTerm {
  words: string
  searches: number
  hits: number
  noHits: number
  clicks: number
  lastTotal: number
  lastSearchedAt: Date
}

/** What was searched for on the last so many days, most often first. */
export async function listSearchTerms(
  em: EntityManager,
  {
    days,
    outcome,
    page: asked,
    pageSize,
  }: { days: number; outcome: SearchOutcome | null; page: number; pageSize: number },
): Promise<Page<SearchTerm>> {
  const listed = `from search_terms where day > ?::date group by words ${
    outcome === null ? '' : `having sum(hits) ${outcome === 'FOUND' ? '>' : '='} 0`
  }`
  const since = daysAgo(Math.min(Math.max(Math.trunc(days), 1), KEPT_DAYS))
  const [{ counted }] = (await em.execute(`select count(*)::int as counted from (select 1 ${listed} limit ?) t`, [
    since,
    MOST_COUNTED + 1,
  ])) as [{ counted: number }]
  const total = Math.min(counted, MOST_COUNTED)
  const { page, pages, offset } = paginate(asked, pageSize, total)
  const rows = await em.execute<(Omit<SearchTerm, 'lastSearchedAt'> & { lastSearchedAt: string })[]>(
    `select words, sum(searches)::int as searches, sum(hits)::int as hits, sum(searches - hits)::int as "noHits", sum(clicks)::int as clicks,
       (array_agg(last_total order by day desc))[1] as "lastTotal", max(day)::text as "lastSearchedAt"
     ${listed} order by searches desc, words limit ? offset ?`,
    [since, pageSize, offset],
  )
  const items = rows.map(row => ({ ...row, lastSearchedAt: new Date(row.lastSearchedAt) }))
  return { items, page, pages, total, totalIsExact: counted <= MOST_COUNTED }
}
