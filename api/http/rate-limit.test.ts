import { afterEach, beforeEach, describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { openSession } from '../account/authenticate.ts'
import { User } from '../account/user.entity.ts'
import { makeKey, makeProduct, makeUser, openShop, type Identity, type TestShop } from '../testing/shop.ts'
import { LEAST_POINTS, PAGE_POINTS } from './rate-limit.ts'
import { lastOf, present } from '#schema/rules/present'

/** How many requests of the cheapest kind the points last for. */
const LIMIT = 5
const POINTS = LIMIT * LEAST_POINTS

let shop: TestShop
beforeEach(async () => {
  shop = await openShop({ rateLimit: POINTS, trustProxy: '127.0.0.1', keepAnswersMs: 60_000 })
})
afterEach(() => shop?.close())

/** Sends a request from a given address. */
const send = (from: string, path: string, who: Identity = null, init: RequestInit = {}) =>
  fetch(shop.url + path, {
    ...init,
    headers: {
      'x-forwarded-for': from,
      ...(who && { authorization: `Bearer ${who.token}` }),
      ...(init.headers as Record<string, string>),
    },
  })

const gql = (from: string, query: string, who: Identity = null) =>
  send(from, '/graphql', who, {
    method: 'POST',
    body: JSON.stringify({ query }),
    headers: { 'content-type': 'application/json' },
  })

const statusAndLimit = ({ status, headers }: Response) => [status, headers.get('ratelimit')?.replace(/t=\d+/, 't')]
const left = async (response: Promise<Response>) =>
  Number(present(/r=(\d+)/.exec(present((await response).headers.get('ratelimit'))))[1])

async function times<T>(count: number, run: () => Promise<T>): Promise<T[]> {
  const results: T[] = []
  for (let index = 0; index < count; index++) results.push(await run())
  return results
}

it('tells every client what is left, over both APIs and whatever the answer', async () => {
  const query = '{ shop { name } }'
  expect(statusAndLimit(await gql('10.0.0.1', query))).toEqual([200, '"client";r=80;t'])
  // The cached answer costs points as well.
  expect(statusAndLimit(await gql('10.0.0.1', query))).toEqual([200, '"client";r=60;t'])
  expect(statusAndLimit(await gql('10.0.0.1', '{'))).toEqual([400, '"client";r=40;t'])
  expect(statusAndLimit(await send('10.0.0.1', '/api/products'))).toEqual([200, '"client";r=20;t'])
  const last = await send('10.0.0.1', '/api/nothing', null, { method: 'DELETE' })
  expect(statusAndLimit(last)).toEqual([404, '"client";r=0;t'])
  expect(last.headers.get('ratelimit-policy')).toBe('"client";q=100;qu="points";w=60')
  expect(Number(present(/t=(\d+)/.exec(present(last.headers.get('ratelimit'))))[1])).toBeGreaterThan(30)
})

it('refuses what is beyond in the words of each API, and says when to come again', async () => {
  await times(LIMIT, () => gql('10.0.0.1', '{ shop { name } }'))
  const refused = await gql('10.0.0.1', '{ shop { name } }')
  const seconds = Number(refused.headers.get('retry-after'))
  expect([seconds > 30, seconds <= 60]).toEqual([true, true])
  expect([refused.status, await refused.json()]).toEqual([
    429,
    {
      errors: [
        {
          message: `More than 100 points in a minute. Please wait ${seconds} seconds.`,
          extensions: { code: 'RATE_LIMITED', retryAfter: seconds },
        },
      ],
    },
  ])
  for (const path of ['/api/products', '/%61pi/products', '/%67raphql?query={shop{name}}'])
    expect((await send('10.0.0.1', path)).status).toBe(429)
  expect(await (await send('10.0.0.1', '/api/products')).json()).toEqual({
    message: expect.stringContaining('Please wait'),
    code: 'RATE_LIMITED',
  })
})

describe('what costs more than the least', () => {
  const connection = (first: number) =>
    `query ($n: Int = ${first}) { productsConnection(first: $n) { edges { node { name } } } }`

  it('is paid with its points, and told', async () => {
    // 1 for the field, 5 for the connection, 2 for each edge with its product.
    expect(statusAndLimit(await gql('10.0.0.1', connection(20)))).toEqual([200, '"client";r=54;t'])
    const response = await send('10.0.0.1', '/graphql', null, {
      method: 'POST',
      body: JSON.stringify({ query: connection(12) }),
      headers: { 'content-type': 'application/json', 'skein-cost': '1' },
    })
    expect([statusAndLimit(response), await response.json()]).toEqual([
      [200, '"client";r=24;t'],
      {
        data: { productsConnection: { edges: [] } },
        extensions: { cost: { requested: 30, limit: 8_000, remaining: 24 } },
      },
    ])
  })

  it('is refused before anything runs when fewer points are left, and costs the least then', async () => {
    await gql('10.0.0.1', connection(20))
    const refused = await gql('10.0.0.1', connection(25))
    const { errors } = (await refused.json()) as { errors: { message: string; extensions: object }[] }
    expect([statusAndLimit(refused), Number(refused.headers.get('retry-after')) > 30]).toEqual([
      [429, '"client";r=34;t'],
      true,
    ])
    expect(errors[0]).toMatchObject({
      message: expect.stringMatching(
        /^This costs 56 points, and fewer are left of 100 a minute\. Please wait \d+ seconds\.$/,
      ),
      extensions: { code: 'RATE_LIMITED', retryAfter: expect.any(Number) },
    })
    expect((await gql('10.0.0.1', '{ shop { name } }')).status).toBe(200)
  })

  it.each([
    ['/graphql/stream', 'text/event-stream'],
    ['/graphql', 'multipart/mixed;subscriptionSpec=1.0'],
  ])('is paid by a stream of %s when it is opened', async (path, accept) => {
    const admin = await makeUser(shop.em(), { isAdmin: true })
    const open = (fields: string) =>
      send('10.0.0.1', path, admin, {
        method: 'POST',
        body: JSON.stringify({ query: `subscription { ordersChanged { order { ${fields} } } }` }),
        headers: { 'content-type': 'application/json', accept },
      })
    const cheap = await open('id')
    expect(statusAndLimit(cheap)).toEqual([200, '"client";r=80;t'])
    await present(cheap.body).cancel()
    const costly = await open('items { lots { code } }')
    // 53 points, 20 of them charged on arrival.
    expect(statusAndLimit(costly)).toEqual([200, '"client";r=27;t'])
    await present(costly.body).cancel()
    const refused = await open('items { lots { code } }')
    expect([refused.status, await refused.json()]).toMatchObject([
      429,
      { errors: [{ extensions: { code: 'RATE_LIMITED' } }] },
    ])
  })

  it('is told to ask for less when no minute has so many points', async () => {
    const refused = await gql('10.0.0.1', connection(100))
    expect([refused.status, await refused.json()]).toMatchObject([
      429,
      {
        errors: [
          { message: 'This costs 206 points, but 100 a minute are allowed. Please ask for fewer items at a time.' },
        ],
      },
    ])
  })

  it('is paid over REST too', async () => {
    const order = '00000000-0000-4000-8000-000000000000'
    const em = shop.em()
    const admin = await makeUser(em, { isAdmin: true })
    // One order, its lines and parcels with their lots, its tax, who placed it and where it goes.
    expect(statusAndLimit(await send('10.0.0.1', `/api/orders/${order}`, admin))).toEqual([404, '"client";r=33;t'])
    const refused = await send('10.0.0.1', '/api/orders', admin)
    expect([refused.status, await refused.json()]).toEqual([
      429,
      { message: expect.stringContaining('but 100 a minute are allowed'), code: 'RATE_LIMITED' },
    ])
  })
})

it('counts addresses, accounts and keys apart from each other', async () => {
  const em = shop.em()
  const [admin, shopper] = [await makeUser(em, { isAdmin: true }), await makeUser(em)]
  const made = await (
    await gql(
      '10.0.0.9',
      `mutation { createApiKey(input: { name: "Till", scopes: [READ_CATALOGUE], accountId: "${admin.id}" }) { secret } }`,
      admin,
    )
  ).json()
  await times(LIMIT + 1, () => send('10.0.0.1', '/api/products'))
  const key = { token: (made as { data: { createApiKey: { secret: string } } }).data.createApiKey.secret }
  expect(await left(send('10.0.0.1', '/api/products', shopper))).toBe(80)
  expect(await left(send('10.0.0.1', '/api/products', key))).toBe(80)
  // With a key, another address is not another client.
  expect(await left(send('10.0.0.2', '/api/products', key))).toBe(60)
  expect(await left(send('10.0.0.2', '/api/products'))).toBe(80)
  await times(LIMIT, () => send('10.0.0.2', '/api/products', key))
  expect(statusAndLimit(await send('10.0.0.2', '/api/products', key))).toEqual([429, '"client";r=0;t'])
})

it('gives nobody more who signs in again, or writes a key in another way', async () => {
  const account = await makeUser(shop.em())
  const em = shop.em()
  const again = { token: openSession(em, await em.findOneOrFail(User, { id: account.id })) }
  await em.flush()
  await times(LIMIT, () => send('10.0.0.1', '/api/products', account))
  expect((await send('10.0.0.2', '/api/products', again)).status).toBe(429)

  const key = await makeKey(em, account, ['READ_CATALOGUE'])
  await times(LIMIT, () => send('10.0.0.1', '/api/products', key))
  const written = { headers: { authorization: `bearer  ${key.token}` } }
  expect((await send('10.0.0.1', '/api/products', null, written)).status).toBe(429)
})

it('gains nobody anything to invent tokens, to forge an address or to leave', async () => {
  const account = await makeUser(shop.em())
  const invented = () => ({ token: `${crypto.randomUUID()}0000000` })
  await times(LIMIT, () => send('10.0.0.1', '/api/products', invented()))
  expect((await send('10.0.0.1', '/api/products', invented())).status).toBe(429)
  expect((await send('10.9.9.9, 10.0.0.1', '/api/products')).status).toBe(429)

  await times(LIMIT, () => send('10.0.0.2', '/api/products', account))
  await shop.em().execute('delete from sessions where user_id = ?', [account.id])
  expect((await send('10.0.0.2', '/api/products', account)).status).toBe(429)
})

it('counts the pages that an address has rendered, and others see theirs', async () => {
  const other = await openShop({
    rateLimit: 2 * PAGE_POINTS + 4 * LEAST_POINTS,
    trustProxy: '127.0.0.1',
    keepAnswersMs: 60_000,
  })
  try {
    const page = (from: string, path: string, who: Identity = null) =>
      fetch(other.url + path, {
        headers: { 'x-forwarded-for': from, ...(who && { authorization: `Bearer ${who.token}` }) },
      })
    expect(statusAndLimit(await page('10.0.0.1', '/search/a'))).toEqual([200, '"client";r=280;t'])
    expect(statusAndLimit(await page('10.0.0.1', '/search/b', await makeUser(other.em())))).toEqual([
      200,
      '"client";r=80;t',
    ])
    const refused = await page('10.0.0.1', '/search/c')
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0, await refused.text()]).toEqual([
      429,
      true,
      expect.stringContaining('Please wait'),
    ])
    expect((await page('10.0.0.1', '/sitemap.xml')).status).toBe(429)
    // A cached page costs little.
    expect(statusAndLimit(await page('10.0.0.1', '/search/a'))).toEqual([200, '"client";r=20;t'])
    // So it does for whoever comes from a newsletter.
    expect(statusAndLimit(await page('10.0.0.1', '/search/a?utm_source=may&mc_eid=7b'))).toEqual([
      200,
      '"client";r=0;t',
    ])
    expect((await page('10.0.0.2', '/search/c')).status).toBe(200)
  } finally {
    await other.close()
  }
})

