import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest'
import type { Product } from '../catalog/product.entity.ts'
import { SharedCache } from '../http/shared-cache.ts'
import { lapseOrders } from '../order/lapse-orders.ts'
import { ADDRESS, line, placed } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type Identity, type TestShop } from '../testing/shop.ts'
import { nth, present } from '#schema/rules/present'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ keepAnswersMs: 600_000 })
})
afterAll(() => shop?.close())

const PRICE = 'query ($id: ID!) { product(id: $id) { price viewerReview { id } } }'
/** What is asked once is not kept: whoever asks here asked before. */
const twice = async <T>(ask: () => Promise<T>): Promise<T> => {
  await ask()
  return ask()
}
const price = async (id: string, identity: { token: string } | null = null) =>
  (await twice(() => shop.gql(PRICE, { id }, identity))).data.product.price
const rest = (method: string, path: string, body: object | undefined, identity: Identity = null) =>
  fetch(`${shop.url}${path}`, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(identity && { authorization: `Bearer ${identity.token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
/** Of stock that comes the shop is told a little later, and forgets what it kept by then. */
const soldOut = (price: number) => makeProduct(shop.em(), { price, countInStock: 0 })
const behindItsBack = (id: string, cents: number) =>
  shop.em().execute('update products set price = ? where id = ?', [cents, id])

it('serves one answer to all visitors who ask the same, and asks again for those who are signed in', async () => {
  const { id } = await soldOut(1000)
  const shopper = await makeUser(shop.em())
  expect(await price(id)).toBe(1000)
  await behindItsBack(id, 2000)
  expect(await price(id)).toBe(1000)
  expect(await price(id, shopper)).toBe(2000)
})

it('keeps no answer to what nobody asked before', async () => {
  const { id } = await soldOut(1000)
  const once = async () => (await shop.gql(PRICE, { id })).data.product.price
  expect(await once()).toBe(1000)
  await behindItsBack(id, 2000)
  expect(await once()).toBe(2000)
  await behindItsBack(id, 3000)
  expect(await once()).toBe(2000)
})

it('serves one answer over REST, too, to all visitors who ask for the same address', async () => {
  const { id } = await soldOut(1000)
  const admin = await makeUser(shop.em(), { isAdmin: true })
  const path = `/api/products/${id}`
  const shown = async (identity: Identity = null, query = '') => {
    const response = await twice(() => rest('GET', path + query, undefined, identity))
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    return ((await response.json()) as { price: number }).price
  }
  expect(await shown()).toBe(10)
  await behindItsBack(id, 2000)
  expect(await shown()).toBe(10)
  expect(await shown(admin)).toBe(20)
  expect(await shown(null, '?another=address')).toBe(20)

  expect((await rest('POST', `${path}/reviews`, { rating: 5, comment: 'Soft' }, admin)).status).toBe(201)
  expect(await shown()).toBe(20)
})

it('keeps no cart over REST, and nothing that was not found', async () => {
  const { id } = await makeProduct(shop.em(), { countInStock: 9 })
  const items = (quantity: number) => ({ cartItems: [{ product: id, quantity }] })
  const made = await rest('POST', '/api/carts', items(1))
  expect(made.status).toBe(201)
  const cart = `/api/carts/${((await made.json()) as { _id: string })._id}`
  const text = async () => (await twice(() => rest('GET', cart, undefined))).text()
  const before = await text()
  expect((await rest('PUT', cart, items(2))).status).toBe(200)
  expect(await text()).not.toBe(before)

  const missing = `/api/products/${crypto.randomUUID()}`
  for (let time = 0; time < 3; time++) expect((await rest('GET', missing, undefined)).status).toBe(404)
})

it('forgets every answer before the answer to a change goes out', async () => {
  const em = shop.em()
  const { id } = await makeProduct(em, { price: 1000 })
  const admin = await makeUser(em, { isAdmin: true })
  expect(await price(id)).toBe(1000)
  await shop.gql(
    'mutation ($id: ID!) { patchProduct(id: $id, input: { price: 3000 }) { userErrors { message } } }',
    { id },
    admin,
  )
  expect(await price(id)).toBe(3000)

  let now = 3000
  // The change is also announced to every process, perhaps a moment later, and then the cached answers are dropped once more.
  await vi.waitFor(async () => {
    const shown = await price(id)
    await behindItsBack(id, (now += 1000))
    expect(await price(id)).toBe(shown)
  }, 10_000)
  const done = await rest('POST', `/api/products/${id}/reviews`, { rating: 5, comment: 'Soft' }, admin)
  expect(done.status).toBe(201)
  expect(await price(id)).toBe(now)
})

describe('what changes nothing leaves every answer and page where it is:', () => {
  const HASH = { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } }
  const body = (query: string, variables: object = {}) => JSON.stringify({ query, variables })
  const patch = 'mutation ($id: ID!) { patchProduct(id: $id, input: { price: -1 }) { userErrors { message } } }'

  test.each<[string, (id: string, admin: Account) => Promise<{ status: number }>]>([
    ['a POST to no address', () => rest('POST', '/nowhere', {})],
    ['a POST to no address of the API', () => rest('POST', '/api/nowhere', {})],
    ['a wrong method', () => rest('DELETE', '/api/products', {})],
    ['a body that cannot be read', () => shop.send('{')],
    ['a mutation that is refused', (id, admin) => shop.gql(patch, { id }, admin)],
    ['a mutation of nobody', id => shop.gql(patch, { id })],
    ['a mutation of a shopper who may not', async id => shop.gql(patch, { id }, await makeUser(shop.em()))],
    ['a REST call that is refused', (id, admin) => rest('PUT', `/api/products/${id}`, { price: -1 }, admin)],
    ['a REST call of nobody', id => rest('DELETE', `/api/products/${id}`, undefined)],
    ['what a visitor may do', () => rest('POST', '/api/users/logout', {})],
    ['a query of somebody signed in', (_id, admin) => shop.gql('{ viewer { id } }', {}, admin)],
    ['a persisted query nobody knows', () => shop.send(JSON.stringify({ extensions: HASH }))],
    ['a very long query', () => shop.send(body(`{ shop { name } } #${'x'.repeat(50_000)}`))],
    ['a forged webhook', () => rest('POST', '/api/webhooks/paypal', {})],
  ])('%s', async (_what, send) => {
    const { id, name } = await soldOut(1000)
    const admin = await makeUser(shop.em(), { isAdmin: true })
    // Lets the announcements from the setup pass first.
    await setTimeout(50)
    const page = async () => (await fetch(`${shop.url}/product/${id}`)).text()
    expect(await price(id)).toBe(1000)
    expect(await page()).toContain(name)
    await shop.em().execute(`update products set price = 2000, name = 'Behind its back' where id = ?`, [id])
    await send(id, admin)
    expect(await price(id)).toBe(1000)
    expect(await page()).toContain(name)
  })
})

