import { once } from 'node:events'
import { connect as connectTo, createServer, type AddressInfo, type Socket } from 'node:net'
import type { EntityManager } from '@mikro-orm/postgresql'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { Product } from '../catalog/product.entity.ts'
import { ADDRESS, line, placed, stockOf } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, ownDatabase, type Account, type TestShop } from '../testing/shop.ts'
import { connect } from './config.ts'
import { explain } from './failures.ts'
import { present } from '#schema/rules/present'

let shop: TestShop
let nell: Account
beforeAll(async () => {
  shop = await openShop({ isHasty: true })
  nell = await makeUser(shop.em())
})
afterAll(() => shop?.close())

const PLACE = 'mutation($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id } userErrors { code } } }'

/** Every endpoint of the shop, each with a request that needs the database. */
const endpoints: Record<string, (product: Pick<Product, 'id'>) => Promise<Response>> = {
  'GraphQL, a mutation': product =>
    shop.send(
      JSON.stringify({ query: PLACE, variables: { input: { lines: [line(product)], shippingAddress: ADDRESS } } }),
      { 'content-type': 'application/json', authorization: `Bearer ${nell.token}` },
    ),
  'REST, an order': product =>
    fetch(`${shop.url}/api/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${nell.token}` },
      body: JSON.stringify({
        orderItems: [{ product: product.id, quantity: 1 }],
        shippingAddress: ADDRESS,
        paymentMethod: 'PayPal',
      }),
    }),
  'GraphQL, a query': () => shop.send(JSON.stringify({ query: '{ products { total } }' })),
  'REST, a list': () => fetch(`${shop.url}/api/products`),
  'an invoice': product =>
    fetch(`${shop.url}/api/orders/${product.id}/invoice.pdf`, { headers: { authorization: `Bearer ${nell.token}` } }),
  'a page': product => fetch(`${shop.url}/product/${product.id}`),
}

async function expectUnavailable(response: Response) {
  const text = await response.text()
  expect({ status: response.status, retryAfter: response.headers.get('retry-after'), text }).toMatchObject({
    status: 503,
    retryAfter: '2',
  })
  // The page's own scripts may well set a timeout.
  expect(text.replaceAll(/<script>.*?<\/script>/gs, '')).not.toMatch(/timeout|canceling|PostgreSQL|node_modules/i)
  if (response.headers.get('content-type')?.startsWith('text/html')) return
  const { errors, ...body } = JSON.parse(text)
  const code = errors ? errors[0].extensions.code : body.code
  expect({ code, message: errors?.[0].message ?? body.message }).toEqual({
    code: 'UNAVAILABLE',
    message: 'The shop is very busy. Please try again in 2 seconds.',
  })
}

/** Works on the same database over another program's connections. */
async function elsewhere<T>(work: (em: EntityManager) => Promise<T>): Promise<T> {
  const orm = await connect(shop.databaseUrl)
  try {
    return await work(orm.em.fork())
  } finally {
    await orm.close(true)
  }
}

describe('a row that somebody else keeps locked', { timeout: 30_000 }, () => {
  test.each(['GraphQL, a mutation', 'REST, an order'])('soon answers 503: %s', async name => {
    const product = await makeProduct(shop.em())
    await elsewhere(em =>
      em.transactional(async tx => {
        await tx.execute('select 1 from products where id = ? for update', [product.id])
        const start = performance.now()
        await expectUnavailable(await present(endpoints[name])(product))
        expect(performance.now() - start).toBeLessThan(10_000)
      }),
    )
    expect(await stockOf(shop, product.id)).toEqual({ left: 10, ledger: 10, sold: 0 })
    expect((await present(endpoints[name])(product)).status).toBeLessThan(300)
  })
})

