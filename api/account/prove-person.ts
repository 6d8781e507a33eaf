import type { EntityManager } from '@mikro-orm/postgresql'
import { present } from '#schema/rules/present'
import type { Context } from '../context.ts'
import type { ProviderCredentialInput } from '../generated/classes.ts'
import type { SignInProvider } from '../generated/types.ts'
import { refuse, unavailable } from '../kernel/errors.ts'
import { hashOf } from '../kernel/tokens.ts'
import { personOfTicket, spendTicket } from './provider-routes.ts'
import { Unreachable, type Person } from './providers.ts'

export const PROVIDER_NAMES: Record<SignInProvider, string> = { APPLE: 'Apple', GOOGLE: 'Google' }

/** A person, and a function that uses up the proof; it returns whether the proof was still good. */
export interface Proven {
  person: Person
  spend: (em: EntityManager) => Promise<boolean>
}

export const unproven = () =>
  refuse('IDENTITY_UNPROVEN', 'This sign-in is too old, or was used before. Please begin again.', {
    field: ['credential'],
  })

/** Whom a provider vouches for, by what it gave. */
export async function provePerson(
  { em, providers }: Context,
  { ticket, idToken }: ProviderCredentialInput,
): Promise<Proven> {
  if (ticket != null) {
    const person = await personOfTicket(em, ticket)
    if (!person) throw unproven()
    return { person, spend: tx => spendTicket(tx, ticket) }
  }
  const { provider: name, token, nonce, name: called } = present(idToken)
  const provider = providers.get(name)
  if (!provider) throw refuse('PROVIDER_OFF', `This shop does not offer to sign in with ${PROVIDER_NAMES[name]}.`)
  if (nonce.length < 16 || nonce.length > 200 || token.length > 10_000) throw unproven()
  const { person, until } = await provider.read(token, nonce).catch((error: unknown) => {
    throw error instanceof Unreachable ? unavailable(10) : unproven()
  })
  const hash = hashOf(`${person.issuer} ${person.subject} ${nonce}`)
  return {
    person: { ...person, name: person.name ?? called ?? null },
    async spend(tx) {
      const spent = await tx.execute(
        'insert into spent_id_tokens (token_hash, until) values (?, ?) on conflict do nothing returning 1',
        [hash, until],
      )
      return spent.length > 0
    },
  }
}
