import type { EntityManager } from '@mikro-orm/postgresql'
import type { Load } from '../query/batch.ts'
import { LinkedIdentity } from './linked-identity.entity.ts'
import type { User } from './user.entity.ts'

/** Of each account, oldest first. */
export const identitiesOf: Load<string, LinkedIdentity[]> = async (em, ids) => {
  const found = await em.find(
    LinkedIdentity,
    { account: { $in: [...new Set(ids)] } },
    { orderBy: { createdAt: 'asc', id: 'asc' } },
  )
  const byAccount = Map.groupBy(found, identity => identity.account.id)
  return ids.map(id => byAccount.get(id) ?? [])
}

/** Unlinks every provider from an account. */
export async function forgetIdentities(em: EntityManager, user: User): Promise<void> {
  await em.nativeDelete(LinkedIdentity, { account: user })
}
