import type { EntityManager } from '@mikro-orm/postgresql'
import { limits } from '#schema/rules/limits'
import { present } from '#schema/rules/present'
import { signedIn, type Context } from '../context.ts'
import type { AccountProofInput } from '../generated/types.ts'
import { clock } from '../kernel/clock.ts'
import { refuse } from '../kernel/errors.ts'
import { lockAdministrators } from './manage-users.ts'
import { lockOpen } from './open-account.ts'
import { passwordMatches } from './password.ts'
import { admitCode, codeAccepted, spendCode } from './second-factor.ts'
import { Session } from './session.entity.ts'
import type { User } from './user.entity.ts'

/** How long somebody who signed in is still taken to be there. */
const FRESH_MS = 15 * 60_000

/** Whether somebody signed in a moment ago. A key never did. */
export async function isFresh({ em, sessionHash }: Context): Promise<boolean> {
  const session = sessionHash === null ? null : await em.findOne(Session, { tokenHash: sessionHash })
  return session !== null && clock.now().getTime() - session.createdAt.getTime() < FRESH_MS
}

/** The hash of the current password, when this is it. Tries are counted: a stolen session must not find it out. */
export async function provePassword(context: Context, currentPassword: string): Promise<string> {
  const { id, passwordHash } = signedIn(context)
  await context.proofThrottle.admit(id)
  const fits =
    currentPassword.length <= 2 * limits.password.max && (await passwordMatches(passwordHash, currentPassword))
  if (!fits) throw wrongPassword()
  await context.proofThrottle.succeeded(id)
  return present(passwordHash)
}

/**
 * Does something to one's own account that nobody else may: by the password or, where there is none, soon after signing in;
 * and by a code where signing in takes one. The account's row is locked meanwhile, in one transaction with the code.
 */
export async function provingIdentity<T>(
  context: Context,
  { currentPassword, code }: AccountProofInput,
  run: (tx: EntityManager, user: User) => Promise<T>,
): Promise<T> {
  const user = signedIn(context)
  if (user.passwordHash) {
    if (!currentPassword) throw passwordMissing('Please give your current password, so that nobody else does this.')
    await provePassword(context, currentPassword)
  } else if (!(await isFresh(context))) throw notFresh()
  await admitCode(context, user, code)
  const result = await context.em.transactional(async tx => {
    // Locked before one's own row, the order in which everybody locks them: another administrator may be leaving at the same
    // time.
    if (user.isAdmin) await lockAdministrators(tx)
    // The password may have been changed since it was checked.
    const same = await lockOpen(tx, { id: user.id, passwordHash: user.passwordHash })
    if (!same) throw wrongPassword()
    await spendCode(tx, same, code)
    return run(tx, same)
  })
  await codeAccepted(context, user)
  return result
}

export const notFresh = () => refuse('SIGN_IN_AGAIN', 'Please sign in again first, so that nobody else does this.')
export const passwordMissing = (message: string) => refuse('CURRENT_PASSWORD', message, { field: ['currentPassword'] })
export const wrongPassword = () => passwordMissing('This is not your current password.')