describe('a table that somebody else keeps locked', { timeout: 30_000 }, () => {
  test.each<[string, string, (email: string) => Promise<Response>]>([
    [
      'signing in',
      'rate_limits',
      email =>
        fetch(`${shop.url}/api/users/login`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email, password: 'knit one purl two' }),
        }),
    ],
    [
      'signing in over GraphQL',
      'rate_limits',
      email =>
        shop.send(
          JSON.stringify({ query: `mutation { login(email: "${email}", password: "knit one purl two") { token } }` }),
        ),
    ],
    ['whoever is signed in', 'sessions', () => present(endpoints['an invoice'])(nell)],
  ])('soon answers 503 to %s', async (_who, table, ask) => {
    await elsewhere(em =>
      em.transactional(async tx => {
        await tx.execute(`lock table ${table} in access exclusive mode`)
        await expectUnavailable(await ask('nell@example.com'))
      }),
    )
  })
})

describe('all connections in use', { timeout: 30_000 }, () => {
  it('answers 503 at every endpoint, and as ever once they are free', async () => {
    const product = await makeProduct(shop.em())
    let free = () => {}
    const hold = new Promise<void>(resolve => {
      free = resolve
    })
    const held: Promise<void>[] = []
    // One after the other: a busy machine cannot open ten connections in the time that one may take.
    for (let connection = 0; connection < 10; connection++)
      await new Promise<void>((isHeld, fail) => {
        const holding = shop.em().transactional(async tx => {
          await tx.execute('set local idle_in_transaction_session_timeout = 0; set local statement_timeout = 0')
          isHeld()
          await hold
        })
        held.push(holding)
        holding.catch(fail)
      })
    try {
      const start = performance.now()
      expect((await fetch(`${shop.url}/livez`)).status).toBe(200)
      await Promise.all(Object.values(endpoints).map(async endpoint => expectUnavailable(await endpoint(product))))
      expect(performance.now() - start).toBeLessThan(10_000)
      expect((await fetch(`${shop.url}/readyz`)).status).toBe(503)
    } finally {
      free()
      await Promise.all(held)
    }
    expect((await present(endpoints['GraphQL, a mutation'])(product)).status).toBe(200)
    expect((await fetch(`${shop.url}/readyz`)).status).toBe(200)
  })
})

