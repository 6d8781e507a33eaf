import type { MikroORM } from '@mikro-orm/postgresql'
import { RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible'
import { hashOf } from '../kernel/tokens.ts'
import { tooManyTries } from '../kernel/errors.ts'
import { forget, poolOf } from './throttle.ts'
import type { User } from './user.entity.ts'

/** Counts tries to prove who one is where the account is known already, over all shop processes. */
export interface CodeThrottle {
  /** Throws RATE_LIMITED after too many tries. */
  admit(user: User): Promise<void>
  /** Forgets the tries after a success. */
  succeeded(user: User): Promise<void>
}

/**
 * 10 tries an hour for an account, wherever they come from: of a million codes three are right. Only who has the password
 * or a session gets this far, and its owner shuts those out with a new password, which begins a new count.
 */
export function codeThrottle(orm: MikroORM): CodeThrottle {
  const points = 10
  const tries = new RateLimiterPostgres({
    storeClient: poolOf(orm),
    storeType: 'client',
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: 'second-factor',
    points,
    duration: 60 * 60,
    inMemoryBlockOnConsumed: points + 1,
  })
  const key = ({ id, passwordHash }: User) => hashOf(`${id} ${passwordHash}`)
  return {
    async admit(user) {
      try {
        await tries.consume(key(user))
      } catch (limited) {
        if (limited instanceof Error) throw limited
        throw tooManyTries(Math.ceil((limited as RateLimiterRes).msBeforeNext / 1000))
      }
    },
    succeeded: user => forget(tries.delete(key(user))),
  }
}
