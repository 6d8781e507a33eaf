import { assert, property, string } from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { connect } from '../db/config.ts'
import { openShop, type TestShop } from '../testing/shop.ts'
import { forgetTries, loginThrottle } from './throttle.ts'
import { emailKey } from './user.entity.ts'
import { nth, present } from '#schema/rules/present'

let shop: TestShop
const others: Awaited<ReturnType<typeof connect>>[] = []
beforeAll(async () => {
  shop = await openShop()
  const [{ name }] = await shop.em().execute<[{ name: string }]>('select current_database() as name')
  for (let other = 0; other < 2; other++)
    others.push(await connect(present(shop.orm.config.get('clientUrl')).replace(/[^/]+$/, name)))
})
afterAll(async () => {
  for (const orm of others) await orm.close()
  await shop?.close()
})

/** Throttles of three shop processes on one database. */
const processes = () => [shop.orm, ...others].map(orm => loginThrottle(orm))
const limited = { extensions: { code: 'RATE_LIMITED', retryAfter: expect.any(Number), http: { status: 429 } } }
const admitted = async (tries: Promise<void>[]) =>
  (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled').length

describe('tries to sign in', () => {
  it('are ten for an email from one address, however many processes they go to', async () => {
    const shops = processes()
    const spellings = ['nell@example.com', 'NELL@example.com', ' ｎell@example.com', 'ne\u200bll@example.com']
    const tries = Array.from({ length: 60 }, (_, index) =>
      nth(shops, index % 3).admit({ ip: '192.0.2.1', email: nth(spellings, index % 4) }),
    )
    expect(await admitted(tries)).toBe(10)
    for (const shop of shops)
      await expect(shop.admit({ ip: '192.0.2.1', email: 'nell@example.com' })).rejects.toMatchObject(limited)
  })

  it('never shut out the owner, who comes from somewhere else', async () => {
    for (const shop of processes())
      await expect(shop.admit({ ip: '192.0.2.2', email: 'nell@example.com' })).resolves.toBeUndefined()
  })

  it('are a hundred an hour from one address, whatever the emails, and then one in five seconds: an office is never shut out', async () => {
    // However slow the machine is, these all come at one moment.
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const shops = processes()
    let serial = 0
    const crowd = (length: number) =>
      admitted(
        Array.from({ length }, (_, index) =>
          nth(shops, index % 3).admit({ ip: '192.0.2.3', email: `someone${++serial}@example.com` }),
        ),
      )
    expect(await crowd(150)).toBe(101)
    await expect(nth(shops, 0).admit({ ip: '192.0.2.3', email: 'colleague@example.com' })).rejects.toMatchObject(
      limited,
    )
    const [waits] = await shop
      .em()
      .execute<[{ seconds: number }]>(
        `select max((expire - extract(epoch from now()) * 1000) / 1000)::int as seconds from rate_limits where key like 'login-brisk:192.0.2.3'`,
      )
    expect(waits.seconds).toBeLessThanOrEqual(5)
    expect(await admitted([nth(shops, 0).admit({ ip: '192.0.2.4', email: 'someone1@example.com' })])).toBe(1)
  })

  it('of an email that is guessed at already cost the office nothing', async () => {
    const [one] = processes()
    expect(
      await admitted(
        Array.from({ length: 150 }, () => present(one).admit({ ip: '192.0.2.30', email: 'nell30@example.com' })),
      ),
    ).toBe(10)
    expect(
      await admitted(
        Array.from({ length: 20 }, (_, index) =>
          present(one).admit({ ip: '192.0.2.30', email: `colleague${index}@example.com` }),
        ),
      ),
    ).toBe(20)
  })

  it('are fifty an hour for an email from wherever, and then where it was signed in from before', async () => {
    const shops = processes()
    const from = (index: number) =>
      nth(shops, index % 3).admit({ ip: `198.51.100.${index}`, email: 'hunted@example.com' })
    expect(await admitted(Array.from({ length: 80 }, (_, index) => from(index)))).toBe(50)
    await expect(from(200)).rejects.toMatchObject({
      message: expect.stringMatching(/link in a mail.* wait \d+ minutes/),
    })
    const owner = { ip: '203.0.113.1', email: 'hunted@example.com', device: 'of the owner' }
    expect(await admitted(Array.from({ length: 15 }, (_, index) => nth(shops, index % 3).admit(owner)))).toBe(10)
    await nth(shops, 0).succeeded(owner)
    expect(await admitted([nth(shops, 0).admit(owner)])).toBe(1)
  })

  it('count for the whole of a household’s IPv6 addresses', async () => {
    const [shop] = processes()
    expect(
      await admitted(
        Array.from({ length: 30 }, (_, index) =>
          present(shop).admit({ ip: `2001:db8:0:1::${index + 1}`, email: 'v6@example.com' }),
        ),
      ),
    ).toBe(10)
    expect(await admitted([present(shop).admit({ ip: '2001:db8:0:2::1', email: 'v6@example.com' })])).toBe(1)
    // The same IPv4 address in two spellings.
    expect(
      await admitted(
        Array.from({ length: 12 }, (_, index) =>
          present(shop).admit({ ip: index % 2 === 0 ? '192.0.2.9' : '::ffff:192.0.2.9', email: 'v4@example.com' }),
        ),
      ),
    ).toBe(10)
  })

  it('start anew after a success, in every process', async () => {
    const [one, two] = processes() as [ReturnType<typeof loginThrottle>, ReturnType<typeof loginThrottle>]
    for (let round = 0; round < 3; round++) {
      for (let tried = 0; tried < 9; tried++) await two.admit({ ip: '192.0.2.5', email: 'nell@example.com' })
      await one.admit({ ip: '192.0.2.5', email: 'nell@example.com' })
      await one.succeeded({ ip: '192.0.2.5', email: 'nell@example.com' })
    }
  })

  it('name nobody in the database, and are forgotten', async () => {
    const [shop1] = processes()
    await present(shop1).admit({ ip: '192.0.2.6', email: 'a\0\ud800@example.com' })
    expect(JSON.stringify(await shop.em().execute('select * from rate_limits'))).not.toContain('example.com')
    await shop.em().execute('update rate_limits set expire = 1')
    await forgetTries(shop.orm)
    expect(await shop.em().execute('select * from rate_limits')).toEqual([])
  })
})

describe('the key of an email', () => {
  const kelvin = '\u212a'
  it.each([
    ['KNIT@example.com', 'knit@example.com'],
    [`${kelvin}nit@example.com`, 'knit@example.com'],
    ['ｋｎｉｔ@example.com', 'knit@example.com'],
    ['\u00a0 knit@example.com\u3000\ufeff', 'knit@example.com'],
    ['kni\u200bt@exam\u00adple.com', 'knit@example.com'],
    ['ﬁsher@example.com', 'fisher@example.com'],
    ['josé@example.com', 'jose\u0301@example.com'.normalize('NFC')],
    ['İstanbul@example.com', 'i\u0307stanbul@example.com'],
  ])('of %j is %j', (typed, key) => {
    expect(emailKey(typed)).toBe(key)
  })

  it('is its own key, and the same for capitals of ASCII and for both normal forms', () => {
    assert(
      property(string({ unit: 'grapheme' }), text => {
        const key = emailKey(text)
        expect(emailKey(key)).toBe(key)
        expect(emailKey(text.normalize('NFD'))).toBe(key)
        expect(emailKey(text.replaceAll(/[a-z]/g, letter => letter.toUpperCase()))).toBe(key)
      }),
      { numRuns: 2_000 },
    )
  })
})

it('names a wait in words that nobody has to convert', async () => {
  const [one] = processes()
  const tries = () => present(one).admit({ ip: '192.0.2.77', email: 'words@example.com' })
  await admitted(Array.from({ length: 10 }, tries))
  await expect(tries()).rejects.toThrow('Too many tries. Please wait 15 minutes and try again.')
})
