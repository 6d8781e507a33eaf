import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { limitConcurrency } from '../kernel/limiter.ts'

/** OWASP's setting for argon2id. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hashing takes a whole core and 19 MB while it runs: a flood of sign-ins must leave the rest of the shop what it needs. */
export const signingIn = limitConcurrency({ atOnce: Math.min(2, availableParallelism()), waiting: 50, retryAfter: 2 })

/**
 * New accounts queue separately, because anyone can open any number of them: a flood of them keeps no existing owner
 * waiting.
 */
export const registering = limitConcurrency({ atOnce: 1, waiting: 25, retryAfter: 2 })

/** Throws UNAVAILABLE when too many are waiting. */
export const hashPassword = (password: string, line = signingIn) => line.take(() => hash(password, OPTIONS))

/** Verified in place of a missing account's hash, so that an unknown email takes as long as a known one. No password is known to have it. */
const NOBODY = `$argon2id$v=19$m=${OPTIONS.memoryCost},t=${OPTIONS.timeCost},p=${OPTIONS.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Throws UNAVAILABLE when too many are waiting. */
export async function passwordMatches(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  const known = passwordHash ?? NOBODY
  const matches = await signingIn.take(() => verify(known, password))
  return matches && passwordHash != null
}
