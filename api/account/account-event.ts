import type { EntityManager } from '@mikro-orm/postgresql'
import { recordEvents } from '../event/record-events.ts'
import type { User } from './user.entity.ts'

/** Tells the world that an account was opened, changed or closed, inside the caller's transaction: which, and no word about the person. */
export async function recordAccountChange(em: EntityManager, { id }: Pick<User, 'id'>): Promise<void> {
  await em.flush()
  const accounts = await em.execute<{ updatedAt: string }[]>(
    `select id, is_admin as "isAdmin", email_verified_at is not null as "emailVerified", closed_at is not null as "isClosed",
       updated_at as "updatedAt", version
     from users where id = ?`,
    [id],
  )
  await recordEvents(
    em,
    accounts.map(({ updatedAt, ...customer }) => ({
      type: 'CUSTOMER_CHANGED',
      subjectId: id,
      data: { customer: { ...customer, updatedAt: new Date(updatedAt).toISOString() } },
    })),
  )
}
