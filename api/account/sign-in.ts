import { LockMode, type EntityManager } from '@mikro-orm/postgresql'
import { limits } from '#schema/rules/limits'
import { openSession } from './authenticate.ts'
import type { Context } from '../context.ts'
import { refuse } from '../kernel/errors.ts'
import { findClaimant, findOwner } from './addresses.ts'
import { isKnown, rememberDevice } from './known-devices.ts'
import { lockOpen } from './open-account.ts'
import { passwordMatches, signingIn } from './password.ts'
import { admitCode, codeAccepted, spendCode } from './second-factor.ts'
import { emailKey, type User } from './user.entity.ts'

export interface SignedIn {
  user: User
  token: string
  device: string
}

/** What somebody signs in with. `device` is what an earlier sign-in gave this browser. */
interface Credentials {
  email: string
  password: string
  code?: string | null | undefined
  device?: string | null | undefined
}

export async function login(context: Context, { email, password, code, device }: Credentials): Promise<SignedIn> {
  const { em, ip, loginThrottle } = context
  // Before counting: a try that is turned away unread must not count.
  signingIn.assertRoom()
  // Nobody has one that long, and what is counted is normalised first.
  if (email.length > limits.email || password.length > 2 * limits.password.max) throw wrongCredentials()
  const known = device && (await isKnown(em, device, email)) ? device : null
  const tries = { ip, email, device: known }
  await loginThrottle.admit(tries)
  const user = await findWith(em, email, password)
  if (!user) throw wrongCredentials()
  await loginThrottle.succeeded(tries)
  await admitCode(context, user, code)
  const signedIn = await em.transactional(async tx => {
    // The password may have been changed while it was being verified, which ended all sessions: the old one must not open a
    // new one.
    const { id, passwordHash } = user
    const same = await lockOpen(tx, { id, passwordHash }, LockMode.PESSIMISTIC_READ)
    if (!same) throw wrongCredentials()
    await spendCode(tx, same, code)
    return { user: same, token: openSession(tx, same), device: known ?? (await rememberDevice(tx, same)) }
  })
  await codeAccepted(context, user)
  return signedIn
}

/**
 * The account with this email and password: the owner's or, when it is another one's password, that which claims the
 * address. With neither password right, both are tried, whether there are such accounts or not.
 */
async function findWith(em: EntityManager, email: string, password: string): Promise<User | null> {
  const known = !email.includes('\0') && email.isWellFormed() && [...password].length <= limits.password.max
  for (const find of [findOwner, findClaimant]) {
    const user = known ? await find(em, emailKey(email)) : null
    if ((await passwordMatches(user?.passwordHash, password)) && user) return user
  }
  return null
}

const wrongCredentials = () => refuse('WRONG_CREDENTIALS', 'Invalid email or password.')
