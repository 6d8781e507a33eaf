import { randomBytes } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { Secret, TOTP } from 'otpauth'
import { present } from '#schema/rules/present'
import { recordAudit, type Actor } from '../audit/record-audit.ts'
import { hashOf } from '../kernel/tokens.ts'
import { clock } from '../kernel/clock.ts'
import type { Context } from '../context.ts'
import { refuse } from '../kernel/errors.ts'
import type { MailAbout } from '../mail/mail.entity.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { isId } from '../kernel/validation.ts'
import { lockOpen } from './open-account.ts'
import { passwordMatches } from './password.ts'
import { RecoveryCode, SecondFactor } from './second-factor.entity.ts'
import { Session } from './session.entity.ts'
import type { User } from './user.entity.ts'

const RECOVERY_CODES = 10
/** One code before and one after the present one, for clocks that are wrong. */
const WINDOW = 1

const totpOf = (secret: string, names: { issuer?: string; label?: string } = {}) =>
  new TOTP({ ...names, secret: Secret.fromBase32(secret) })

const required = () =>
  refuse('SECOND_FACTOR_REQUIRED', 'Please enter the code from your authenticator app.', { field: ['code'] })
const wrong = () =>
  refuse(
    'SECOND_FACTOR_WRONG',
    'This code is not right, or was used before. Please enter the next one your app shows.',
    { field: ['code'] },
  )
const wrongPassword = () => refuse('WRONG_CREDENTIALS', 'This is not your password.', { field: ['password'] })
const isOn = () => refuse('SECOND_FACTOR_STATE', 'The second factor of this account is on already.')
const isOff = () => refuse('SECOND_FACTOR_STATE', 'The second factor of this account is off.')

/** Counts a try before it is looked at; asks for a code where none came. Nothing for an account without a second factor. */
export async function admitCode({ codeThrottle }: Context, user: User, code: string | null | undefined): Promise<void> {
  if (!user.hasSecondFactor) return
  if (!code?.trim()) throw required()
  await codeThrottle.admit(user)
}

export async function codeAccepted({ codeThrottle }: Context, user: User): Promise<void> {
  if (user.hasSecondFactor) await codeThrottle.succeeded(user)
}

/** Uses up a code from the app or a recovery code, in the caller's transaction; throws when it is none. */
export async function spendCode(em: EntityManager, user: User, code: string | null | undefined): Promise<void> {
  if (!user.hasSecondFactor) return
  if (!code?.trim()) throw required()
  const typed = code.replaceAll(/[\s-]/g, '').toUpperCase()
  if (/^\d{6}$/.test(typed)) return spendTotp(em, user, typed)
  const used = await em.nativeDelete(RecoveryCode, { userId: user.id, codeHash: hashOf(typed) })
  if (used === 0) throw wrong()
  tell(em, user, 'CODE_USED')
}

async function spendTotp(em: EntityManager, user: User, token: string): Promise<void> {
  const factor = await em.findOneOrFail(SecondFactor, { userId: user.id }, { refresh: true })
  const totp = totpOf(factor.secret)
  const timestamp = clock.now().getTime()
  const delta = totp.validate({ token, timestamp, window: WINDOW })
  if (delta === null) throw wrong()
  const step = totp.counter({ timestamp }) + delta
  // Of two requests with the same code, the row lock lets one pass.
  const [used] = await em.execute<{ step: number }[]>(
    'update second_factors set last_step = ? where user_id = ? and (last_step is null or last_step < ?) returning last_step as step',
    [step, user.id, step],
  )
  if (!used) throw wrong()
}

/** A secret for an app, which counts once a code of it was confirmed. */
export async function beginSecondFactor(
  context: Context,
  user: User,
  password: string,
): Promise<{ secret: string; uri: string }> {
  const { em, contact } = context
  if (user.hasSecondFactor) throw isOn()
  await assertPassword(context, user, password)
  const secret = new Secret({ size: 20 }).base32
  await em.transactional(async tx => {
    const same = await lock(tx, user)
    if (same.hasSecondFactor) throw isOn()
    await tx.nativeDelete(SecondFactor, { userId: user.id })
    tx.create(SecondFactor, { userId: user.id, secret, createdAt: clock.now() })
  })
  return { secret, uri: totpOf(secret, { issuer: contact.name, label: user.email }).toString() }
}

