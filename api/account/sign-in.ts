import { LockMode, UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { changesBetween, recordAudit } from '../audit/record-audit.ts'
import { openSession } from './authenticate.ts'
import { clock } from '../kernel/clock.ts'
import type { Context } from '../context.ts'
import { refuse } from '../kernel/errors.ts'
import type { ProfileInput, RegisterInput } from '../generated/types.ts'
import { check, email, requiredText } from '../kernel/validation.ts'
import { hashOfChosen, password } from './choose-password.ts'
import { assertHashable, passwordMatches } from './password.ts'
import { PasswordReset } from './password-reset.entity.ts'
import { changePassword } from './reset-password.ts'
import { admitCode, codeAccepted, spendCode } from './second-factor.ts'
import { emailKey, User } from './user.entity.ts'

const name = requiredText('Name', limits.name)
const registration = z.object({ name, email, password })
const profile = z.object({ name, email, password: z.preprocess(value => value || undefined, password.optional()) })

export interface SignedIn {
  user: User
  token: string
}

export async function register(em: EntityManager, input: RegisterInput): Promise<SignedIn> {
  const { name, email, password } = check(registration, input)
  const passwordHash = await hashOfChosen(password, { name, email })
  return uniqueEmail(async () => {
    const user = em.create(User, { name, email, emailKey: emailKey(email), emailVerifiedAt: clock.now(), passwordHash })
    const token = openSession(em, user)
    await em.flush()
    return { user, token }
  })
}

export async function login(context: Context, email: string, password: string, code: string | null | undefined): Promise<SignedIn> {
  const { em, ip, loginThrottle } = context
  // First, so that a try nobody looks at is not counted either.
  assertHashable()
  // Nobody has one that long, and what is counted is normalised first.
  if (email.length > limits.email || password.length > 2 * limits.password.max) throw wrongCredentials()
  await loginThrottle.admit(ip, email)
  const known = !email.includes('\0') && email.isWellFormed() && [...password].length <= limits.password.max
  const user = known ? await em.findOne(User, { emailKey: emailKey(email), closedAt: null }) : null
  if (!(await passwordMatches(user?.passwordHash, password)) || !user) {
    throw wrongCredentials()
  }
  await loginThrottle.succeeded(ip, email)
  await admitCode(context, user, code)
  const signedIn = await em.transactional(async tx => {
    // While the password was verified it may have been changed, which ended all sessions: no new one for the old password.
    const same = await tx.findOne(User, { id: user.id, passwordHash: user.passwordHash, closedAt: null }, { lockMode: LockMode.PESSIMISTIC_READ, refresh: true })
    if (!same) throw wrongCredentials()
    await spendCode(tx, same, code)
    return { user: same, token: openSession(tx, same) }
  })
  await codeAccepted(context, user)
  return signedIn
}

const wrongCredentials = () => refuse('WRONG_CREDENTIALS', 'Invalid email or password.')

/** Changes one's own account. A new password ends every session and opens a new one. */
export async function updateProfile(em: EntityManager, user: User, input: ProfileInput): Promise<{ user: User; token: string | null }> {
  const changes = check(profile, input)
  const passwordHash = changes.password && (await hashOfChosen(changes.password, changes))
  return uniqueEmail(() =>
    em.transactional(async tx => {
      const before = { id: user.id, name: user.name, email: user.email }
      const audited = changesBetween(before, changes, ['name', 'email'])
      if (audited.length > 0) await recordAudit(tx, before, { entity: 'USER', entityId: user.id, label: user.email, action: 'UPDATED', changes: audited })
      tx.assign(user, { name: changes.name, email: changes.email, emailKey: emailKey(changes.email) })
      // A link in a mailbox that is no longer the account's opens nothing.
      if (user.email !== before.email) await tx.nativeDelete(PasswordReset, { user })
      if (!passwordHash) return { user, token: null }
      await changePassword(tx, user, passwordHash, before)
      return { user, token: openSession(tx, user) }
    }),
  )
}

/** The database decides whether an address is free, so that two who ask at once do not both get it. */
export async function uniqueEmail<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) {
      throw refuse('EMAIL_TAKEN', 'An account with this email already exists.', { field: ['email'] })
    }
    throw error
  }
}
