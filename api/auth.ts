import { createHash, randomBytes } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { AuthChecker } from 'type-graphql'
import { Session, SESSION_DAYS } from './account/session.entity.ts'
import type { User } from './account/user.entity.ts'
import type { Context } from './context.ts'
import { forbidden, unauthenticated } from './errors.ts'

const DAY = 86_400_000
const TOUCH_EVERY = 3_600_000

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** Opens a session and answers its bearer token. Only the token's hash is stored. */
export function openSession(em: EntityManager, user: User): string {
  const token = randomBytes(32).toString('base64url')
  em.create(Session, { tokenHash: hashOf(token), user, createdAt: new Date(), usedAt: new Date() })
  return token
}

/** Who sent the request. A token that is unknown, expired or of a closed account counts as none. */
export async function authenticate(em: EntityManager, authorization: string | undefined): Promise<{ user: User | null; sessionHash: string | null }> {
  const token = /^Bearer ([\w-]{43})$/.exec(authorization ?? '')?.[1]
  if (!token) return { user: null, sessionHash: null }
  const session = await em.findOne(Session, { tokenHash: hashOf(token) }, { populate: ['user'] })
  const now = Date.now()
  if (!session || now - session.usedAt.getTime() > SESSION_DAYS * DAY) return { user: null, sessionHash: null }
  const user = session.user.unwrap()
  if (user.closedAt) return { user: null, sessionHash: null }
  if (now - session.usedAt.getTime() > TOUCH_EVERY) {
    await em.nativeUpdate(Session, { tokenHash: session.tokenHash }, { usedAt: new Date(now) })
  }
  return { user, sessionHash: session.tokenHash }
}

/** `@Authorized()` asks for a signed-in user, `@Authorized('ADMIN')` for an administrator. */
export const authChecker: AuthChecker<Context> = ({ context }, roles) => {
  if (!context.user) throw unauthenticated()
  if (roles.includes('ADMIN') && !context.user.isAdmin) throw forbidden()
  return true
}
