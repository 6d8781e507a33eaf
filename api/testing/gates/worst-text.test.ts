import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EMAIL_PATTERN } from '#schema/rules/limits'
import { gramsOf } from '#schema/rules/yarn'
import { calls } from '../../rest/calls.ts'
import { ARGUMENTS, documentFor, isRefusal, places, put, type World } from './operations.ts'
import { line, placed } from '../purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../shop.ts'
import { present } from '#schema/rules/present'

/** As much text as a request can carry. */
const LENGTH = 97_000
const filled = (piece: string, before = '', after = '') =>
  `${before}${piece.repeat(Math.floor((LENGTH - before.length - after.length) / Buffer.byteLength(piece)))}${after}`

/** The texts that patterns for addresses, numbers, names and words spend most time on, each as long as possible. */
const WORST: Record<string, string> = {
  'dots behind an @': filled('.', 'a@', '@'),
  'parts of a domain': filled('a.', 'a@', '@'),
  ats: filled('@'),
  letters: filled('a', '', '!'),
  'signs around a letter': filled('!', 'a!', 'a'),
  digits: filled('1', '', 'x'),
  'digits and commas': filled('1,', '', 'x'),
  'digits and spaces': filled('1 ', '', 'x'),
  'digits and dots': filled('1.', '', 'x'),
  'spaces in between': filled(' ', '5', 'x'),
  'line breaks in between': filled('\u2028', 'a', 'b'),
  'a web address': filled('a.', 'https://', ':x'),
  slashes: filled('/', '', '\t'),
  'accents to be sorted': filled('\u0301\u0316', 'a'),
  'what is not seen': filled('\u200b', 'a', 'b'),
  'per cents': filled('%_', '', '\\'),
}

/** Processor time of this thread alone, so that neither waiting nor a busy machine counts. */
async function held(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

/** A pattern that is quadratic in such a text takes seconds; reading the text at all, on both sides, takes a few milliseconds. */
const ALLOWED_MS = 300

/** Takes the least of three, because garbage of other work may be collected during any one of them. */
async function expectSwift(what: string, work: () => unknown) {
  let least = Infinity
  for (let tries = 0; tries < 3 && least > ALLOWED_MS; tries++) least = Math.min(least, await held(work))
  expect([what, least]).toEqual([what, expect.toSatisfy(ms => ms <= ALLOWED_MS)])
}

describe('a rule of both sides', () => {
  test.each(
    Object.entries({
      email: (text: string) => EMAIL_PATTERN.test(text),
      weight: gramsOf,
    }),
  )('(%s) reads the longest text in no time', async (_name, rule) => {
    for (const [what, text] of Object.entries(WORST)) await expectSwift(what, () => rule(text))
  })

  test.each(['a@b.c', 'nell@knits.example.org', 'a@.b.c', 'a@b..c', 'a@b.c.', 'a@...'])(
    'takes %j for an address',
    address => {
      expect(EMAIL_PATTERN.test(address)).toBe(true)
    },
  )

  test.each(['a@b', 'a@.c', 'a@b.', 'a@.', 'a@..', '@b.c', 'a@b@c.d', 'a b@c.d', 'a@b. c', ''])(
    'does not take %j for an address',
    address => {
      expect(EMAIL_PATTERN.test(address)).toBe(false)
    },
  )
})

let shop: TestShop
let admin: Account
let world: World
/** Whether part of the world may have changed: a session ended, the product archived. */
let isWorn = true
let serial = 0
beforeAll(async () => {
  shop = await openShop({ trustProxy: '127.0.0.1' })
})
afterAll(() => shop?.close())

async function makeWorld() {
  const em = shop.em()
  admin = await makeUser(em, { isAdmin: true })
  const product = await makeProduct(em, { countInStock: 100_000 })
  const order = await placed(shop, admin, [line(product)])
  world = {
    productId: product.id,
    discontinuedId: (await makeProduct(em, { archivedAt: new Date() })).id,
    orderId: order.id,
    userId: (await makeUser(em)).id,
  }
  isWorn = false
}
beforeEach(async () => {
  if (isWorn) await makeWorld()
})

/** From a new address each time, so that no throttle answers instead of the code behind it. */
const headers = () => ({
  'content-type': 'application/json',
  authorization: `Bearer ${admin.token}`,
  'x-forwarded-for': `203.0.113.${++serial % 250}`,
})

const texts = places.filter(({ type }) => type === 'String' || type === 'ID')

describe('every text of every operation', () => {
  test.each(texts.map(place => [`${place.name}(${place.path.join('.')})`, place] as const))(
    '%s is answered in no time, whatever it is',
    async (_title, { root, name, path }) => {
      const query = documentFor(root, name, 1)
      for (const [what, text] of Object.entries(WORST)) {
        const body = JSON.stringify({ query, variables: put(present(ARGUMENTS[name])(world), path, text) })
        expect(Buffer.byteLength(body)).toBeLessThanOrEqual(100_000)
        await expectSwift(what, async () => {
          const answer = await (await shop.send(body, headers())).text()
          if (root === 'Mutation' && !isRefusal(answer)) isWorn = true
        })
      }
    },
  )
})

describe('every text of every REST call', () => {
  const bodies = calls.flatMap(call =>
    textsOf(call.example, []).map(path => [`${call.method} ${call.path} ${path.join('.')}`, call, path] as const),
  )

  test.each(bodies)(
    '%s is answered in no time, whatever it is',
    async (_title, { method, path: url, example }, path) => {
      for (const [what, text] of Object.entries(WORST)) {
        const init = { method, headers: headers(), body: JSON.stringify(put(example, path, text)) }
        await expectSwift(what, async () => {
          const response = await fetch(shop.url + url.replace(':id', world.productId), init)
          await response.text()
          if (response.ok) isWorn = true
        })
      }
    },
  )

  function textsOf(example: unknown, path: (string | number)[]): (string | number)[][] {
    if (typeof example === 'string' || typeof example === 'number') return [path]
    return typeof example === 'object' && example !== null
      ? Object.entries(example).flatMap(([key, each]) =>
          textsOf(each, [...path, Array.isArray(example) ? Number(key) : key]),
        )
      : []
  }
})

describe('every header that is read', () => {
  test.each([
    'authorization',
    'content-type',
    'accept',
    'idempotency-key',
    'x-forwarded-for',
    'user-agent',
    'apollo-require-preflight',
  ])('%s is answered in no time, whatever it is', async name => {
    for (const [what, text] of Object.entries(WORST)) {
      const worst = text.replaceAll(/[^\x20-\x7e]/g, ' ').slice(0, 12_000)
      for (const value of [worst, `Bearer ${worst}`, `application/json; charset${worst}`]) {
        await expectSwift(what, async () =>
          (await shop.send('{"query":"{ shop { name } }"}', { ...headers(), [name]: value })).text(),
        )
      }
    }
  })
})
