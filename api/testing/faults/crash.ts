import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { line, makeProducts, makeShoppers, type Shopper } from './goods.ts'
import type { ShopProcess } from '../process.ts'
import type { Ground } from './ground.ts'
import { buyerApproves, capture, openPayment } from './paying.ts'
import { call, mutate, placeOrder, type Outcome } from './requests.ts'
import { atMost, exactly, none, pick, type Figure, type Scenario } from './scenario.ts'
import { nth, present } from '#schema/rules/present'

const SHOPS = 3
const POSTGRES_EVERY = 10
const RECOVERY_SECONDS = 5
const RECONCILED_MS = 60_000
/** How long to wait for an answer, from any process. */
const PATIENCE_MS = 60_000

/** What the shop has confirmed, and what was sent without a known result. */
interface Memory {
  orders: Set<string>
  /** Approved at PayPal: they end up paid, whatever happens to the shop. */
  approved: Set<string>
  paid: Set<string>
  reviews: number
  pictures: string[]
  /** By product: the last price the shop confirmed, and the prices sent since. */
  prices: Map<string, { known: number; perhaps: number[] }>
  /** Keys of orders. An order without an answer is sent again under its key, and counts once. */
  keys: Set<string>
}

/** Runs kill -9 on shop processes and PostgreSQL while people order, pay, review, upload and administer. */
export const crash: Scenario = {
  name: 'crash',
  full: { rounds: 200, crowd: 12 },
  short: { rounds: 1, crowd: 6 },
  async run(ground, { rounds, crowd, random }) {
    const memory: Memory = {
      orders: new Set(),
      approved: new Set(),
      paid: new Set(),
      reviews: 0,
      pictures: [],
      prices: new Map(),
      keys: new Set(),
    }
    const shops: (ShopProcess | null)[] = await ground.others(Math.min(SHOPS, rounds + 1))
    const [done, acknowledged] = [{ over: false }, { count: 0 }]
    const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const shelf = await makeProducts(ground.sql, Array<number>(8).fill(900_000))
    const people = Array.from({ length: crowd }, () =>
      person(ground, memory, shelf, picture, () => pick(shops, random), random, acknowledged, done),
    )

    const [kills, recoveries] = [{ shop: 0 }, [] as number[]]
    // Each slot has a process, kills it once requests have succeeded, and starts the next one on the same port.
    const keep = async (slot: number) => {
      while (kills.shop < rounds && !done.over) {
        kills.shop++
        const before = acknowledged.count
        for (let waited = 0; acknowledged.count < before + 3 && waited < 10_000; waited += 10) await pause(10)
        await pause(random() * 200)
        // Waits until two shops are up, so that one is left to serve, however long a start takes here.
        while (shops.filter(shop => shop).length < 2) await pause(10)
        const victim = present(shops[slot])
        shops[slot] = null
        await victim.end('SIGKILL')
        shops[slot] = await ground.startShop({ PORT: new URL(victim.url).port })
      }
    }
    const killEverything = async () => {
      await Promise.all(shops.keys().map(keep))
      while (recoveries.length < Math.ceil(rounds / POSTGRES_EVERY) && !done.over) {
        await pause(500 + random() * 500)
        await ground.database.crash()
        const back = performance.now()
        await Promise.all(shops.map(shop => untilItWrites(present(shop), shelf, ground)))
        recoveries.push((performance.now() - back) / 1000)
      }
    }
    const working = [...people, killEverything()].map(work =>
      work.finally(() => {
        done.over = true
      }),
    )
    await Promise.allSettled(working)
    await Promise.all(working)
    return [
      exactly('kill -9 of shop processes', rounds, kills.shop),
      exactly('kill -9 of PostgreSQL', Math.ceil(rounds / POSTGRES_EVERY), recoveries.length),
      atMost('slowest recovery after PostgreSQL is back', RECOVERY_SECONDS, Math.max(...recoveries), ' s'),
      ...(await whatWasLost(ground, memory, rounds < POSTGRES_EVERY)),
    ]
  },
}

