import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { MikroORM } from '@mikro-orm/postgresql'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { connect } from './db/config.ts'
import { startProcess, type ShopProcess } from './testing/process.ts'
import { ADDRESS } from './testing/purchase.ts'
import { makeProduct, makeUser, makeUsers, ownDatabase, type Account } from './testing/shop.ts'
import { nth, present } from '#schema/rules/present'

const PROCESSES = 3
const PLACE =
  'mutation($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id } userErrors { code message } } }'

interface Answer {
  status: number
  /** Whether the server closes the connection after this answer. */
  isLast: boolean
  body: {
    data?: {
      placeOrder?: { order: { id: string } | null; userErrors: { code: string }[] }
      product?: { price: number; numReviews: number }
    }
  }
}

let shop: ShopProcess
let orm: MikroORM
let dropDatabase: () => Promise<void>
let dataDir: string
beforeAll(async () => {
  const { url, drop } = await ownDatabase()
  dropDatabase = drop
  dataDir = await mkdtemp(join(tmpdir(), 'skein-processes-'))
  orm = await connect(url)
  shop = await startProcess({ DATABASE_URL: url, DATA_DIR: dataDir }, ['--processes', String(PROCESSES)])
})
afterAll(async () => {
  shop?.child.kill('SIGKILL')
  await orm?.close()
  await dropDatabase?.()
  await rm(dataDir, { recursive: true, force: true })
})

/** The processes that answer requests, by id. */
const workers = () =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter(line => line.includes('dist/api/main.js'))
    .map(line => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === shop.child.pid)
    .map(columns => nth(columns, 0))

/** A client with one connection, which it keeps until the shop closes it. */
function client(account?: Account) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return (query: string, variables: object = {}) =>
    new Promise<Answer>((resolve, reject) => {
      const headers = {
        'content-type': 'application/json',
        ...(account && { authorization: `Bearer ${account.token}` }),
      }
      const sent = request(`${shop.url}/graphql`, { agent, method: 'POST', headers, timeout: 20_000 }, response => {
        response.setEncoding('utf8')
        response
          .toArray()
          .then(parts =>
            resolve({
              status: present(response.statusCode),
              isLast: response.headers.connection === 'close',
              body: JSON.parse(parts.join('')),
            }),
          )
          .catch(reject)
      })
        .on('timeout', () => sent.destroy(new Error('no answer')))
        .on('error', reject)
        .end(JSON.stringify({ query, variables }))
    })
}

/**
 * Buyers of one yarn, each placing one order after another until it is sold out. A buyer who is told to come back, because
 * the machine is busy, does so. A request whose connection breaks is sent `tries` times in all.
 */
function buyers(accounts: Account[], productId: string, tries: number) {
  const placed = new Set<string>()
  const broken: string[] = []
  let turnedAway = 0
  const over = new AbortController()
  async function buy(send: ReturnType<typeof client>): Promise<'placed' | 'sold out'> {
    const idempotencyKey = randomUUID()
    const input = { lines: [{ productId, quantity: 1 }], shippingAddress: ADDRESS, idempotencyKey }
    for (let left = tries; ;) {
      try {
        const { status, isLast, body } = await send(PLACE, { input })
        const { order, userErrors } = body.data?.placeOrder ?? {}
        if (order) {
          placed.add(order.id)
          return 'placed'
        }
        if (userErrors?.length) return 'sold out'
        if (status !== 503) throw new Error(`${status} ${JSON.stringify(body)}`)
        // Refused by a process that is closing.
        if (isLast) turnedAway++
      } catch (error) {
        if (--left > 0) continue
        broken.push(String(error))
        return 'sold out'
      }
      await delay(20)
    }
  }
  const buying = Promise.all(
    accounts.map(async account => {
      const send = client(account)
      while (!over.signal.aborted && (await buy(send)) === 'placed');
    }),
  )
  const stop = async () => {
    over.abort()
    await buying
  }
  onTestFinished(stop)
  const untilPlaced = async (more: number) => {
    const until = placed.size + more
    await expect.poll(() => placed.size, { timeout: 60_000, interval: 20 }).toBeGreaterThanOrEqual(until)
  }
  return { placed, broken, untilPlaced, stop, soldOut: buying, turnedAway: () => turnedAway }
}

