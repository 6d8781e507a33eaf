import type { EntityManager } from '@mikro-orm/postgresql'
import { recordAudit } from '../audit/record-audit.ts'
import { clock } from '../kernel/clock.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { ApiKey } from '../partner/api-key.entity.ts'
import { endAccess } from './addresses.ts'
import { rememberDevice } from './known-devices.ts'
import type { User } from './user.entity.ts'

interface Change {
  /** Whether programs that act for the account are shut out too. */
  revokeApiKeys: boolean
  /** What the owner was called until now. */
  name?: string
}

/**
 * Inside the caller's transaction: ends sessions and a requested change of address, and mails the owner. The device it
 * is done on stays known.
 */
export async function changePassword(
  em: EntityManager,
  user: User,
  passwordHash: string,
  { revokeApiKeys, name = user.name }: Change,
): Promise<{ device: string }> {
  user.passwordHash = passwordHash
  user.newEmail = null
  await endAccess(em, user)
  if (revokeApiKeys) await revokeKeysOf(em, user)
  queueMail(em, 'PASSWORD_CHANGED', { name, email: user.email, at: clock.now().toISOString(), timeZone: user.timeZone })
  return { device: await rememberDevice(em, user) }
}

/** The keys that act for an account and still work. */
export const keysInForce = (em: EntityManager, user: Pick<User, 'id'>) =>
  em.find(ApiKey, { account: user.id, revokedAt: null }, { orderBy: { createdAt: 'asc', id: 'asc' } })

export async function revokeKeysOf(em: EntityManager, user: User): Promise<void> {
  for (const { id, name } of await keysInForce(em, user)) {
    const revoked = await em.nativeUpdate(ApiKey, { id, revokedAt: null }, { revokedAt: clock.now() })
    if (revoked > 0) await recordAudit(em, user, { entity: 'API_KEY', entityId: id, label: name, action: 'REVOKED' })
  }
}
