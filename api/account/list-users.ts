import type { EntityManager } from '@mikro-orm/postgresql'
import { annotated } from '../annotation/find-annotated.ts'
import { likeWords } from '../query/search-words.ts'
import type { UserFilter, UserSort, UserStats } from '../generated/types.ts'
import { pageOf, type Condition, type Page } from '../query/paging.ts'
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
  const { search, role } = filter
  const words = likeWords(search)
  const direction = sort?.direction === 'ASC' ? 'asc' : 'desc'
  return pageOf(em, User, {
    from: 'users',
    where:
      words === null
        ? null
        : [
            ['closed_at is null'],
            role && [role === 'ADMIN' ? 'is_admin' : 'not is_admin'],
            ...annotated('USER', filter),
            ...words.map((word): Condition => [`lower(name || ' ' || email) like ?`, word]),
          ],
    order: `${sortColumns[sort?.field ?? 'CREATED']} ${direction}, id ${direction}`,
    page,
    pageSize,
  })
}

export async function userStats(em: EntityManager): Promise<UserStats> {
  const [stats] = await em.execute<[{ total: number; admins: number }]>(
    'select count(*)::int as total, (count(*) filter (where is_admin))::int as admins from users where closed_at is null',
  )
  return { totalUsers: stats.total, adminUsers: stats.admins, nonAdminUsers: stats.total - stats.admins }
}