const sold = async (productId: string) => {
  const [row] = await orm.em.fork().execute<[{ orders: number; left: number; ledger: number }]>(
    `select (select count(*)::int from order_items where product_id = p.id) as orders, count_in_stock as left,
         (select sum(delta)::int from stock_movements where product_id = p.id) as ledger from products p where id = ?`,
    [productId],
  )
  return row
}

describe('several processes behind one port', { timeout: 240_000 }, () => {
  it('sell what there is and no more, however many buy at once', async () => {
    const em = orm.em.fork()
    const { id } = await makeProduct(em, { countInStock: 40 })
    const crowd = buyers(await makeUsers(em, 12), id, 1)
    await crowd.soldOut
    expect(crowd.broken).toEqual([])
    expect(crowd.placed.size).toBe(40)
    expect(await sold(id)).toEqual({ orders: 40, left: 0, ledger: 0 })
  })

  it('show what was changed at one of them at every other one, from its answer on', async () => {
    const em = orm.em.fork()
    const { id } = await makeProduct(em, { price: 1_000 })
    const admin = await makeUser(em, { isAdmin: true })
    const reviewers = await makeUsers(em, 10)
    const visitors = Array.from({ length: 2 * PROCESSES }, () => client())
    const shown = () =>
      Promise.all(
        visitors.map(async ask => {
          const { body } = await ask('query ($id: ID!) { product(id: $id) { price numReviews } }', { id })
          return body.data?.product
        }),
      )
    const change = client(admin)
    for (const [index, reviewer] of reviewers.entries()) {
      await shown()
      const price = 1_001 + index
      await change(
        'mutation ($id: ID!, $price: Cents!) { patchProduct(id: $id, input: { price: $price }) { userErrors { message } } }',
        { id, price },
      )
      expect(await shown()).toEqual(visitors.map(() => ({ price, numReviews: index })))
      await client(reviewer)(
        'mutation ($id: ID!) { createReview(productId: $id, input: { rating: 5, comment: "Soft" }) { userErrors { message } } }',
        { id },
      )
      expect(await shown()).toEqual(visitors.map(() => ({ price, numReviews: index + 1 })))
    }
  })

  it('go on when one is told to stop, and when one is killed, without a request that fails', async () => {
    const em = orm.em.fork()
    const { id } = await makeProduct(em, { countInStock: 1_000_000 })
    const accounts = await makeUsers(em, 9)
    const before = workers()
    expect(before).toHaveLength(PROCESSES)

    const told = buyers(accounts, id, 1)
    await told.untilPlaced(20)
    process.kill(nth(before, 0), 'SIGTERM')
    await expect.poll(workers, { timeout: 60_000, interval: 50 }).not.toContain(before[0])
    await told.untilPlaced(20)
    await told.stop()
    expect(told.broken).toEqual([])
    expect(told.turnedAway()).toBe(0)

    // Work in progress has an unknown result: its sender tries again with the same key, as browsers and load balancers do.
    const killed = buyers(accounts, id, 2)
    await killed.untilPlaced(20)
    process.kill(nth(before, 1), 'SIGKILL')
    await killed.untilPlaced(40)
    await killed.stop()
    expect(killed.broken).toEqual([])
    const orders = told.placed.size + killed.placed.size
    expect(await sold(id)).toEqual({ orders, left: 1_000_000 - orders, ledger: 1_000_000 - orders })

    await expect.poll(() => workers().length, { timeout: 60_000 }).toBe(PROCESSES)
  })

  it('stop together', async () => {
    const { code, signal, ms } = await shop.end('SIGTERM')
    expect({ code, signal }).toEqual({ code: 0, signal: null })
    expect(ms).toBeLessThan(30_000)
  })
})
