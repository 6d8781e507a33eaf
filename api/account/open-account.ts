import { LockMode, type EntityManager, type FindOneOptions } from '@mikro-orm/postgresql'
import { unauthenticated } from '../kernel/errors.ts'
import { isId } from '../kernel/validation.ts'
import { read } from '../query/read.ts'
import { User } from './user.entity.ts'

/** The account of this id. Null when it is closed, or there is none. */
export const findOpen = async (em: EntityManager, id: string, options?: FindOneOptions<User>): Promise<User | null> =>
  isId(id) ? em.findOne(User, { id, closedAt: null }, options) : null

/** What was seen of an account before it is locked. */
type Seen = Pick<User, 'id'> & Partial<Pick<User, 'passwordHash' | 'emailKey'>>

/**
 * The account, locked until the transaction ends and read anew. Null when it was closed meanwhile or is no longer what was
 * seen of it: its password may have been changed while it was being verified.
 */
export const lockOpen = (
  em: EntityManager,
  { id, passwordHash, emailKey }: Seen,
  lockMode: LockMode = LockMode.PESSIMISTIC_WRITE,
): Promise<User | null> =>
  em.findOne(
    User,
    {
      id,
      ...(passwordHash !== undefined && { passwordHash }),
      ...(emailKey !== undefined && { emailKey }),
      closedAt: null,
    },
    { lockMode, refresh: true },
  )

/** One's own account, locked until the transaction ends and read anew. Throws when it was closed meanwhile. */
export async function lockOwn(em: EntityManager, { id }: Pick<User, 'id'>): Promise<User> {
  const user = await lockOpen(em, { id })
  if (!user) throw unauthenticated()
  return user
}

/** `no key update` is for those who take turns, `share` for those whom a change of the account shall wait for. */
type Lock = 'key share' | 'share' | 'no key update'

/** The id of an account (`?`) that is open, and stays open until the transaction ends, as SQL. */
export const openAccount = (lock: Lock) => `select id from users where id = ? and closed_at is null for ${lock}`

/** Lets nothing about a person be written after their account was deleted: it stays open until the transaction ends. */
export async function assertOpen(em: EntityManager, id: string, lock: Lock = 'key share'): Promise<void> {
  const [open] = await read(em, openAccount(lock), [id])
  if (!open) throw unauthenticated()
}
