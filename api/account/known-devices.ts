import type { EntityManager } from '@mikro-orm/postgresql'
import { hashOf, newToken } from '../kernel/tokens.ts'
import { clock } from '../kernel/clock.ts'
import { KnownDevice } from './known-device.entity.ts'
import { emailKey, type User } from './user.entity.ts'

/** More devices than one person uses. */
const PER_ACCOUNT = 20

/** Length of a token. */
const LENGTH = 43

/** Remembers this browser and returns the token it keeps. The caller flushes. */
export async function rememberDevice(em: EntityManager, user: User): Promise<string> {
  const token = newToken()
  em.create(KnownDevice, { tokenHash: hashOf(token), user, createdAt: clock.now() })
  await em.execute(
    'delete from known_devices where token_hash in (select token_hash from known_devices where user_id = ? order by created_at desc offset ?)',
    [user.id, PER_ACCOUNT - 1],
  )
  return token
}

/** Whether the account with this email was signed in from there. */
export async function isKnown(em: EntityManager, device: string, email: string): Promise<boolean> {
  if (device.length > LENGTH) return false
  const known = await em.findOne(KnownDevice, { tokenHash: hashOf(device) }, { populate: ['user'] })
  const user = known?.user.unwrap()
  return user !== undefined && user.closedAt === null && user.emailKey === emailKey(email)
}