/** A relay between the shop and its database that can fall silent. Returns the address to use for the database. */
async function silenceable(url: string) {
  const to = new URL(url)
  const sockets = new Set<Socket>()
  let silent = false
  const server = createServer(near => {
    const far = connectTo(Number(to.port), to.hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one
        .on('data', data => other.write(data))
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(one)
          if (!silent) other.destroy()
        })
      if (silent) one.pause()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const here = new URL(url)
  here.hostname = '127.0.0.1'
  here.port = String((server.address() as AddressInfo).port)
  return {
    url: here.href,
    fallSilent() {
      silent = true
      for (const socket of sockets) socket.pause()
    },
    speakAgain() {
      silent = false
      for (const socket of sockets) socket.resume()
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

describe('a database that falls silent', { timeout: 90_000 }, () => {
  it('is waited for no longer than seconds, and found again when it speaks', async () => {
    const { url, drop } = await ownDatabase()
    const wire = await silenceable(url)
    const orm = await connect(wire.url)
    const shop = await openShop({ orm })
    try {
      const ask = () => shop.send(JSON.stringify({ query: '{ products { total } }' }))
      const list = () => fetch(`${shop.url}/api/products`)
      expect((await ask()).status).toBe(200)
      wire.fallSilent()
      const start = performance.now()
      // More requests than there are connections.
      await Promise.all(
        Array.from({ length: 24 }, async (_, index) => expectUnavailable(await (index % 2 ? ask() : list()))),
      )
      expect(performance.now() - start).toBeLessThan(30_000)
      expect((await fetch(`${shop.url}/livez`)).status).toBe(200)
      await expectUnavailable(await ask())
      wire.speakAgain()
      await expect.poll(async () => (await ask()).status, { timeout: 30_000 }).toBe(200)
      expect((await fetch(`${shop.url}/readyz`)).status).toBe(200)
    } finally {
      wire.speakAgain()
      await shop.close()
      wire.close()
      await orm.close(true)
      await drop()
    }
  })
})

describe('a connection that breaks in the middle of a transaction', () => {
  it('leaves the pool, also when it happens to all of them', async () => {
    const broken = Array.from({ length: 10 }, () =>
      shop.em().transactional(async tx => {
        const [{ pid }] = await tx.execute<[{ pid: number }]>('select pg_backend_pid() as pid')
        await elsewhere(em => em.execute('select pg_terminate_backend(?)', [pid]))
        await tx.execute('select 1')
      }),
    )
    const results = await Promise.allSettled(broken)
    expect(results.map(({ status }) => status)).toEqual(Array(10).fill('rejected'))
    const answer = await shop.gql('{ products { total } }')
    expect(answer).toMatchObject({ status: 200, data: { products: {} } })
  })
})

describe('a transaction that loses against another one', () => {
  it('is run again: a checkout that met a deadlock', async () => {
    const products = [await makeProduct(shop.em()), await makeProduct(shop.em())].sort((a, b) => (a.id < b.id ? -1 : 1))
    const [first, second] = products as [Product, Product]
    const order = await elsewhere(em =>
      em.transactional(async tx => {
        // PostgreSQL ends the transaction that finds the deadlock. This one never looks, so the buyer's is ended.
        await tx.execute(`set local lock_timeout = 0; set local deadlock_timeout = '1min'`)
        await tx.execute('select 1 from products where id = ? for update', [second.id])
        const placing = placed(shop, nell, [line(first), line(second)])
        placing.catch(() => {})
        const waiting = () => tx.execute(`select 1 from pg_locks where not granted and pid <> pg_backend_pid()`)
        await expect.poll(waiting, { interval: 10 }).not.toEqual([])
        await tx.execute('select 1 from products where id = ? for update', [first.id])
        return { placing }
      }),
    )
    expect((await order.placing).items).toHaveLength(2)
    expect(await stockOf(shop, first.id)).toEqual({ left: 9, ledger: 9, sold: 1 })
  })

  /** Fails as PostgreSQL does when it cannot serialize two transactions. */
  const conflict = (em: EntityManager) => em.execute(`do $$ begin raise exception using errcode = '40001'; end $$`)

  it('begins with what is in the database, not with what was rolled back', async () => {
    const em = shop.em()
    const product = await em.findOneOrFail(Product, { id: (await makeProduct(shop.em())).id })
    let tries = 0
    await em.transactional(async tx => {
      product.price += 100
      await tx.flush()
      if (++tries < 3) await conflict(tx)
    })
    expect(tries).toBe(3)
    expect(await shop.em().findOneOrFail(Product, { id: product.id })).toMatchObject({ price: 2500 })
    expect(product.price).toBe(2500)
  })

  it('is given up after four tries, savepoints and all', async () => {
    let tries = 0
    const work = shop.em().transactional(outer =>
      outer.transactional(async tx => {
        tries++
        await conflict(tx)
      }),
    )
    await expect(work).rejects.toMatchObject({ extensions: { code: 'UNAVAILABLE', http: { status: 503 } } })
    expect(tries).toBe(4)
  })

  it('is run once when it failed for another reason', async () => {
    let tries = 0
    await expect(
      shop.em().transactional(async tx => {
        tries++
        await tx.execute('select 1 / 0')
      }),
    ).rejects.toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } })
    expect(tries).toBe(1)
  })
})

describe('what a failure is to clients', () => {
  const failure = (code: string, message = 'a table of ours') => Object.assign(new Error(message), { code })

  test.each([
    '40001',
    '40P01',
    '55P03',
    '57014',
    '08006',
    '08001',
    '53300',
    '53100',
    '57P01',
    '57P03',
    '58030',
    'ECONNREFUSED',
    'ECONNRESET',
  ])('%s: try again', code => {
    expect(explain(failure(code))).toMatchObject({
      message: expect.stringMatching(/^The shop is very busy/),
      extensions: { code: 'UNAVAILABLE', http: { status: 503 } },
    })
  })

  test.each(['22003', '22021', '22P02', '08P01'])('%s: a value that cannot be used', code => {
    expect(explain(failure(code))).toMatchObject({ extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } } })
  })

  test.each(['23505', '42P01', '42601', '0A000', 'XX000'])('%s: nothing they may know', code => {
    expect(explain(failure(code))).not.toHaveProperty('extensions')
  })
})
