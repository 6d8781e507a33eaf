import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { MikroORM } from '@mikro-orm/postgresql'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect, migrate } from './db/config.ts'
import { startProcess, type ShopProcess } from './testing/process.ts'
import { ADDRESS } from './testing/purchase.ts'
import { startReplicated } from './testing/replica.ts'
import { makeProduct, makeUsers, type Account } from './testing/shop.ts'
import { nth } from '#schema/rules/present'

const MACHINES = 3
const BUYERS = 6
const UNITS = 10_000

let servers: Awaited<ReturnType<typeof startReplicated>>
let orm: MikroORM
let folder: string
let shops: ShopProcess[] = []
beforeAll(async () => {
  servers = await startReplicated()
  orm = await connect(servers.primary)
  await migrate(orm)
  folder = await mkdtemp(join(tmpdir(), 'skein-machines-'))
  // Each runs as if on its own machine: they share the database and nothing else.
  shops = await Promise.all(
    Array.from({ length: MACHINES }, (_, index) =>
      startProcess({
        DATABASE_URL: servers.primary,
        DATABASE_REPLICA_URLS: servers.replica,
        DATA_DIR: join(folder, String(index)),
      }),
    ),
  )
}, 180_000)
afterAll(async () => {
  for (const { child } of shops) child.kill('SIGKILL')
  await orm?.close()
  await servers?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

let turn = 0
const failed: string[] = []

/** Does what a load balancer does: takes turns, and tries the next machine after a broken connection or a 503. */
async function balanced(query: string, variables: object, account: Account | null) {
  for (let left = 30; left > 0; left--) {
    const { url } = nth(shops, turn++ % MACHINES)
    try {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(account && { authorization: `Bearer ${account.token}` }) },
        body: JSON.stringify({ query, variables }),
        signal: AbortSignal.timeout(20_000),
      })
      const answer = (await response.json()) as { data?: Record<string, never>; errors?: unknown }
      if (response.status === 200 && !answer.errors) return answer.data
      if (response.status !== 503) failed.push(`${response.status} ${JSON.stringify(answer)}`)
    } catch {
      // The connection broke: the request may or may not have been carried out.
    }
    await delay(10)
  }
  failed.push('nobody answers')
  return {}
}

const PLACE = 'mutation($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id } userErrors { code } } }'
const SHOWN = 'query($id: ID!) { product(id: $id) { countInStock } }'

/** Buys one unit after another of a yarn that nobody else buys. After each, checks as buyer and as visitor how many are left. */
function buyer(account: Account, productId: string) {
  const over = new AbortController()
  const seen = { placed: 0, wrong: [] as string[] }
  const buying = (async () => {
    while (!over.signal.aborted) {
      const input = {
        lines: [{ productId, quantity: 1 }],
        shippingAddress: ADDRESS,
        idempotencyKey: randomUUID(),
      }
      const { placeOrder } = (await balanced(PLACE, { input }, account)) as { placeOrder?: { order: object | null } }
      if (!placeOrder?.order) {
        seen.wrong.push(JSON.stringify(placeOrder))
        continue
      }
      seen.placed++
      for (const who of [account, null]) {
        const { product } = (await balanced(SHOWN, { id: productId }, who)) as { product?: { countInStock: number } }
        if (product?.countInStock !== UNITS - seen.placed)
          seen.wrong.push(`${product?.countInStock} left after ${seen.placed}`)
      }
    }
  })()
  return {
    seen,
    async stop() {
      over.abort()
      await buying
    },
  }
}

it('three machines with a primary and a replica go on when one is killed, and show everyone what they were told of', async () => {
  const em = orm.em.fork()
  const accounts = await makeUsers(em, BUYERS)
  const products = await Promise.all(accounts.map(() => makeProduct(orm.em.fork(), { countInStock: UNITS })))
  const buyers = accounts.map((account, index) => buyer(account, nth(products, index).id))
  const placed = () => buyers.reduce((sum, { seen }) => sum + seen.placed, 0)
  const untilPlaced = async (more: number) => {
    const until = placed() + more
    await expect.poll(placed, { timeout: 60_000, interval: 20 }).toBeGreaterThanOrEqual(until)
  }

  await untilPlaced(30)
  nth(shops, 1).child.kill('SIGKILL')
  await untilPlaced(60)
  // The replica is started again under the same address, some tenths of a second later.
  servers.kill()
  await untilPlaced(60)
  await servers.keepBehind(30)
  await untilPlaced(30)
  for (const { stop } of buyers) await stop()

  expect(failed).toEqual([])
  expect(buyers.flatMap(({ seen }) => seen.wrong)).toEqual([])
  const rows = await em.execute<{ orders: number; left: number; ledger: number }[]>(
    `select (select count(*)::int from order_items where product_id = p.id) as orders, count_in_stock as left,
         (select sum(delta)::int from stock_movements where product_id = p.id) as ledger
     from products p order by array_position(?::uuid[], id)`,
    [`{${products.map(({ id }) => id).join()}}`],
  )
  expect(rows).toEqual(
    buyers.map(({ seen }) => ({ orders: seen.placed, left: UNITS - seen.placed, ledger: UNITS - seen.placed })),
  )
}, 240_000)
