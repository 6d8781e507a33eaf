import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { connect as connectTo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Product } from './catalog/product.entity.ts'
import { connect } from './db/config.ts'
import { startProcess, type ShopProcess } from './testing/process.ts'
import { isAlive } from '../tools/local-postgres/system.ts'
import { ADDRESS } from './testing/purchase.ts'
import { makeProduct, makeUsers, ownDatabase, type Account } from './testing/shop.ts'
import { present } from '#schema/rules/present'

// Each request has its own connection, because a kept one may be closed just as the next request is sent.
const agent = new Agent({ keepAlive: false, maxSockets: Infinity })

interface Answer {
  status: number
  headers: NodeJS.Dict<string | string[]>
  body: { data?: { placeOrder?: { order: { id: string } | null } } | null; errors?: { extensions: { code: string } }[] }
}

/** Rejects with the code of the socket's error. */
function post(url: string, body: object, token: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { agent, method: 'POST', headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` } },
      response => {
        let text = ''
        response.setEncoding('utf8').on('data', chunk => {
          text += chunk
        })
        response
          .on('end', () =>
            resolve({ status: present(response.statusCode), headers: response.headers, body: JSON.parse(text) }),
          )
          .on('error', reject)
      },
    )
    sent.on('error', reject).end(JSON.stringify(body))
  })
}

const PLACE =
  'mutation($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id } userErrors { code message } } }'

/** Buyers who order one yarn, one order after the other, until the test stops them. */
function load(url: () => string, buyers: Account[], yarn: Pick<Product, 'id'>) {
  const counts = { placed: [] as string[], unavailable: 0, refused: 0, broken: [] as string[] }
  let slowestRefusal = 0
  const over = new AbortController()
  let stoppingSince = Infinity
  const working = buyers.map(async ({ token }) => {
    while (!over.signal.aborted) {
      const start = performance.now()
      try {
        const { status, headers, body } = await post(
          `${url()}/graphql`,
          {
            query: PLACE,
            variables: { input: { lines: [{ productId: yarn.id, quantity: 1 }], shippingAddress: ADDRESS } },
          },
          token,
        )
        const order = body.data?.placeOrder?.order
        if (order) counts.placed.push(order.id)
        else if (
          status === 503 &&
          headers['retry-after'] === '2' &&
          body.errors?.[0]?.extensions.code === 'UNAVAILABLE'
        ) {
          counts.unavailable++
          slowestRefusal = Math.max(slowestRefusal, performance.now() - start)
          await delay(20)
        } else counts.broken.push(`${status} ${JSON.stringify(body)}`)
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        // A request that the shop had not accepted when it stopped listening is reset, which means the same.
        if (code === 'ECONNREFUSED' || (code === 'ECONNRESET' && start > stoppingSince)) {
          counts.refused++
          await delay(20)
        } else counts.broken.push(String(code ?? message))
      }
    }
  })
  return {
    counts,
    slowestRefusal: () => slowestRefusal,
    /** From now on the shop may refuse connections. */
    shopIsTold: () => {
      stoppingSince = performance.now()
    },
    async stop() {
      over.abort()
      await Promise.all(working)
    },
  }
}

/** Checks that every acknowledged order exists, and that stock and orders agree. */
async function expectNothingLost(em: EntityManager, yarn: Product, placed: string[]) {
  const rows = await em.execute<{ id: string }[]>('select id from orders')
  const known = new Set(rows.map(({ id }) => id))
  expect(placed.filter(id => !known.has(id))).toEqual([])
  const [{ left, ledger, sold }] = await em.execute<[{ left: number; ledger: number; sold: number }]>(
    `select count_in_stock as left, (select sum(delta)::int from stock_movements where product_id = p.id) as ledger,
       (select coalesce(sum(quantity), 0)::int from order_items where product_id = p.id) as sold from products p where id = ?`,
    [yarn.id],
  )
  expect({ left, ledger, sold }).toEqual({ left: STOCK - rows.length, ledger: STOCK - rows.length, sold: rows.length })
}

const STOCK = 1_000_000

async function stocked(orm: MikroORM, buyers: number) {
  const em = orm.em.fork()
  return { yarn: await makeProduct(em, { countInStock: STOCK }), buyers: await makeUsers(em, buyers) }
}

async function tempDir() {
  const dir = await mkdtemp(join(tmpdir(), 'skein-process-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  return dir
}

async function started(env: Record<string, string>): Promise<ShopProcess> {
  const shop = await startProcess({ DATA_DIR: await tempDir(), ...env })
  onTestFinished(() => void shop.child.kill('SIGKILL'))
  return shop
}

/** What /readyz answers from now on, until nobody answers. */
async function readinessUntilGone(url: string): Promise<number[]> {
  const seen: number[] = []
  try {
    for (;;) {
      seen.push((await fetch(`${url}/readyz`)).status)
      await delay(20)
    }
  } catch {
    return seen
  }
}

/** Waits until the shop sells again. Returns after how many milliseconds. */
async function untilPlaced({ counts }: ReturnType<typeof load>): Promise<number> {
  const start = performance.now()
  const before = counts.placed.length
  while (counts.placed.length === before) {
    if (performance.now() - start > 20_000) throw new Error('The shop does not sell again')
    await delay(10)
  }
  return Math.round(performance.now() - start)
}

const RESTARTS = 3

describe('a shop that is told to stop', { timeout: 300_000 }, () => {
  it(`finishes what it has begun, ${RESTARTS} times under load`, async () => {
    const { url: databaseUrl, drop } = await ownDatabase()
    onTestFinished(drop)
    const orm = await connect(databaseUrl)
    onTestFinished(() => orm.close())
    const { yarn, buyers } = await stocked(orm, 20)
    const ends = []
    for (let restart = 0; restart < RESTARTS; restart++) {
      const shop = await started({ DATABASE_URL: databaseUrl })
      const buying = load(() => shop.url, buyers, yarn)
      await untilPlaced(buying)
      await delay(500)
      const readiness = readinessUntilGone(shop.url)
      buying.shopIsTold()
      ends.push(await shop.end('SIGTERM'))
      expect(await readiness).toContain(503)
      await buying.stop()
      expect(buying.counts.broken).toEqual([])
      expect(buying.counts.placed.length).toBeGreaterThan(0)
      await expectNothingLost(orm.em.fork(), yarn, buying.counts.placed)
    }
    console.log(`ended after ${ends.map(({ ms }) => ms).join(', ')} ms`)
    for (const end of ends) {
      expect(end).toMatchObject({ code: 0, signal: null })
      expect(end.ms).toBeLessThan(10_000)
    }
  })

  it('ends at once when told twice', async () => {
    const shop = await started({})
    const { hostname, port } = new URL(shop.url)
    // A request that never ends.
    const socket = connectTo(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {}).write('POST /graphql HTTP/1.1\r\nHost: shop\r\nContent-Length: 10\r\n\r\n{')
    await delay(300)
    shop.child.kill('SIGINT')
    await delay(300)
    expect(shop.child.exitCode).toBeNull()
    const { code, ms } = await shop.end('SIGINT')
    expect(code).toBe(1)
    expect(ms).toBeLessThan(5_000)
  })
})

describe('a shop that npm started', { timeout: 300_000 }, () => {
  it('stops in order when npm alone is told to, which takes nothing but its shell along', async () => {
    const dataDir = await tempDir()
    const shop = await startProcess({ DATA_DIR: dataDir, npm_lifecycle_event: 'start' }, [], { inShell: true })
    const pid = Number.parseInt(await readFile(join(dataDir, 'skein.lock'), 'utf8'))
    onTestFinished(() => {
      if (isAlive(pid)) process.kill(pid, 'SIGKILL')
    })
    await shop.end('SIGTERM')
    await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false)
    expect(shop.output()).toContain('Stopping …')
    expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).toContain('received fast shutdown request')
    await expect(fetch(shop.url)).rejects.toThrow('fetch failed')
  })
})

describe('a shop whose database goes away', { timeout: 300_000 }, () => {
  it('starts its own one again when that is killed, and loses nothing', async () => {
    const dataDir = await tempDir()
    const shop = await started({ DATA_DIR: dataDir })
    const [pid, , , port] = (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')
    const password = await readFile(join(dataDir, 'postgres.password'), 'utf8')
    const orm = await connect(`postgresql://skein:${password}@127.0.0.1:${port}/skein`)
    onTestFinished(() => orm.close())
    const { yarn, buyers } = await stocked(orm, 20)
    const buying = load(() => shop.url, buyers, yarn)
    await untilPlaced(buying)
    await delay(500)
    process.kill(Number(pid), 'SIGKILL')
    await expect.poll(shop.output, { timeout: 10_000 }).toContain('PostgreSQL is back.')
    const ms = await untilPlaced(buying)
    await delay(500)
    await buying.stop()
    console.log(
      `sold again ${ms} ms after the database was back; the slowest refusal took ${buying.slowestRefusal().toFixed(0)} ms; ${buying.counts.unavailable} refused, ${buying.counts.placed.length} placed`,
    )
    expect(buying.counts.broken).toEqual([])
    expect(buying.slowestRefusal()).toBeLessThan(5_000)
    expect(ms).toBeLessThan(5_000)
    await expectNothingLost(orm.em.fork(), yarn, buying.counts.placed)
    expect(await shop.end()).toMatchObject({ code: 0 })
  })

  it('goes on when an external one is back, without being restarted', async () => {
    const { url, drop } = await ownDatabase()
    onTestFinished(drop)
    const orm = await connect(url)
    onTestFinished(() => orm.close())
    const { yarn, buyers } = await stocked(orm, 20)
    const wire = await interruptible(new URL(url))
    const shop = await started({ DATABASE_URL: wire.url })
    const buying = load(() => shop.url, buyers, yarn)
    for (let round = 0; round < 3; round++) {
      await untilPlaced(buying)
      await delay(300)
      wire.cut()
      await delay(2_000)
      const refused = buying.counts.unavailable
      await expect.poll(() => buying.counts.unavailable, { timeout: 20_000 }).toBeGreaterThan(refused)
      expect((await fetch(`${shop.url}/livez`)).status).toBe(200)
      expect((await fetch(`${shop.url}/readyz`)).status).toBe(503)
      await wire.mend()
      await expect.poll(async () => (await fetch(`${shop.url}/readyz`)).status, { timeout: 5_000 }).toBe(200)
      const ms = await untilPlaced(buying)
      console.log(
        `sold again ${ms} ms after the database was back; the slowest refusal took ${buying.slowestRefusal().toFixed(0)} ms`,
      )
      expect(ms).toBeLessThan(5_000)
    }
    await buying.stop()
    expect(buying.counts.broken).toEqual([])
    expect(buying.slowestRefusal()).toBeLessThan(5_000)
    await expectNothingLost(orm.em.fork(), yarn, buying.counts.placed)
    expect(await shop.end()).toMatchObject({ code: 0 })
  })
})

/** A relay to the database that can be cut. To the shop it looks like a database that stops. */
async function interruptible(target: URL) {
  const sockets = new Set<Socket>()
  const open = (port: number) =>
    new Promise<ReturnType<typeof createServer>>(resolve => {
      const server = createServer(near => {
        const far = connectTo(Number(target.port), target.hostname)
        for (const [from, to] of [
          [near, far],
          [far, near],
        ] as const) {
          sockets.add(from)
          from
            .on('error', () => {})
            .on('close', () => {
              sockets.delete(from)
              to.destroy()
            })
            .pipe(to)
        }
      })
      server.listen(port, '127.0.0.1', () => resolve(server))
    })
  let server = await open(0)
  const { port } = server.address() as { port: number }
  const cut = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(cut)
  const url = new URL(target)
  url.port = String(port)
  return {
    url: url.href,
    cut,
    mend: async () => {
      server = await open(port)
    },
  }
}
