import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { ARGUMENTS, documentFor, isRefusal, places, put, type World } from './operations.ts'
import { line, placed } from '../purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../shop.ts'
import { present } from '#schema/rules/present'

let shop: TestShop
let admin: Account
let world: World
/** Whether part of the world may have changed: a session ended, the product archived. */
let isWorn = true
beforeAll(async () => {
  shop = await openShop()
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

const JSON_TYPE = { 'content-type': 'application/json' }
const request = (body: unknown) => JSON.stringify(body)

/** A clear refusal: JSON, a client error, and nothing about the inside of the shop. */
async function expectRefusal(response: Response, statuses = [400]) {
  const text = await response.text()
  expect({ status: response.status, type: response.headers.get('content-type'), text }).toMatchObject({
    status: expect.toSatisfy(status => statuses.includes(status)),
    type: expect.stringMatching(/^application\/(graphql-response\+)?json/),
  })
  const body = JSON.parse(text)
  expect(body.message ?? body.errors?.[0]?.message).toMatch(/\w/)
  expectNothingInside(text)
}

function expectNothingInside(text: string) {
  expect(text).not.toMatch(/node_modules|\.ts:\d|at async |stacktrace|select \*|insert into|INTERNAL_SERVER_ERROR/)
}

describe('a body that is no GraphQL request', () => {
  test.each<[string, string | undefined, Record<string, string>, number[]?]>([
    ['broken JSON', '{"query": ', JSON_TYPE],
    ['nothing at all', undefined, {}, [400, 415]],
    ['nothing, called JSON', '', JSON_TYPE],
    ['null', 'null', JSON_TYPE],
    ['a number', '5', JSON_TYPE],
    ['a string', '"{ shop { name } }"', JSON_TYPE],
    ['an empty object', '{}', JSON_TYPE],
    ['an empty list', '[]', JSON_TYPE],
    ['a batch', request(Array.from({ length: 10 }, () => ({ query: '{ shop { name } }' }))), JSON_TYPE],
    ['a query that is no string', request({ query: 5 }), JSON_TYPE],
    ['a query that is an object', request({ query: { $ne: null } }), JSON_TYPE],
    ['a query that is empty', request({ query: '' }), JSON_TYPE],
    ['a query with NUL', request({ query: '{ shop { na\0me } }' }), JSON_TYPE],
    ['variables that are a string', request({ query: '{ shop { name } }', variables: 'x' }), JSON_TYPE],
    ['variables that are a list', request({ query: '{ shop { name } }', variables: [1] }), JSON_TYPE],
    [
      'variables with 60 mistakes',
      request({
        query: 'query ($lines: [CartLineInput!]!) { quoteCart(lines: $lines) { totalPrice } }',
        variables: { lines: Array(60).fill(5) },
      }),
      JSON_TYPE,
    ],
    ['an operation name that is an object', request({ query: '{ shop { name } }', operationName: {} }), JSON_TYPE],
    [
      'an operation that is not in the document',
      request({ query: 'query a { shop { name } }', operationName: 'b' }),
      JSON_TYPE,
    ],
    [
      'a prototype to pollute',
      '{"__proto__": {"query": "{ shop { name } }"}, "constructor": {"prototype": {}}}',
      JSON_TYPE,
    ],
    ['plain text', request({ query: '{ shop { name } }' }), { 'content-type': 'text/plain' }, [400, 415]],
    ['a form', 'query=%7Bshop%7Bname%7D%7D', { 'content-type': 'application/x-www-form-urlencoded' }, [400, 415]],
    ['XML', '<query/>', { 'content-type': 'application/xml' }, [400, 415]],
    [
      'a content type that is none',
      request({ query: '{ shop { name } }' }),
      { 'content-type': 'application/json\ta' },
      [400, 415],
    ],
    ['200 kB', request({ query: '{ shop { name } }', variables: { more: 'x'.repeat(200_000) } }), JSON_TYPE, [413]],
  ])('(%s) is refused clearly', async (_what, body, headers, statuses) => {
    await expectRefusal(await shop.send(body, headers), statuses)
  })
})

describe('a query', () => {
  test.each([
    ['no GraphQL', 'select * from users'],
    ['of an unknown field', '{ shop { secret } }'],
    ['with an unknown argument', '{ products(limit: 1000000) { total } }'],
    ['with an unknown variable', '{ products(page: $page) { total } }'],
    ['with a fragment that holds itself', '{ ...a } fragment a on Query { ...a }'],
    ['of two operations without a name', '{ shop { name } } { shop { name } }'],
    ['for a page beyond the numbers', '{ products(page: 99999999999) { total } }'],
    ['for half a page', '{ products(page: 1.5) { total } }'],
    [
      'for money that is no whole number',
      'mutation { placeOrder(input: { lines: [], shippingAddress: { name: "N", country: "US" }, expectedTotal: 1.5 }) { userErrors { code } } }',
    ],
    ['1,000 levels deep', `${'{ products { items '.repeat(1000)}{ id }${' } }'.repeat(1000)}`],
    ['with 1,000 aliases', `{ ${Array.from({ length: 1000 }, (_, index) => `a${index}: shop { name }`).join(' ')} }`],
    ['of nested introspection', `{ __schema { types { ${'fields { type { '.repeat(20)} name ${'} }'.repeat(20)} } } }`],
    ['of 10,000 brackets', '{'.repeat(10_000)],
    ['to subscribe to', 'subscription { ordersChanged { type } }'],
    ['to subscribe to, or not', 'subscription ($really: Boolean!) { ordersChanged @include(if: $really) { type } }'],
  ])('that is %s is refused clearly', async (_what, query) => {
    await expectRefusal(await shop.send(request({ query })))
  })

  it('that writes cannot be a GET', async () => {
    await expectRefusal(
      await fetch(`${shop.url}/graphql?query=${encodeURIComponent('mutation { logout }')}`, {
        headers: { 'apollo-require-preflight': 'true' },
      }),
      [405],
    )
  })
})

const title = ({ name, path, type }: (typeof places)[number]) => [`${name}(${path.join('.')}: ${type})`] as const

const HOSTILE_TEXT = [
  '',
  'a\0b',
  '\ud800',
  'x\udc00',
  '\ufeff\u202e\u200b',
  '🧶',
  'x'.repeat(10_000),
  `'; drop table users; --`,
  '%_\\',
  '{"$ne":null}',
  '__proto__',
  '0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c',
  '<script>alert(1)</script>',
]
const HOSTILE_NUMBERS = [0, -1, 2_147_483_647, -2_147_483_648]
const WRONG_FOR_TEXT = [{ $ne: null }, { $like: '%' }, [], ['a', 'b'], true]
const WRONG_FOR_NUMBERS = ['5', 1.5, 1e300, {}, [1, 2], true, 1e20]

describe('every argument of every operation', () => {
  const send = (root: 'Query' | 'Mutation', name: string, variables: object, depth?: number) =>
    shop.send(request({ query: documentFor(root, name, depth), variables }), {
      ...JSON_TYPE,
      authorization: `Bearer ${admin.token}`,
    })

  beforeEach(async () => {
    if (isWorn) await makeWorld()
  })

  it('is on the list', () => {
    expect(places.length).toBeGreaterThan(50)
  })

  test.each(places.map(place => [...title(place), place] as const))(
    '%s answers hostile values clearly',
    async (_title, { root, name, path, type }) => {
      const values = type === 'Int' || type === 'Cents' ? HOSTILE_NUMBERS : type === 'Boolean' ? [] : HOSTILE_TEXT
      const tryOne = async (value: unknown) => {
        const response = await send(root, name, put(present(ARGUMENTS[name])(world), path, value))
        const text = await response.text()
        expect([value, response.status, text]).toEqual([
          value,
          expect.toSatisfy(status => [200, 400, 429].includes(status)),
          expect.any(String),
        ])
        expect(Object.keys(JSON.parse(text))).toContain(response.status === 200 ? 'data' : 'errors')
        expectNothingInside(text)
        // After a 429 the asker is refused whatever it sends, so a new world is needed.
        if (root === 'Mutation' && (response.status === 429 || !isRefusal(text))) isWorn = true
      }
      if (name !== 'updateProfile') return void (await Promise.all(values.map(tryOne)))
      for (const value of values) {
        // A password may be any text, and changing it ends the session that did so.
        await tryOne(value)
        if (isWorn) await makeWorld()
      }
    },
  )

  test.each(places.map(place => [...title(place), place] as const))(
    '%s takes no value of another type',
    async (_title, { root, name, path, type, nullable }) => {
      const numeric = type === 'Int' || type === 'Cents'
      const wrong: unknown[] = numeric ? WRONG_FOR_NUMBERS : type === 'Boolean' ? ['true', 1, {}, []] : WRONG_FOR_TEXT
      const values = nullable ? wrong : [...wrong, null]
      await Promise.all(
        values.map(async value =>
          expectRefusal(await send(root, name, put(present(ARGUMENTS[name])(world), path, value), 0)),
        ),
      )
    },
  )
})