it('leaves pictures, files and health checks alone', async () => {
  await times(LIMIT + 1, () => gql('10.0.0.1', '{ shop { name } }'))
  for (const path of ['/livez', '/robots.txt', '/images/none.webp?w=160'])
    expect((await send('10.0.0.1', path)).headers.has('ratelimit')).toBe(false)
})

it('keeps the shared answers when it refuses a change', async () => {
  const { id } = await makeProduct(shop.em(), { price: 1000 })
  const price = async (from: string) => (await gql(from, `{ product(id: "${id}") { price } }`)).json()
  const is = (price: number) => ({ data: { product: { price } } })
  await times(LIMIT, () => send('10.0.0.1', '/api/products'))
  // An answer is kept when its question was asked before.
  for (let time = 0; time < 2; time++) expect(await price('10.0.0.2')).toMatchObject(is(1000))
  await shop.em().execute('update products set price = 2000')
  expect((await send('10.0.0.1', '/api/users/logout', null, { method: 'POST' })).status).toBe(429)
  expect(await price('10.0.0.2')).toMatchObject(is(1000))
})

describe('behind proxies', () => {
  /** The answer to one client that claims another address each time, with each request passed on by these proxies. */
  const forging = async (trustProxy: string | number | undefined, passedOnBy: string[]) => {
    const other = await openShop({ rateLimit: POINTS, trustProxy })
    try {
      const answers = await times(LIMIT + 1, () =>
        fetch(`${other.url}/api/products`, {
          headers: {
            'x-forwarded-for': [`203.0.113.${serial++}`, ...passedOnBy].join(', '),
            forwarded: `for=203.0.113.${serial}`,
            'x-real-ip': `203.0.113.${serial}`,
          },
        }),
      )
      return lastOf(answers).status
    } finally {
      await other.close()
    }
  }
  let serial = 1

  // The proxy that connects to the shop is 127.0.0.1. Each proxy appends the address it was asked from.
  test.each([
    ['none is trusted', undefined, []],
    ['one, by its address', '127.0.0.1', ['198.51.100.7']],
    ['one, by number', 1, ['198.51.100.7']],
    ['two, by their range', '127.0.0.1,10.0.0.0/8', ['198.51.100.7', '10.0.0.1']],
    ['two, by number', 2, ['198.51.100.7', '10.0.0.1']],
    ['three, by their range', '127.0.0.1,10.0.0.0/8', ['198.51.100.7', '10.0.0.2', '10.0.0.1']],
  ])('a forged address gains nothing: %s', async (_which, trustProxy, passedOnBy) => {
    expect(await forging(trustProxy, passedOnBy)).toBe(429)
  })

  test.each([
    ['127.0.0.1', ['198.51.100.7']],
    [1, ['198.51.100.7']],
    [2, ['198.51.100.7', '10.0.0.1']],
  ])('clients are told apart: %s', async (trustProxy, [, ...proxies]) => {
    const other = await openShop({ rateLimit: POINTS, trustProxy })
    const status = async (client: string) =>
      (await fetch(`${other.url}/api/products`, { headers: { 'x-forwarded-for': [client, ...proxies].join(', ') } }))
        .status
    await times(LIMIT + 1, () => status('198.51.100.7'))
    expect([await status('198.51.100.7'), await status('198.51.100.8')]).toEqual([429, 200])
    await other.close()
  })
})

