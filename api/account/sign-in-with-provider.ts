import { UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { namedAccount } from '#schema/rules/shapes/account'
import { present } from '#schema/rules/present'
import type { Context } from '../context.ts'
import type { ProviderSignInInput } from '../generated/classes.ts'
import { refuse } from '../kernel/errors.ts'
import { check, knownTimeZone } from '../kernel/validation.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { recordAccountChange } from './account-event.ts'
import { confirmAddress, findClaimant, findOwner, takeTurn } from './addresses.ts'
import { openSession } from './authenticate.ts'
import { isKnown, rememberDevice } from './known-devices.ts'
import { link } from './link-identity.ts'
import { LinkedIdentity } from './linked-identity.entity.ts'
import { lockOpen } from './open-account.ts'
import { passwordMatches, signingIn } from './password.ts'
import { PROVIDER_NAMES, provePerson, unproven, type Proven } from './prove-person.ts'
import type { Person } from './providers.ts'
import { admitCode, codeAccepted, spendCode } from './second-factor.ts'
import type { SignedIn } from './sign-in.ts'
import { emailKey, User } from './user.entity.ts'

/** Signs in as the person whom a provider vouches for; in a new account when there is none. */
export async function signInWithProvider(context: Context, input: ProviderSignInInput): Promise<SignedIn> {
  const { ip, providerThrottle } = context
  await providerThrottle.admit(ip)
  const proven = await provePerson(context, input.credential)
  const run = () => enter(context, proven, input)
  const signedIn = await run().catch((error: unknown) => {
    // A concurrent request created the account first: now it exists.
    if (error instanceof UniqueConstraintViolationException) return run()
    throw error
  })
  await providerThrottle.succeeded(ip)
  return signedIn
}

async function enter(
  context: Context,
  { person, spend }: Proven,
  { password, newAccount, code, device, timeZone }: ProviderSignInInput,
): Promise<SignedIn> {
  const em = context.em.fork()
  const identity = await em.findOne(
    LinkedIdentity,
    { issuer: person.issuer, subject: person.subject },
    { populate: ['account'] },
  )
  const found =
    identity?.account.unwrap() ??
    (await findByEmail({ ...context, em }, person, { password, device, newAccount: newAccount === true }))
  if (found) await admitCode(context, found, code)
  else await context.registerThrottle.admit(context.ip)
  const signedIn = await em.transactional(async tx => {
    if (!identity && person.email !== null && person.emailIs === 'THEIRS') await takeTurn(tx, emailKey(person.email))
    if (!(await spend(tx))) throw unproven()
    const user = found ? await sameStill(tx, found, identity) : await open(tx, person, timeZone)
    if (found) await spendCode(tx, user, code)
    if (found && !identity) {
      await link(tx, user, person)
      if (person.emailIs === 'THEIRS') await confirmAddress(tx, user)
    }
    const known = device && (await isKnown(tx, device, user.email)) ? device : null
    return { user, token: openSession(tx, user), device: known ?? (await rememberDevice(tx, user)) }
  })
  if (found) await codeAccepted(context, found)
  return signedIn
}

interface Known {
  password: string | null | undefined
  device: string | null | undefined
  newAccount: boolean
}

/** The account that the email, as far as the provider is sure of it, and the password show to be the person's. */
async function findByEmail(
  context: Context,
  person: Person,
  { password, device, newAccount }: Known,
): Promise<User | null> {
  const { em, ip, loginThrottle } = context
  const { email, emailIs, provider } = person
  // The answer does not reveal whether an address has an account.
  if (email === null || emailIs === 'CLAIMED') return null
  const owner = await findOwner(em, emailKey(email))
  if (owner && emailIs === 'THEIRS') return owner
  if (newAccount) return null
  const user = owner ?? (await findClaimant(em, emailKey(email)))
  const name = PROVIDER_NAMES[provider]
  if (!user?.passwordHash) {
    if (!owner) return null
    throw refuse(
      'EMAIL_TAKEN',
      `Your email has an account already. Please sign in as before; then link ${name} in your profile.`,
    )
  }
  if (!password)
    throw refuse(
      'PASSWORD_REQUIRED',
      owner
        ? `Your email has an account already. Please enter its password once, and ${name} opens it from then on.`
        : `An account has your email without having confirmed it. If it is yours, please enter its password, and ${name} opens it from then on. If it is not, go on with a new account.`,
      { field: ['password'] },
    )
  signingIn.assertRoom()
  const known = device && (await isKnown(em, device, email)) ? device : null
  const tries = { ip, email, device: known }
  await loginThrottle.admit(tries)
  if (password.length > 2 * limits.password.max || !(await passwordMatches(user.passwordHash, password)))
    throw refuse('WRONG_CREDENTIALS', 'This is not the password of that account.', { field: ['password'] })
  await loginThrottle.succeeded(tries)
  return user
}

/** The account, locked, unless its sign-in data has changed in the meantime. */
async function sameStill(
  em: EntityManager,
  { id, passwordHash, emailKey }: User,
  identity: LinkedIdentity | null,
): Promise<User> {
  const same = await lockOpen(em, { id, passwordHash, emailKey })
  const isLinked = !identity || (await em.count(LinkedIdentity, { id: identity.id, account: id })) > 0
  if (!same || !isLinked) throw unproven()
  return same
}

/** Opens an account without a password. */
async function open(em: EntityManager, person: Person, timeZone: string | null | undefined): Promise<User> {
  const { provider, issuer, subject, email, emailIs } = person
  if (email === null)
    throw refuse(
      'INVALID',
      `${PROVIDER_NAMES[provider]} did not tell us your email, which we need for your orders. Please allow it there, or register with a password.`,
    )
  const account = check(namedAccount.extend({ timeZone: knownTimeZone }), { name: nameOf(person), email, timeZone })
  const user = em.create(User, {
    ...account,
    emailKey: emailKey(account.email),
    emailVerifiedAt: null,
    newEmail: null,
    passwordHash: null,
  })
  em.create(LinkedIdentity, { account: user, provider, issuer, subject, email })
  await em.flush()
  if (emailIs === 'THEIRS') await confirmAddress(em, user)
  else queueMail(em, 'EMAIL_CONFIRMATION', { userId: user.id, email: user.email, emailKey: user.emailKey })
  await recordAccountChange(em, user)
  return user
}

const aName = z.string().trim().min(1).max(limits.name)

/** As the provider has it; otherwise what stands before the @, unless a machine made that up. */
function nameOf({ name, email }: Person): string {
  const [mailbox = '', host] = present(email).split('@')
  const candidates = [name, host === 'privaterelay.appleid.com' ? null : mailbox]
  return candidates.find(candidate => aName.safeParse(candidate).success) ?? 'Knitter'
}
