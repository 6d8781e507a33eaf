import type { EntityManager } from '@mikro-orm/postgresql'
import type { User } from '../account/user.entity.ts'

/**
 * Makes what was ordered as a guest with the account's address the account's own, inside the transaction that confirms the
 * address. Links in letters go on opening those orders.
 */
export async function attachGuestOrders(em: EntityManager, { id, emailKey }: User): Promise<void> {
  // A guest's idempotency key is among all guests', an account's among its own.
  await em.execute(
    'update orders set user_id = ?, guest_key = null, idempotency_key = null, idempotency_hash = null where guest_key = ?',
    [id, emailKey],
  )
  await em.execute('update code_uses set user_id = ?, guest_key = null where guest_key = ?', [id, emailKey])
}
