import type { MikroORM } from '@mikro-orm/postgresql'
import ipaddr from 'ipaddr.js'
import { fromKysely } from 'pg-boss'
import { RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible'
import { hashOf } from './authenticate.ts'
import { tooManyTries } from '../kernel/errors.ts'
import { emailKey } from './user.entity.ts'

/** Counts tries over all shop processes. */
export interface Throttle {
  /** Throws RATE_LIMITED after too many tries. Asked in the resolver, so aliases count one by one. */
  admit(ip: string, email: string): Promise<void>
  /** Forgets the tries for this email from this address after a success. */
  succeeded(ip: string, email: string): Promise<void>
}

interface Allowance {
  points: number
  /** Seconds. */
  duration: number
}

/**
 * Counts by address, and by email and address together. An email alone is never locked: that would let a stranger lock
 * the owner out.
 */
function throttle(orm: MikroORM, name: string, byAddress: Allowance, byAccount: Allowance): Throttle {
  const counter = (part: string, { points, duration }: Allowance) => new RateLimiterPostgres({
    storeClient: poolOf(orm), storeType: 'client', tableName: 'rate_limits', tableCreated: true, clearExpiredByTimeout: false,
    keyPrefix: `${name}-${part}`, points, duration,
    // Whoever is over the limit costs no query any more.
    inMemoryBlockOnConsumed: points + 1,
  })
  const addresses = counter('address', byAddress)
  const accounts = counter('account', byAccount)
  // Hashed: no email is stored that is not an account's, and nothing PostgreSQL could not store.
  const account = (ip: string, email: string) => hashOf(`${network(ip)} ${emailKey(email)}`)
  return {
    async admit(ip, email) {
      try {
        await addresses.consume(network(ip))
        await accounts.consume(account(ip, email))
      } catch (limited) {
        if (limited instanceof Error) throw limited
        throw tooManyTries(Math.ceil((limited as RateLimiterRes).msBeforeNext / 1000))
      }
    },
    async succeeded(ip, email) {
      await accounts.delete(account(ip, email))
      await addresses.reward(network(ip), 1)
    },
  }
}

/** 100 tries an hour from one address, and 10 in 15 minutes for an email from there. */
export const loginThrottle = (orm: MikroORM) => throttle(orm, 'login', { points: 100, duration: 60 * 60 }, { points: 10, duration: 15 * 60 })

/** 30 links an hour from one address, and 5 for an email from there. */
export const resetThrottle = (orm: MikroORM) => throttle(orm, 'reset', { points: 30, duration: 60 * 60 }, { points: 5, duration: 60 * 60 })

/** The ORM's connections, as the counters want them; its driver says what clients may know of a failure. */
export function poolOf(orm: MikroORM) {
  return {
    async query({ text, values }: { text: string; values: unknown[] }) {
      const { rows } = await fromKysely(orm.em.fork().getKysely()).executeSql(text, values).catch(error => { throw orm.driver.convertException(error) })
      return { rows, rowCount: rows.length }
    },
  }
}

/** The address, or for IPv6 the first half of it: every household has all of the other half. */
export function network(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return 'parts' in address ? address.parts.slice(0, 4).join(':') : address.toString()
}

/** Forgets tries that do not count any more. */
export async function forgetTries(orm: MikroORM): Promise<void> {
  await orm.em.fork().execute('delete from rate_limits where expire < ?', [Date.now()])
}