it('forgets what time changes, and what other processes do', async () => {
  const { id } = await makeProduct(shop.em(), { countInStock: 5 })
  const product = { id } as Product
  const stock = async () =>
    (await twice(() => shop.gql('query ($id: ID!) { product(id: $id) { countInStock } }', { id }))).data.product
      .countInStock
  const order = await placed(shop, await makeUser(shop.em()), [line(product, 2)])
  expect(await stock()).toBe(3)
  await shop.em().execute(`update orders set held_until = now() - interval '1 minute' where id = ?`, [order.id])
  await lapseOrders(shop.em())
  await vi.waitFor(async () => expect(await stock()).toBe(5), 10_000)
})

it('keeps no cart, which is shown to whoever opens it and changed by them', async () => {
  const { id } = await makeProduct(shop.em(), { countInStock: 9 })
  const line = (quantity: number) => ({ lines: [{ productId: id, quantity }] })
  const created = await shop.gql(
    'mutation ($input: CartInput!) { createCart(input: $input) { cart { id } userErrors { message } } }',
    { input: line(1) },
  )
  const cart = created.data.createCart.cart.id
  const quantities = async () =>
    (await twice(() => shop.gql('query ($id: ID!) { cart(id: $id) { lines { quantity } } }', { id: cart }))).data.cart
      ?.lines
  expect(await quantities()).toEqual([{ quantity: 1 }])
  await shop.gql(
    'mutation ($id: ID!, $input: CartInput!) { changeCart(id: $id, input: $input) { userErrors { message } } }',
    {
      id: cart,
      input: line(2),
    },
  )
  expect(await quantities()).toEqual([{ quantity: 2 }])
})