describe('costly operations', () => {
  const COSTLY =
    'query ($n: Int!) { productsConnection(first: $n) { edges { node { id name description reviews { items { comment product { name reviews { items { comment } } } } } } } } }'
  const costly = (from: string) =>
    send(from, '/graphql', null, {
      method: 'POST',
      // Each with another text, so that none gets the cached answer of another.
      body: JSON.stringify({ query: `${COSTLY} #${Math.random()}`, variables: { n: 30 } }),
      headers: { 'content-type': 'application/json' },
    })

  it('of one address are worked on one after another, while it and others ask for little', async () => {
    await shop.close()
    shop = await openShop({ rateLimit: 1_000_000, trustProxy: '127.0.0.1' })
    await shop.gql(
      'mutation ($id: ID!) { createReview(productId: $id, input: { rating: 5, comment: "Soft." }) { userErrors { code } } }',
      { id: (await makeProduct(shop.em())).id },
      await makeUser(shop.em()),
    )
    let begun = 0
    vi.spyOn(shop.orm.config.getLogger(), 'logQuery').mockImplementation(({ query }) => {
      if (/from "?products/.test(present(query)) && /limit/.test(present(query))) begun++
    })
    let answers!: Promise<Response[]>
    await shop.em().transactional(async em => {
      await em.execute('lock table reviews in access exclusive mode')
      const [one, other] = [costly('10.0.0.1'), costly('10.0.0.2')]
      await expect.poll(() => begun).toBe(2)
      answers = Promise.all([one, other, costly('10.0.0.1')])
      for (let turn = 0; turn < 5; turn++)
        expect((await gql('10.0.0.1', `{ shop { name } } #${turn}`)).status).toBe(200)
      expect(begun).toBe(2)
    })
    expect((await answers).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(begun).toBe(3)
  })
})

it('counts what a client spends at any process, within about a second', async () => {
  const { url, stop } = await shop.another()
  onTestFinished(stop)
  const ask = async (base: string) =>
    (await fetch(`${base}/api/products`, { headers: { 'x-forwarded-for': '10.0.0.9' } })).status
  // Waits until the processes know each other.
  await vi.waitFor(async () => {
    await times(LIMIT, () => ask(shop.url))
    expect(await ask(url)).toBe(429)
  }, 10_000)
})
