import { UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql'
import { recordAudit } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import type { ProviderCredentialInput } from '../generated/classes.ts'
import type { AccountProofInput } from '../generated/types.ts'
import { clock } from '../kernel/clock.ts'
import { refuse } from '../kernel/errors.ts'
import { isId } from '../kernel/validation.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { LinkedIdentity } from './linked-identity.entity.ts'
import { provingIdentity } from './prove-identity.ts'
import { PROVIDER_NAMES, provePerson, unproven } from './prove-person.ts'
import type { Person } from './providers.ts'
import type { User } from './user.entity.ts'

/** Lets a provider's account open one's own. */
export async function linkIdentity(
  context: Context,
  credential: ProviderCredentialInput,
  proof: AccountProofInput,
): Promise<User> {
  await context.providerThrottle.admit(context.ip)
  const { person, spend } = await provePerson(context, credential)
  const user = await provingIdentity(context, proof, async (tx, user) => {
    if (!(await spend(tx))) throw unproven()
    const known = await tx.findOne(LinkedIdentity, { issuer: person.issuer, subject: person.subject })
    if (known && known.account.id !== user.id) throw taken(person)
    if (!known) await link(tx, user, person)
    return user
  }).catch((error: unknown) => {
    throw error instanceof UniqueConstraintViolationException ? taken(person) : error
  })
  await context.providerThrottle.succeeded(context.ip)
  return user
}

const taken = ({ provider }: Person) =>
  refuse('IDENTITY_TAKEN', `Your ${PROVIDER_NAMES[provider]} account opens another account of our shop already.`)

/** Unlinks a provider's account, unless it is the only way to sign in. */
export function unlinkIdentity(context: Context, id: string, proof: AccountProofInput): Promise<User> {
  return provingIdentity(context, proof, async (tx, user) => {
    const identities = await tx.find(LinkedIdentity, { account: user })
    const identity = isId(id) ? identities.find(each => each.id === id) : undefined
    if (!identity) throw refuse('NOT_FOUND', 'There is no such link.')
    if (!user.passwordHash && identities.length === 1)
      throw refuse('LAST_WAY_IN', 'Nothing else opens your account. Please choose a password first.')
    await tx.remove(identity).flush()
    await record(tx, user, identity, false)
    return user
  })
}

/** In the caller's transaction, with the account's row locked. */
export async function link(em: EntityManager, user: User, { provider, issuer, subject, email }: Person): Promise<void> {
  em.create(LinkedIdentity, { account: user, provider, issuer, subject, email })
  await em.flush()
  await record(em, user, { provider }, true)
}

async function record(
  em: EntityManager,
  user: User,
  { provider }: Pick<LinkedIdentity, 'provider'>,
  isLinked: boolean,
): Promise<void> {
  const { id, name, email, timeZone } = user
  const called = PROVIDER_NAMES[provider]
  await recordAudit(em, user, {
    entity: 'USER',
    entityId: id,
    label: email,
    action: 'UPDATED',
    changes: [{ field: 'identities', before: isLinked ? null : called, after: isLinked ? called : null }],
  })
  queueMail(em, 'IDENTITY_CHANGED', {
    name,
    email,
    provider: called,
    isLinked,
    at: clock.now().toISOString(),
    timeZone,
  })
}
