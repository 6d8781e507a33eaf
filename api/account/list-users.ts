import type { EntityManager } from '@mikro-orm/postgresql'
import { annotated } from '../annotation/find-annotated.ts'
import { likeWords } from '../query/search-words.ts'
import type { UserConnectionSort, UserFilter, UserSort, UserStats } from '../generated/types.ts'
import { changed } from '../query/changed.ts'
import { connectionOf, type Connection, type ConnectionArguments } from '../query/connection.ts'
import { pageOf, type Condition, type Page } from '../query/paging.ts'
import { tallied } from '../query/tallies.ts'
import { User } from './user.entity.ts'

const sortColumns = { NAME: 'lower(name)', EMAIL: 'lower(email)', ROLE: 'is_admin', CREATED: 'created_at' } as const

/** One page of the accounts that are not closed. */
export function listUsers(
  em: EntityManager,
  filter: UserFilter,
  sort: UserSort | null,
  page: number,
  pageSize: number,
): Promise<Page<User>> {
  const direction = sort?.direction === 'ASC' ? 'asc' : 'desc'
  return pageOf(em, User, {
    from: 'users',
    where: conditionsOf({ ...filter, search: null }),
    search: searched(filter.search),
    order: `${sortColumns[sort?.field ?? 'CREATED']} ${direction}, id ${direction}`,
    page,
    pageSize,
  })
}

export type ConnectedUsers = Connection<User>

const connectionColumns = { CREATED: ['created_at', 'timestamptz'], UPDATED: ['updated_in', 'xid8'] } as const

/** A part of the accounts that are not closed, newest first unless sorted. */
export function connectUsers(
  em: EntityManager,
  filter: UserFilter,
  sort: UserConnectionSort | null,
  range: ConnectionArguments,
): Promise<ConnectedUsers> {
  return connectionOf(
    em,
    User,
    {
      table: 'users',
      where: conditionsOf(filter),
      by: connectionColumns[sort?.field ?? 'CREATED'],
      direction: sort?.direction === 'ASC' ? 'asc' : 'desc',
      isFeed: sort?.field === 'UPDATED',
    },
    range,
  )
}

/** The filter as SQL. Null when nothing can match. */
function conditionsOf(filter: UserFilter): (Condition | false)[] | null {
  const { search, role } = filter
  const words = searched(search)
  const narrowed = changed(filter)
  return (
    words &&
    narrowed && [
      ['closed_at is null'],
      role ? [role === 'ADMIN' ? 'is_admin' : 'not is_admin'] : false,
      ...narrowed,
      ...annotated('USER', filter),
      ...words,
    ]
  )
}

const searched = (search: string | null | undefined) =>
  likeWords(search)?.map((word): Condition => [`lower(name || ' ' || email) like ?`, word]) ?? null

export async function userStats(em: EntityManager): Promise<UserStats> {
  const tally = await tallied(em, ['ACCOUNTS', 'ACCOUNTS ADMIN'])
  const { ACCOUNTS: nonAdminUsers, 'ACCOUNTS ADMIN': adminUsers } = tally
  return { totalUsers: nonAdminUsers + adminUsers, adminUsers, nonAdminUsers }
}
