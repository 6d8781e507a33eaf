import type { EntityManager } from '@mikro-orm/postgresql'
import { recordEvents } from '../event/record-events.ts'
import type { User } from './user.entity.ts'

/** Tells the world that an account was opened, changed or closed, inside the caller's transaction: which, and no word about the person. */
export async function recordAccountChange(em: EntityManager, { id, isAdmin, closedAt }: User): Promise<void> {
  await recordEvents(em, [
    { type: 'CUSTOMER_CHANGED', subjectId: id, data: { customer: { id, isAdmin, isClosed: Boolean(closedAt) } } },
  ])
}