/** Turns the second factor on. Who signed in without it is signed out. */
export async function confirmSecondFactor(context: Context, user: User, code: string): Promise<string[]> {
  const { em, sessionHash, codeThrottle } = context
  if (user.hasSecondFactor) throw isOn()
  if (!(await em.findOne(SecondFactor, { userId: user.id })))
    throw refuse('SECOND_FACTOR_STATE', 'Please begin to set up the second factor first.')
  await codeThrottle.admit(user)
  const codes = await em.transactional(async tx => {
    const same = await lock(tx, user)
    if (same.hasSecondFactor) throw isOn()
    await spendTotp(tx, same, code.replaceAll(/[\s-]/g, ''))
    same.secondFactorAt = clock.now()
    await tx.nativeDelete(Session, { user: same, ...(sessionHash && { tokenHash: { $ne: sessionHash } }) })
    await recordSwitch(tx, same, same, true)
    tell(tx, same, 'ON')
    return newRecoveryCodes(tx, same)
  })
  await codeThrottle.succeeded(user)
  return codes
}

export async function disableSecondFactor(context: Context, user: User, password: string, code: string): Promise<void> {
  await proving(context, user, password, code, async (tx, same) => {
    await removeSecondFactor(tx, same, same)
    tell(tx, same, 'OFF')
  })
}

export function renewRecoveryCodes(context: Context, user: User, password: string, code: string): Promise<string[]> {
  return proving(context, user, password, code, (tx, same) => {
    tell(tx, same, 'NEW_CODES')
    return newRecoveryCodes(tx, same)
  })
}

/** Takes it off the account of somebody who lost it. One's own is turned off with a code. */
export function resetSecondFactor(em: EntityManager, actor: User, id: string): Promise<User> {
  return em.transactional(async tx => {
    const user = isId(id) ? await lockOpen(tx, { id }) : null
    if (!user) throw refuse('NOT_FOUND', 'There is no such user.')
    if (user.id === actor.id)
      throw refuse('SECOND_FACTOR_STATE', 'Please turn off your own second factor in your profile.')
    if (!user.hasSecondFactor) throw isOff()
    await removeSecondFactor(tx, actor, user)
    await tx.nativeDelete(Session, { user })
    tell(tx, user, 'RESET')
    return user
  })
}

/** In the caller's transaction. Nothing for an account that has none. */
export async function removeSecondFactor(em: EntityManager, actor: Actor, user: User): Promise<void> {
  if (user.hasSecondFactor) await recordSwitch(em, actor, user, false)
  user.secondFactorAt = null
  await em.nativeDelete(SecondFactor, { userId: user.id })
  await em.nativeDelete(RecoveryCode, { userId: user.id })
}

/** Changes one's own second factor, which takes password and code. */
async function proving<T>(
  context: Context,
  user: User,
  password: string,
  code: string,
  run: (tx: EntityManager, same: User) => Promise<T>,
): Promise<T> {
  if (!user.hasSecondFactor) throw isOff()
  await assertPassword(context, user, password)
  const result = await context.em.transactional(async tx => {
    const same = await lock(tx, user)
    if (!same.hasSecondFactor) throw isOff()
    await spendCode(tx, same, code)
    return run(tx, same)
  })
  await context.codeThrottle.succeeded(user)
  return result
}

async function assertPassword({ codeThrottle }: Context, user: User, password: string): Promise<void> {
  await codeThrottle.admit(user)
  if (!(await passwordMatches(user.passwordHash, password))) throw wrongPassword()
}

async function lock(em: EntityManager, { id, passwordHash }: User): Promise<User> {
  const same = await lockOpen(em, { id, passwordHash })
  if (!same) throw wrongPassword()
  return same
}

/** Replaces the codes there are. 80 bits each: too many to be found out from their hashes. */
async function newRecoveryCodes(em: EntityManager, { id: userId }: User): Promise<string[]> {
  await em.nativeDelete(RecoveryCode, { userId })
  const codes = Array.from(
    { length: RECOVERY_CODES },
    () => new Secret({ buffer: Uint8Array.from(randomBytes(10)).buffer }).base32,
  )
  for (const code of codes) em.create(RecoveryCode, { userId, codeHash: hashOf(code) })
  return codes.map(code => present(code.match(/.{4}/g)).join('-'))
}

const recordSwitch = (em: EntityManager, actor: Actor, { id, email }: User, isOnNow: boolean) =>
  recordAudit(em, actor, {
    entity: 'USER',
    entityId: id,
    label: email,
    action: 'UPDATED',
    changes: [{ field: 'hasSecondFactor', before: String(!isOnNow), after: String(isOnNow) }],
  })

const tell = (
  em: EntityManager,
  { name, email, timeZone }: User,
  change: MailAbout['SECOND_FACTOR_CHANGED']['change'],
) => queueMail(em, 'SECOND_FACTOR_CHANGED', { name, email, at: clock.now().toISOString(), timeZone, change })
