import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { tooManyTries } from '../errors.ts'
import { emailKey } from './user.entity.ts'

export interface LoginThrottle {
  /** Throws RATE_LIMITED when too many tries failed before. Counted in the resolver, so aliases count one by one. */
  admit(ip: string, email: string): Promise<void>
  /** Forgets the failures of this email from this address after a success. */
  succeeded(ip: string, email: string): Promise<void>
}

/**
 * At most 10 tries in 15 minutes for an email from one address, and 100 an hour from one address. An email alone is
 * never locked: that would let a stranger lock the owner out.
 */
export function loginThrottle(): LoginThrottle {
  const byAccount = new RateLimiterMemory({ points: 10, duration: 15 * 60 })
  const byAddress = new RateLimiterMemory({ points: 100, duration: 60 * 60 })
  const account = (ip: string, email: string) => `${ip} ${emailKey(email).slice(0, 254)}`
  return {
    async admit(ip, email) {
      try {
        await byAccount.consume(account(ip, email))
        await byAddress.consume(ip)
      } catch (limited) {
        throw tooManyTries(Math.ceil((limited as RateLimiterRes).msBeforeNext / 1000))
      }
    },
    async succeeded(ip, email) {
      await byAccount.delete(account(ip, email))
      await byAddress.reward(ip, 1)
    },
  }
}
