import type { EntityManager } from '@mikro-orm/postgresql'
import { select } from './batch.ts'
import { MOST_COUNTED } from './page-sizes.ts'

export interface Page<T> {
  items: T[]
  page: number
  pages: number
  /** Counted up to MOST_COUNTED, or fewer of a search. */
  total: number
  /** Whether the count is exact. */
  totalIsExact: boolean
}

/** A condition in SQL with its parameters. */
export type Condition = readonly [sql: string, ...parameters: unknown[]]

/** All that must hold, as SQL with its parameters; what is falsy does not restrict. */
export function whereOf(conditions: readonly (Condition | false | null | undefined | '')[]) {
  const held = conditions.filter(condition => Boolean(condition)) as Condition[]
  return {
    filter: held.length > 0 ? `where ${held.map(([sql]) => sql).join(' and ')}` : '',
    parameters: held.flatMap(([, ...values]) => values),
  }
}

export interface Listing {
  /** The name of a table. */
  from: string
  /** The columns that tell its rows apart; its id when left out. */
  key?: string
  /** All of them hold; what is falsy does not restrict. Null: nothing can match. */
  where: readonly (Condition | false | null | undefined | '')[] | null
  /** Counting and pages end there; MOST_COUNTED when left out. */
  most?: number
  /** Trusted SQL, never from a request. */
  order: string
  page: number
  pageSize: number
}

/**
 * So many rows are found first and put in order then. More lie close enough together in an index on the order, so that going
 * through it soon has a page of them.
 */
const FEW = 1_000

/** One page of a table's rows as entities, among the first `most`. A page number out of range is moved to the nearest page. */
export async function pageOf<T extends object>(
  em: EntityManager,
  entity: new () => T,
  listing: Listing,
): Promise<Page<T>> {
  const { rows, ...page } = await pageOfRows(em, listing)
  return { items: rows.map(row => em.map(entity, row) as T), ...page }
}

/** The same as plain rows. */
export async function pageOfRows<R extends object = Record<string, unknown>>(
  em: EntityManager,
  { from, key = 'id', where, most = MOST_COUNTED, order, page: asked, pageSize }: Listing,
) {
  if (where === null) return { rows: [] as R[], page: 1, pages: 1, total: 0, totalIsExact: true }
  const { filter, parameters } = whereOf(where)
  const counted = await countRows(em, from, where, most)
  const total = Math.min(counted, most)
  const { page, pages, offset } = paginate(asked, pageSize, total)
  // PostgreSQL takes few rows for more than were counted, and would go through the whole order; `offset 0` keeps it from that.
  // Of many, which rows are on the page is told by an index alone where it knows the filter, and no other row is read.
  const rows =
    total === 0
      ? []
      : await select<R>(
          em,
          counted <= FEW
            ? `select * from (select * from ${from} ${filter} offset 0) found order by ${order} limit ? offset ?`
            : `select t.* from (select ${key} from ${from} ${filter} order by ${order} limit ? offset ?) page
               join ${from} t using (${key}) order by ${order}`,
          [...parameters, pageSize, offset],
        )
  return { rows, page, pages, total, totalIsExact: counted <= most }
}

/** How many rows there are; one more than `most` for any more. */
export async function countRows(
  em: EntityManager,
  from: string,
  where: NonNullable<Listing['where']>,
  most = MOST_COUNTED,
): Promise<number> {
  const { filter, parameters } = whereOf(where)
  const [{ total } = { total: 0 }] = await select<{ total: number }>(
    em,
    `select count(*)::int as total from (select 1 from ${from} ${filter} limit ?) counted`,
    [...parameters, most + 1],
  )
  return total
}

export function paginate(page: number, pageSize: number, total: number) {
  const pages = Math.max(1, Math.ceil(total / pageSize))
  const nearest = Math.min(Math.max(1, Math.trunc(page)), pages)
  return { page: nearest, pages, offset: (nearest - 1) * pageSize }
}