/** A person who does one thing after the other at any shop process, and records the answers. */
async function person(
  { sql, simulator, admin }: Ground,
  memory: Memory,
  shelf: string[],
  picture: Buffer,
  anyShop: () => ShopProcess | null,
  random: () => number,
  acknowledged: { count: number },
  done: { over: boolean },
): Promise<void> {
  const me = nth(await makeShoppers(sql, 1), 0)
  const [mine] = await makeProducts(sql, [10])
  const seen = (outcome: Outcome) => {
    if (outcome.code === 'ok') acknowledged.count++
    return outcome.code === 'ok'
  }
  /** Sends one order under one key, at any process, until there is an answer. */
  async function ordered(): Promise<string | null> {
    const key = randomUUID()
    memory.keys.add(key)
    const cart = [...new Set([pick(shelf, random), pick(shelf, random)])].map(id =>
      line(id, 1 + Math.floor(random() * 2)),
    )
    for (const begun = Date.now(); Date.now() - begun < PATIENCE_MS;) {
      const shop = anyShop()
      const placed = shop ? await placeOrder(shop.url, me.token, cart, { key, rest: random() < 0.5 }) : null
      if (placed && seen(placed)) {
        memory.orders.add(placed.data.id)
        return placed.data.id
      }
      await pause(50)
    }
    throw new Error('The shop stopped answering')
  }
  async function pay(url: string, orderId: string): Promise<void> {
    const opened = await openPayment(url, me.token, orderId)
    if (!seen(opened)) return
    await buyerApproves(simulator, opened.data.paypalOrderId)
    memory.approved.add(orderId)
    if (seen(await capture(url, me.token, orderId, opened.data.paypalOrderId))) memory.paid.add(orderId)
  }
  async function administer(url: string, { token }: Shopper): Promise<void> {
    const price = 1_000 + Math.floor(random() * 9_000)
    const before = memory.prices.get(present(mine))
    memory.prices.set(
      present(mine),
      before ? { ...before, perhaps: [...before.perhaps, price] } : { known: price, perhaps: [price, 2_400] },
    )
    const input = { price, countInStock: Math.floor(random() * 100) }
    if (
      seen(
        await mutate(
          url,
          token,
          '($id: ID!, $input: ProductPatch!) { patchProduct(id: $id, input: $input) { userErrors { code } } }',
          { id: mine, input },
        ),
      )
    )
      memory.prices.set(present(mine), { known: price, perhaps: [] })
  }
  async function review(url: string): Promise<void> {
    const [yarn] = await makeProducts(sql, [1]).catch(() => [])
    if (
      yarn &&
      seen(
        await call(url, me.token, 'POST', `/api/products/${yarn}/reviews`, {
          rating: 1 + Math.floor(random() * 5),
          comment: 'Soft.',
        }),
      )
    )
      memory.reviews++
  }
  async function upload(url: string, { token }: Shopper): Promise<void> {
    const form = new FormData()
    form.set('image', new Blob([new Uint8Array(picture)]), 'yarn.png')
    const stored = await fetch(`${url}/api/uploads`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${token}` },
    }).then(
      async response => ({
        status: response.status,
        data: await response.json(),
        code: response.ok ? 'ok' : 'refused',
      }),
      () => ({ status: 0, data: null, code: 'no answer' }),
    )
    if (seen(stored)) memory.pictures.push((stored.data as { image: string }).image)
  }

  while (!done.over) {
    const orderId = await ordered()
    const { url } = anyShop() ?? {}
    if (!url) continue
    const todo = random()
    if (orderId && todo < 0.5) await pay(url, orderId)
    else if (todo < 0.7) await administer(url, admin)
    else if (todo < 0.9) await review(url)
    else await upload(url, admin)
  }
}

/** Waits until the shop accepts an order again, without help. */
async function untilItWrites({ url }: ShopProcess, [yarn]: string[], { sql }: Ground): Promise<void> {
  const made = await insisting(() => makeShoppers(sql, 1))
  for (const begun = Date.now(); Date.now() - begun < PATIENCE_MS;) {
    const { code } = await placeOrder(url, nth(made, 0).token, [line(present(yarn))])
    if (code === 'ok') return
    await pause(50)
  }
  throw new Error('A shop did not recover from a crash of PostgreSQL')
}

async function insisting<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await run()
    } catch (error) {
      if (tries === 100) throw error
      await pause(50)
    }
  }
}

/** With `soon`, asks PayPal at once about payments that the shop would ask about in a minute. */
async function whatWasLost(ground: Ground, memory: Memory, soon: boolean): Promise<Figure[]> {
  const { sql, simulator, uploads } = ground
  const unpaid = async () =>
    nth(
      await sql<{ count: number }>('select count(*)::int as count from orders where paid_at is null and id in (?)', [
        [...memory.approved],
      ]),
      0,
    ).count
  for (const begun = Date.now(); (await unpaid()) > 0 && Date.now() - begun < RECONCILED_MS;) {
    await pause(500)
    if (soon) await ground.reconcile()
  }

  const [found] = await sql<{ orders: number; paid: number; reviews: number; keyed: number; payments: number }>(
    `select (select count(*)::int from orders where id in (?)) as orders, (select count(*)::int from orders where paid_at is not null and id in (?)) as paid,
            (select count(*)::int from reviews) as reviews, (select count(*)::int from orders where idempotency_key in (?)) as keyed, (select count(*)::int from payments) as payments`,
    [[...memory.orders], [...memory.paid], [...memory.keys]],
  )
  const prices = await sql<{ id: string; price: number }>('select id, price from products where id in (?)', [
    [...memory.prices.keys()],
  ])
  const files = new Set(await readdir(uploads).catch(() => []))
  return [
    exactly(`lost of ${memory.orders.size} orders acknowledged`, 0, memory.orders.size - present(found).orders),
    exactly('orders made twice by asking again', 0, present(found).keyed - memory.keys.size),
    exactly(`lost of ${memory.paid.size} payments acknowledged`, 0, memory.paid.size - present(found).paid),
    exactly(`unpaid of ${memory.approved.size} payments approved at PayPal`, 0, await unpaid()),
    exactly('captures that the shop does not know in the end', 0, simulator.captured() - present(found).payments),
    exactly(`lost of ${memory.reviews} reviews acknowledged`, 0, Math.max(0, memory.reviews - present(found).reviews)),
    none(
      `lost of ${memory.pictures.length} pictures acknowledged`,
      memory.pictures.filter(image => !files.has(image.slice('/uploads/'.length))),
    ),
    none(
      `lost of ${prices.length} products’ last prices acknowledged`,
      prices
        .filter(({ id, price }) => {
          const { known, perhaps } = present(memory.prices.get(id))
          return price !== known && !perhaps.includes(price)
        })
        .map(({ id }) => id),
    ),
  ]
}