describe('a sale', () => {
  const NAMES = 'query ($page: Int) { products(page: $page) { items { id countInStock } } }'
  const STOCK = 'query ($id: ID!) { product(id: $id) { countInStock } }'
  const PLACE = `mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id } userErrors { message } } }`
  const stock = async (id: string) => (await twice(() => shop.gql(STOCK, { id }))).data.product.countInStock
  const buy = async (productId: string, buyer: Account) => {
    const input = { lines: [{ productId, quantity: 1 }], shippingAddress: ADDRESS }
    const { data } = await shop.gql(PLACE, { input }, buyer)
    expect(data.placeOrder.userErrors).toEqual([])
  }

  it('forgets the answers that show what was sold, and no other, before its own goes out', async () => {
    const em = shop.em()
    const buyer = await makeUser(em)
    const [sold, other] = [await makeProduct(em, { countInStock: 9 }), await makeProduct(em, { price: 1000 })]
    await setTimeout(50)
    expect(await price(other.id)).toBe(1000)
    await behindItsBack(other.id, 2000)
    for (let left = 9; left > 1; left--) {
      expect(await stock(sold.id)).toBe(left)
      await buy(sold.id, buyer)
      expect(await stock(sold.id)).toBe(left - 1)
    }
    expect(await price(other.id)).toBe(1000)
    // The last one is sold: lists and counts no longer include it, so every answer is made again.
    await buy(sold.id, buyer)
    expect(await price(other.id)).toBe(2000)
  })

  it(
    'leaves, with reviews and edits, four fifths of the hits where every tenth request is one',
    { timeout: 300_000 },
    async () => {
      const em = shop.em()
      const buyers = await Promise.all(Array.from({ length: 5 }, () => makeUser(em)))
      const admin = await makeUser(em, { isAdmin: true })
      const ids: string[] = []
      for (let count = 0; count < 40; count++) ids.push((await makeProduct(em, { countInStock: 1_000 })).id)
      const hits = vi.spyOn(SharedCache.prototype, 'get')
      const PATCH = `mutation ($id: ID!, $price: Cents!) { patchProduct(id: $id, input: { price: $price }) { userErrors { message } } }`

      async function rateOfHits(withChanges: boolean) {
        hits.mockClear()
        // The same requests each time.
        let seed = 7
        const random = (below: number) => (seed = (seed * 16_807) % 2_147_483_647) % below
        for (let request = 1; request <= 400; request++) {
          const [kind, which] = [random(10), random(ids.length)]
          const id = present(ids[which])
          if (request % 200 === 99) {
            if (withChanges)
              expect(
                (await rest('POST', `/api/products/${id}/reviews`, { rating: 4, comment: 'Soft' }, await makeUser(em)))
                  .status,
              ).toBe(201)
          } else if (request % 200 === 199) {
            if (withChanges) await shop.gql(PATCH, { id, price: 1_000 + request }, admin)
          } else if (request % 10 === 0) {
            if (withChanges) await buy(id, nth(buyers, request % buyers.length))
          } else if (kind < 8) await shop.gql(STOCK, { id })
          else await shop.gql(NAMES, { page: 1 + (which % 4) })
        }
        const asked = hits.mock.results.length
        return hits.mock.results.filter(({ value }) => value !== undefined).length / asked
      }

      // What is asked for the first time is not kept.
      await rateOfHits(false)
      const without = await rateOfHits(false)
      const withChanges = await rateOfHits(true)
      hits.mockRestore()
      console.log(`hits without changes ${(100 * without).toFixed(0)} %, with them ${(100 * withChanges).toFixed(0)} %`)
      expect(withChanges / without).toBeGreaterThanOrEqual(0.8)
    },
  )
})

