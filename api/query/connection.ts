import { DriverException, type EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { nth } from '#schema/rules/present'
import { select } from './batch.ts'
import { refuse } from '../kernel/errors.ts'
import { MOST_COUNTED } from './page-sizes.ts'
import { countRows, whereOf, type Condition } from './paging.ts'
import { isId } from '../kernel/validation.ts'

export interface Connection<T> {
  edges: { cursor: string; node: T }[]
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null }
  /** How many there are in all; one more than `most` for any more. */
  countAll(most?: number): Promise<number>
}

/** Which part of a connection is asked for. */
export interface ConnectionArguments {
  first?: number | null | undefined
  after?: string | null | undefined
  last?: number | null | undefined
  before?: string | null | undefined
}

export interface Connecting {
  table: string
  /** What is read of each row; everything when left out. */
  columns?: string
  /** As in a Listing. */
  where: readonly (Condition | false | null | undefined | '')[] | null
  /** What it is sorted by before the id: trusted SQL, and PostgreSQL's name for its type. */
  by: readonly [sql: string, type: string]
  direction: 'asc' | 'desc'
  /**
   * Sorted by the transaction that wrote each row: shown once all earlier ones have ended, so that nothing comes in
   * before a cursor any more. Reading on from the last cursor misses nothing.
   */
  isFeed?: boolean
}

/** How many edges can be asked for, and how many there are when nobody says. */
export const MOST = 100
export const USUAL = 20

/**
 * A part of a table's rows as a Relay connection. A cursor holds the sorted value and the id of its row, not a number of
 * rows: what comes in before it moves nothing.
 */
export async function connectionOf<T extends { id: string }>(
  em: EntityManager,
  entity: new () => T,
  connecting: Connecting,
  range: ConnectionArguments,
): Promise<Connection<T>> {
  const { edges, ...around } = await connectionOfRows(em, connecting, range)
  return { edges: edges.map(({ cursor, node }) => ({ cursor, node: em.map(entity, node) as T })), ...around }
}

/** The same as plain rows. */
export async function connectionOfRows<R extends { id: string } & Record<string, unknown>>(
  em: EntityManager,
  connecting: Connecting,
  range: ConnectionArguments,
): Promise<Connection<R>> {
  return connectionBy(await sortedRows<R>(em, connecting), range)
}

/** Where a row stands in a list: by what that is sorted by, then by its id. */
export interface Key {
  value: string
  id: string
}

/** The first so many rows of a list in an order, of those between two keys. */
export interface Stretch {
  above: Key | null
  below: Key | null
  order: 'asc' | 'desc'
  limit: number
}

/** What a connection shows parts of. */
export interface Sorted<T> {
  /** Cursors of another list are refused. */
  list: string
  direction: 'asc' | 'desc'
  /** One without a node is shown no more, but counts as part of the list: it may have left since its key was read. */
  find(stretch: Stretch): Promise<(Key & { node: T | null })[]>
  countAll: Connection<T>['countAll']
}

/** A table's rows as PostgreSQL sorts, finds and counts them. */
export async function sortedRows<R extends { id: string } & Record<string, unknown>>(
  em: EntityManager,
  { table, columns = '*', where, by: [sql, type], direction, isFeed = false }: Connecting,
): Promise<Sorted<R>> {
  const settled: Condition | false = isFeed && [`${sql} < pg_snapshot_xmin(pg_current_snapshot())`]
  return {
    list: `${sql} ${direction}${isFeed ? ` ${await epochOf(em)}` : ''}`,
    direction,
    async find({ above, below, order, limit }) {
      if (where === null) return []
      const limits = [[above, '>'] as const, [below, '<'] as const].map(
        ([key, sign]): Condition | null => key && [`(${sql}, id) ${sign} (?::${type}, ?::uuid)`, key.value, key.id],
      )
      const { filter, parameters } = whereOf([...where, settled, ...limits])
      const rows = await read(
        em,
        `select ${columns}, (${sql})::text as cursor_value from ${table} ${filter}
     order by ${sql} ${order}, id ${order} limit ?`,
        [...parameters, limit],
      )
      return rows.map(({ cursor_value, ...row }) => ({ value: cursor_value, id: row.id, node: row as unknown as R }))
    },
    countAll: async (most = MOST_COUNTED) => (where === null ? 0 : countRows(em, table, where, most)),
  }
}

export async function connectionBy<T>(
  { list, direction, find, countAll }: Sorted<T>,
  range: ConnectionArguments,
): Promise<Connection<T>> {
  const { count, backwards } = sizeOf(range)
  const after = range.after == null ? null : keyOf(range.after, list)
  const before = range.before == null ? null : keyOf(range.before, list)
  const [above, below] = direction === 'desc' ? [before, after] : [after, before]
  const order = backwards === (direction === 'desc') ? 'asc' : 'desc'
  const found = count === 0 ? [] : await find({ above, below, order, limit: count + 1 })
  const more = found.length > count
  const shown = found.slice(0, count)
  if (backwards) shown.reverse()
  const cursors = shown.map(({ value, id }) => toCursor([list, value, id]))
  return {
    edges: shown.flatMap(({ node }, at) => (node ? [{ cursor: nth(cursors, at), node }] : [])),
    pageInfo: {
      hasNextPage: backwards ? range.before != null : more,
      hasPreviousPage: backwards ? more : range.after != null,
      startCursor: cursors[0] ?? null,
      endCursor: cursors.at(-1) ?? null,
    },
    countAll,
  }
}

/** The transactions of a restored database are counted from the start: its cursors are others. */
async function epochOf(em: EntityManager): Promise<string> {
  const [{ epoch } = { epoch: '' }] = await select<{ epoch: string }>(em, 'select change_epoch() as epoch', [])
  return epoch
}

function sizeOf({ first, last }: ConnectionArguments): { count: number; backwards: boolean } {
  if (first != null && last != null) throw refuse('INVALID', 'Give `first` or `last`, not both.')
  const [name, count] = last != null ? ['last', last] : ['first', first ?? USUAL]
  if (count < 0 || count > MOST)
    throw refuse('INVALID', `\`${name}\` is ${count}, but must be from 0 to ${MOST}.`, { field: [name] })
  return { count, backwards: last != null }
}

type Row = { id: string; cursor_value: string } & Record<string, unknown>

async function read(em: EntityManager, sql: string, parameters: unknown[]): Promise<Row[]> {
  try {
    return await select<Row>(em, sql, parameters)
  } catch (error) {
    // Data that PostgreSQL cannot read: the cursor was made up.
    if (error instanceof DriverException && String(error.code).startsWith('22')) throw badCursor()
    throw error
  }
}

const cursor = z.tuple([z.string(), z.string(), z.string().refine(isId)])
const toCursor = (place: z.infer<typeof cursor>) => Buffer.from(JSON.stringify(place)).toString('base64url')
const badCursor = () => refuse('INVALID', 'This is not a cursor of this list.')

function keyOf(text: string, list: string): Key {
  try {
    const [of, value, id] = cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
    if (of === list && !value.includes('\0')) return { value, id }
  } catch {
    // Answered below.
  }
  throw badCursor()
}
