import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { line, placed } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import type { Product } from '../catalog/product.entity.ts'
import { dashboard } from './dashboard.ts'
import { addUpSales, salesIn } from './sales.ts'
import { nth, present } from '#schema/rules/present'

const NOW = new Date('2026-11-20T15:07:00Z')
const DAY = 86_400_000

let shop: TestShop
let buyer: Account
let yarns: Product[]
let orders: string[]
beforeAll(async () => {
  shop = await openShop()
  buyer = await makeUser(shop.em())
  yarns = [
    await makeProduct(shop.em(), { price: 1250, countInStock: 5_000 }),
    await makeProduct(shop.em(), { price: 333, countInStock: 5_000 }),
  ]
  const giftCard = await makeProduct(shop.em(), {
    price: 2500,
    countInStock: 5_000,
    isDownload: true,
    isGiftCard: true,
  })
  orders = []
  for (let n = 0; n < 24; n++) {
    const lines = [line(nth(yarns, 0), 1 + (n % 3)), line(nth(yarns, 1), 1 + (n % 5))]
    orders.push((await placed(shop, buyer, n % 3 ? lines : [...lines, line(giftCard)])).id)
  }
})
afterAll(() => shop?.close())

const random = (below: number) => Math.floor(Math.random() * below)
/** A moment in the last 40 days, sometimes just before or after midnight. */
const someTime = () =>
  new Date(
    random(2) ? NOW.getTime() - random(40 * DAY) : Math.floor(NOW.getTime() / DAY - random(40)) * DAY - random(2),
  )

/** Adds up the orders one by one, for each day of a time zone. */
async function byHand(zone: string) {
  const rows = await shop.em().execute<{ date: string; revenue: number; orders: number; units: number }[]>(
    `select to_char(o.paid_at at time zone ?, 'YYYY-MM-DD') as date, sum(o.total_price - o.gift_cards_sold)::int as revenue, count(*)::int as orders,
            sum((select sum(quantity) from order_items where order_id = o.id))::int as units
     from orders o where o.paid_at < ? and o.paid_at is not null group by 1`,
    [zone, NOW],
  )
  return new Map(rows.map(({ date, ...figures }) => [date, figures]))
}

async function expectFigures() {
  for (const timeZone of ['America/New_York', 'Asia/Kathmandu', 'UTC']) {
    const hand = await byHand(timeZone)
    const { buckets } = await dashboard(shop.em(), { period: 'DAY', count: 45, timeZone, now: NOW })
    for (const { date, revenue, orders, units } of buckets)
      expect({ date, revenue, orders, units }).toEqual({
        date,
        ...(hand.get(date) ?? { revenue: 0, orders: 0, units: 0 }),
      })
  }
}

it('are what orders say, while they are paid, dated back and undone by several at once and added up meanwhile', async () => {
  const over = new AbortController()
  const adding = (async () => {
    while (!over.signal.aborted) {
      await addUpSales(shop.em())
      await sleep(2)
    }
  })()
  const change = (id: string) =>
    shop.em().transactional(async em => {
      const paidAt = random(6) === 0 ? null : someTime()
      await em.execute('update orders set paid_at = ?, held_until = null where id = ?', [paidAt, id])
      await sleep(random(5))
      if (random(4) === 0) throw new Error('undone')
    })
  for (let round = 0; round < 6; round++) {
    await Promise.allSettled(orders.map(change))
    await expectFigures()
  }
  over.abort()
  await adding
  await addUpSales(shop.em())
  await expectFigures()
  expect(await shop.em().execute('select from sales_changes')).toEqual([])
})

it('end at any moment, and leave out what was paid for gift cards', async () => {
  const [at] = await shop
    .em()
    .execute<{ paid_at: string; revenue: number; orders: number }[]>(
      'select paid_at, sum(total_price - gift_cards_sold)::int as revenue, count(*)::int as orders from orders where paid_at is not null group by 1 order by sum(gift_cards_sold) desc limit 1',
    )
  const { revenue, orders } = present(at)
  const paidAt = new Date(present(at).paid_at)
  const start = new Date(Math.floor(paidAt.getTime() / DAY) * DAY)
  const next = { start: new Date(start.getTime() + DAY), end: new Date(start.getTime() + 2 * DAY) }
  const until = async (end: Date) => (await salesIn(shop.em(), { start, end }, [next])).before
  const before = await until(paidAt)
  const after = await until(new Date(paidAt.getTime() + 1))
  expect(after).toMatchObject({ revenue: before.revenue + revenue, orders: before.orders + orders })
  expect(await until(start)).toEqual({ revenue: 0, orders: 0, units: 0 })
})

it('have what came paid, as from a backup', async () => {
  const [before, day, after] = ['04', '05', '06'].map(day => new Date(`2020-05-${day}T00:00:00Z`)) as [Date, Date, Date]
  await shop.em().transactional(async em => {
    await em.execute(
      `insert into orders (id, user_id, user_name, user_email, shipping_address, payment_method, items_price, shipping_price, tax_price, total_price, created_at, paid_at)
       select gen_random_uuid(), id, name, email, '{}', 'PayPal', 700, 0, 0, 700, '2020-05-05T10:00:00Z', '2020-05-05T10:05:00Z' from users where id = ?`,
      [buyer.id],
    )
    await em.execute(
      `insert into order_items (id, order_id, product_id, position, name, image, price, quantity)
       select gen_random_uuid(), id, ?, 0, 'Yarn', '/images/yarn.webp', 350, 2 from orders where paid_at = '2020-05-05T10:05:00Z'`,
      [nth(yarns, 0).id],
    )
  })
  expect(await salesIn(shop.em(), { start: before, end: day }, [{ start: day, end: after }])).toEqual({
    before: { revenue: 0, orders: 0, units: 0 },
    sales: [{ revenue: 700, orders: 1, units: 2 }],
  })
})
