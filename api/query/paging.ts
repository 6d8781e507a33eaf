import type { EntityManager } from '@mikro-orm/postgresql'
import { select } from './batch.ts'
import { MOST_COUNTED, MOST_FOUND } from './page-sizes.ts'

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

/** All of them hold; what is falsy does not restrict. Null: nothing can match. */
type Conditions = readonly (Condition | false | null | undefined | '')[] | null

/** All that must hold, as SQL with its parameters; what is falsy does not restrict. */
export function whereOf(conditions: NonNullable<Conditions>) {
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
  where: Conditions
  /** What is searched for: no index has what matches in the order. */
  search?: Conditions
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
/** How much farther each look for what is searched goes into the order than the one before, and how far the last one goes. */
const FARTHER = 8
const MOST_LOOKED_AT = 20_000
/** Up to so many are found and sorted to have a page of them. */
const MOST_SORTED = 100_000

/** One page of a table's rows as entities, among the first that are counted. A page number out of range is moved to the nearest page. */
export async function pageOf<T extends object>(
  em: EntityManager,
  entity: new () => T,
  listing: Listing,
): Promise<Page<T>> {
  const { rows, ...page } = await pageOfRows(em, listing)
  return { items: rows.map(row => em.map(entity, row) as T), ...page }
}

/** The same as plain rows. */
export async function pageOfRows<R extends object = Record<string, unknown>>(em: EntityManager, listing: Listing) {
  const { from, where, search = [], page: asked, pageSize } = listing
  if (where === null || search === null) return { rows: [] as R[], page: 1, pages: 1, total: 0, totalIsExact: true }
  const most = search.length > 0 ? MOST_FOUND : MOST_COUNTED
  const counted = await countRows(em, from, [...where, ...search], most)
  const total = Math.min(counted, most)
  const { page, pages, offset } = paginate(asked, pageSize, total)
  const part = { ...listing, where, search, offset }
  const rows = total === 0 ? [] : await (counted <= FEW ? sortedRows<R>(em, part) : rowsInOrder<R>(em, part))
  return { rows, page, pages, total, totalIsExact: counted <= most }
}

interface Part extends Listing {
  where: NonNullable<Conditions>
  search: NonNullable<Conditions>
  offset: number
}

/** All that match are found, and sorted then. */
function sortedRows<R extends object>(em: EntityManager, { from, where, search, order, offset, pageSize }: Part) {
  const { filter, parameters } = whereOf([...where, ...search])
  // PostgreSQL takes few rows for more than were counted, and would go through the whole order; `offset 0` keeps it from that.
  return select<R>(
    em,
    `select * from (select * from ${from} ${filter} offset 0) found order by ${order} limit ? offset ?`,
    [...parameters, pageSize, offset],
  )
}

/**
 * Goes through the order until a page is full. What is searched for is soon met in most orders, and far behind in some, as what is called
 * alike is by name: then all that match are found first, unless they are so many that to sort them takes longer than to go on.
 */
async function rowsInOrder<R extends object>(em: EntityManager, part: Part): Promise<R[]> {
  const { from, where, search, order, offset, pageSize } = part
  const all = [...where, ...search]
  const [listed, searched, wanted] = [whereOf(where), whereOf(search), whereOf(all)]
  if (search.length > 0) {
    for (let most = FARTHER * (offset + pageSize); most < FARTHER * MOST_LOOKED_AT; most *= FARTHER) {
      const near = `(select * from ${from} ${listed.filter} order by ${order} limit ?) near ${searched.filter}`
      const parameters = [...listed.parameters, Math.min(most, MOST_LOOKED_AT), ...searched.parameters]
      const rows = await rowsOf<R>(em, part, near, parameters)
      if (rows.length === pageSize) return rows
    }
    if ((await estimatedRows(em, from, all)) <= MOST_SORTED) return sortedRows(em, part)
  }
  return rowsOf<R>(em, part, `${from} ${wanted.filter}`, wanted.parameters)
}

/** Which rows are on the page is told by an index alone where it knows the conditions; no other row is read. */
const rowsOf = <R extends object>(
  em: EntityManager,
  { from, key = 'id', order, offset, pageSize }: Part,
  source: string,
  parameters: readonly unknown[],
) =>
  select<R>(
    em,
    `select t.* from (select ${key} from ${source} order by ${order} limit ? offset ?) page
     join ${from} t using (${key}) order by ${order}`,
    [...parameters, pageSize, offset],
  )

/** How many rows there are; one more than `most` for any more. */
export async function countRows(
  em: EntityManager,
  from: string,
  where: NonNullable<Conditions>,
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

/** How many rows there are as PostgreSQL reckons, without reading any. */
async function estimatedRows(em: EntityManager, from: string, where: NonNullable<Conditions>): Promise<number> {
  const { filter, parameters } = whereOf(where)
  const [{ 'QUERY PLAN': plan }] = await em.execute<[{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }]>(
    `explain (format json) select 1 from ${from} ${filter}`,
    parameters,
  )
  return plan[0].Plan['Plan Rows']
}

export function paginate(page: number, pageSize: number, total: number) {
  const pages = Math.max(1, Math.ceil(total / pageSize))
  const nearest = Math.min(Math.max(1, Math.trunc(page)), pages)
  return { page: nearest, pages, offset: (nearest - 1) * pageSize }
}
