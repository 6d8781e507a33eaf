import type { MikroORM } from '@mikro-orm/postgresql'
import ipaddr from 'ipaddr.js'
import { fromKysely } from 'pg-boss'
import { RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible'
import { hashOf } from '../kernel/tokens.ts'
import { tooManyTries } from '../kernel/errors.ts'
import { emailKey } from './user.entity.ts'

/** The sender of a try, and what it is about. */
export interface Try {
  ip: string
  email: string
  /** Of a browser the account was signed in from before. */
  device?: string | null
}

/** Counts tries over all shop processes. Asked in the resolver, so aliases count one by one. */
export interface Throttle<T> {
  /** Throws RATE_LIMITED after too many tries. */
  admit(tried: T): Promise<void>
}

export interface LoginThrottle extends Throttle<Try> {
  /** Forgets tries after a success. */
  succeeded(tried: Try): Promise<void>
}

export interface ProofThrottle extends Throttle<string> {
  succeeded(userId: string): Promise<void>
}

export interface AddressThrottle extends Throttle<string> {
  succeeded(ip: string): Promise<void>
}

const HOUR = 60 * 60
const QUARTER = 15 * 60

type Counter = Pick<RateLimiterPostgres, 'consume' | 'delete' | 'reward'>

/** So many tries in so many seconds. */
function counter(orm: MikroORM, name: string, points: number, duration: number): Counter {
  return new RateLimiterPostgres({
    storeClient: poolOf(orm),
    storeType: 'client',
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: name,
    points,
    duration,
    // A sender over the limit is refused from memory, without a query.
    inMemoryBlockOnConsumed: points + 1,
  })
}

/** After a success, which stands even if its tries cannot be forgotten: they count until their time is over. */
export async function forget(...tries: Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(tries)
}

/** The seconds to wait; null for a try that is admitted. */
async function wait(counter: Counter, key: string): Promise<number | null> {
  try {
    await counter.consume(key)
    return null
  } catch (limited) {
    if (limited instanceof Error) throw limited
    return Math.ceil((limited as RateLimiterRes).msBeforeNext / 1000)
  }
}

async function consume(counter: Counter, key: string, advice?: string): Promise<void> {
  const seconds = await wait(counter, key)
  if (seconds !== null) throw tooManyTries(seconds, advice)
}

/**
 * Many tries an hour from one address, and then fewer and fewer: one in five seconds, later one a minute. An office behind
 * one address is slowed down by the guesses of one of its machines, but never shut out.
 */
function pace(orm: MikroORM, name: string, freely: number) {
  const free = counter(orm, `${name}-address`, freely, HOUR)
  const brisk = counter(orm, `${name}-brisk`, 1, 5)
  const later = counter(orm, `${name}-later`, freely, HOUR)
  const slow = counter(orm, `${name}-slow`, 1, 60)
  return {
    async admit(ip: string) {
      const key = network(ip)
      if ((await wait(free, key)) === null) return
      await consume(brisk, key)
      if ((await wait(later, key)) !== null) await consume(slow, key)
    },
    async succeeded(ip: string) {
      await forget(free.reward(network(ip), 1))
    },
  }
}

// Hashed, so that addresses without an account are not stored, nor bytes PostgreSQL cannot store.
const keyOf = (email: string) => hashOf(emailKey(email))
const pairOf = ({ ip, email }: Try) => hashOf(`${network(ip)} ${emailKey(email)}`)

const ADVICE =
  'Many wrong passwords were tried for this account. Sign in where you did before, choose a new password by a link in a mail, or'

/**
 * For an email 10 tries in 15 minutes from one address and 50 an hour from all of them; from one address 100 an hour, then
 * slowly. A browser the account was signed in from has 10 tries in 15 minutes of its own, so that nobody shuts the owner out.
 */
export function loginThrottle(orm: MikroORM): LoginThrottle {
  const devices = counter(orm, 'login-device', 10, QUARTER)
  const pairs = counter(orm, 'login-account', 10, QUARTER)
  const everywhere = counter(orm, 'login-everywhere', 50, HOUR)
  const addresses = pace(orm, 'login', 100)
  return {
    async admit(tried) {
      if (tried.device) return consume(devices, hashOf(tried.device))
      await consume(pairs, pairOf(tried))
      await consume(everywhere, keyOf(tried.email), ADVICE)
      await addresses.admit(tried.ip)
    },
    async succeeded(tried) {
      if (tried.device) return forget(devices.delete(hashOf(tried.device)))
      await forget(pairs.delete(pairOf(tried)), everywhere.reward(keyOf(tried.email), 1), addresses.succeeded(tried.ip))
    },
  }
}

/** For mails of one sort: 5 an hour to an email from one address; 30 an hour from one address, then slowly. */
export function mailThrottle(orm: MikroORM, sort: 'reset' | 'newsletter' | 'bell' | 'message'): Throttle<Try> {
  const pairs = counter(orm, `${sort}-account`, 5, HOUR)
  const addresses = pace(orm, sort, 30)
  return {
    async admit(tried) {
      await consume(pairs, pairOf(tried))
      await addresses.admit(tried.ip)
    },
  }
}

/** For orders of guests: 20 an hour for an email, 60 an hour from one address, then slowly. */
export function guestThrottle(orm: MikroORM): Throttle<Try> {
  const emails = counter(orm, 'guest-email', 20, HOUR)
  const addresses = pace(orm, 'guest', 60)
  return {
    async admit({ ip, email }) {
      await addresses.admit(ip)
      await consume(emails, keyOf(email))
    },
  }
}

/** 100 new accounts an hour from one address, then slowly. */
export const registerThrottle = (orm: MikroORM): Throttle<string> => pace(orm, 'register', 100)

/** 100 tries an hour from one address to sign in with a provider that do not lead into an account, then slowly. */
export const providerThrottle = (orm: MikroORM): AddressThrottle => pace(orm, 'provider', 100)

/** 120 new carts an hour from one address, or by one account, then slowly. */
export const cartThrottle = (orm: MikroORM): Throttle<string> => pace(orm, 'cart', 120)

/** 10 guesses of one's own current password in 15 minutes, by account. */
export function proofThrottle(orm: MikroORM): ProofThrottle {
  const tries = counter(orm, 'proof', 10, QUARTER)
  return {
    admit: userId => consume(tries, userId),
    succeeded: userId => forget(tries.delete(userId)),
  }
}

/** 10 links to a copy of one's own account an hour. */
export function exportThrottle(orm: MikroORM): Throttle<string> {
  const links = counter(orm, 'export', 10, HOUR)
  return { admit: userId => consume(links, userId) }
}

/** The ORM's connections, as the counters want them; its driver says what clients may know of a failure. */
export function poolOf(orm: MikroORM) {
  return {
    async query({ text, values }: { text: string; values: unknown[] }) {
      const { rows } = await fromKysely(orm.em.fork().getKysely())
        .executeSql(text, values)
        .catch(error => {
          throw orm.driver.convertException(error)
        })
      return { rows, rowCount: rows.length }
    },
  }
}

/** The address, or the first half of an IPv6 one: a household owns all of the second half. */
export function network(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return 'parts' in address ? address.parts.slice(0, 4).join(':') : address.toString()
}

/** Forgets tries that do not count any more. */
export async function forgetTries(orm: MikroORM): Promise<void> {
  await orm.em.fork().execute('delete from rate_limits where expire < ?', [Date.now()])
}