it.each(['text/html', 'application/json', 'application/graphql-response+json', '*/*', 'image/png'])(
  'answers a POST that accepts %s alike cold and warm',
  async accept => {
    const query = `{ shop { name } } # ${accept}`
    // What another client asked for before must not make a difference.
    await shop.send(JSON.stringify({ query }))
    const ask = async () => {
      const response = await shop.send(JSON.stringify({ query }), { 'content-type': 'application/json', accept })
      return [
        response.status,
        response.headers.get('content-type'),
        response.headers.get('cache-control'),
        await response.text(),
      ]
    }
    const cold = await ask()
    expect(await twice(ask)).toEqual(cold)
    expect(cold[0]).toBe(/json|\*/.test(accept) ? 200 : 406)
  },
)

describe('a GET', () => {
  const get = (parameters: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${shop.url}/graphql?${new URLSearchParams(parameters)}`, {
      headers: { 'apollo-require-preflight': 'true', ...headers },
    })
  const asked = (id: string, headers: Record<string, string> = {}) =>
    get({ query: PRICE, variables: JSON.stringify({ id }) }, headers)
  const shown = async (id: string, headers: Record<string, string> = {}) =>
    ((await (await twice(() => asked(id, headers))).json()) as { data: { product: { price: number } } }).data.product
      .price

  it('of a visitor is answered from what is kept, of somebody signed in never', async () => {
    const { id } = await soldOut(1000)
    const shopper = await makeUser(shop.em())
    expect(await shown(id)).toBe(1000)
    await behindItsBack(id, 2000)
    expect(await shown(id)).toBe(1000)
    expect(await shown(id, { authorization: `Bearer ${shopper.token}` })).toBe(2000)
    expect(await shown(id, { 'x-order-token': 'none' })).toBe(2000)
    expect(await shown(id, { 'skein-cost': '1' })).toBe(2000)
  })

  it('by its hash alone is, too', async () => {
    const { id } = await soldOut(1000)
    const sha256Hash = createHash('sha256').update(PRICE).digest('hex')
    const extensions = JSON.stringify({ persistedQuery: { version: 1, sha256Hash } })
    const byHash = async () =>
      (
        (await (await get({ extensions, variables: JSON.stringify({ id }) })).json()) as {
          data?: { product: { price: number } }
        }
      ).data?.product.price
    expect(await twice(byHash)).toBeUndefined()
    expect((await get({ query: PRICE, extensions, variables: JSON.stringify({ id }) })).status).toBe(200)
    expect(await twice(byHash)).toBe(1000)
    await behindItsBack(id, 2000)
    expect(await byHash()).toBe(1000)
  })

  it('is answered anew once what it shows has changed', async () => {
    const { id } = await soldOut(1000)
    const admin = await makeUser(shop.em(), { isAdmin: true })
    expect(await shown(id)).toBe(1000)
    const change = 'mutation ($id: ID!) { patchProduct(id: $id, input: { price: 3000 }) { userErrors { message } } }'
    expect((await shop.gql(change, { id }, admin)).data.patchProduct.userErrors).toEqual([])
    expect(await shown(id)).toBe(3000)
  })

  it('has the same headers cold and warm, and what is known is not sent twice', async () => {
    const { id } = await soldOut(1000)
    const headersOf = ({ headers }: Response) =>
      ['content-type', 'cache-control', 'etag', 'vary'].map(name => headers.get(name))
    const cold = await asked(id, { 'accept-encoding': 'br' })
    expect(cold.headers.get('cache-control')).toBe('public, max-age=5')
    const warm = await twice(() => asked(id, { 'accept-encoding': 'br' }))
    expect(headersOf(warm).slice(0, 3)).toEqual(headersOf(cold).slice(0, 3))
    expect(warm.headers.get('vary')).toContain(String(cold.headers.get('vary')))
    const etag = String(cold.headers.get('etag'))
    const known = await asked(id, { 'if-none-match': etag })
    expect([known.status, known.headers.get('etag'), await known.text()]).toEqual([304, etag, ''])
  })

  it('that another site might have sent is refused though its answer is kept, and a change always', async () => {
    const { id } = await soldOut(1000)
    expect(await shown(id)).toBe(1000)
    expect((await asked(id, { 'apollo-require-preflight': '' })).status).toBe(400)
    expect((await asked(id, { 'content-type': 'text/plain' })).status).toBe(415)
    const change = 'mutation { createCart { cart { id } userErrors { code } } }'
    for (let time = 0; time < 3; time++) expect((await get({ query: change })).status).toBe(405)
  })

  it('of a browser has a page of its own each time', async () => {
    const nonce = async () =>
      (await twice(() => fetch(`${shop.url}/graphql`, { headers: { accept: 'text/html' } }))).headers.get(
        'content-security-policy',
      )
    expect(await nonce()).not.toBe(await nonce())
  })
})

it('answers a query whose hash is not its own alike cold and warm', async () => {
  const query = '{ shop { currency } }'
  expect((await shop.send(JSON.stringify({ query }))).status).toBe(200)
  expect(
    (
      await shop.send(
        JSON.stringify({ query, extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } } }),
      )
    ).status,
  ).toBe(400)
})

describe('a query that is known by its hash', () => {
  const byHash = (query: string, variables: object, withText = false) => {
    const sha256Hash = createHash('sha256').update(query).digest('hex')
    const extensions = { persistedQuery: { version: 1, sha256Hash } }
    return shop.send(JSON.stringify({ ...(withText && { query }), variables, extensions }))
  }

  it('is answered from what is kept without its text', async () => {
    const { id } = await soldOut(1000)
    const shown = async (withText?: boolean) => (await twice(() => byHash(PRICE, { id }, withText))).json()
    expect(await shown(true)).toMatchObject({ data: { product: { price: 1000 } } })
    await behindItsBack(id, 2000)
    expect(await shown()).toMatchObject({ data: { product: { price: 1000 } } })
  })

  it('is run every time when it changes something', async () => {
    const change = 'mutation { createCart { cart { id } userErrors { code } } }'
    const made = async (withText?: boolean) => {
      const answer = (await (await byHash(change, {}, withText)).json()) as {
        data: { createCart: { cart: { id: string } } }
      }
      return answer.data.createCart.cart.id
    }
    const carts = [await made(true), await made(), await made()]
    expect(new Set(carts).size).toBe(3)
  })

  test.each([[null], [7], ['text'], [{ persistedQuery: null }], [{ persistedQuery: { sha256Hash: { toString: 1 } } }]])(
    'has a hash, which %j is not',
    async extensions => expect((await shop.send(JSON.stringify({ extensions }))).status).toBe(400),
  )
})

it('answers what is kept in the encoding that is asked for', async () => {
  const query = '{ products { items { id name description } } } # encoded'
  for (let product = 0; product < 6; product++) await makeProduct(shop.em(), { description: 'Soft. '.repeat(200) })
  const ask = (encoding: string) =>
    shop.send(JSON.stringify({ query }), { 'content-type': 'application/json', 'accept-encoding': encoding })
  const plain = await (await twice(() => ask('identity'))).text()
  for (const encoding of ['br', 'gzip', 'br', 'gzip, br', 'zstd', 'identity']) {
    const answer = await ask(encoding)
    expect([answer.headers.get('content-encoding'), answer.headers.get('vary'), await answer.text()]).toEqual([
      encoding === 'identity' ? null : encoding.split(', ').at(-1),
      expect.stringContaining('accept-encoding'),
      plain,
    ])
  }
})

it('keeps no answer of which a part failed', async () => {
  const { id } = await soldOut(1000)
  const ask = () =>
    shop.gql(
      'query ($id: ID!) { product(id: $id) { price } broken: product(id: $id) { facts { fibres { __typename } } } }',
      { id },
    )
  await shop.em().execute(`update products set facts = '{}' where id = ?`, [id])
  const { status, data, errors } = await twice(ask)
  expect({ status, data }).toEqual({ status: 200, data: { product: { price: 1000 }, broken: null } })
  expect(errors).toHaveLength(1)
  await behindItsBack(id, 2000)
  expect((await ask()).data.product.price).toBe(2000)
})

it('does not keep refusals, nor an answer for other variables', async () => {
  const { id } = await soldOut(1500)
  expect((await shop.gql(PRICE, {})).status).toBe(400)
  expect(await price(id)).toBe(1500)
  expect((await shop.gql(PRICE, { id: 'none' })).data.product).toBeNull()
})
