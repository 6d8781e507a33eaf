import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays, countSales } from '../catalog/count-sales.ts'
import type { Product } from '../catalog/product.entity.ts'
import { line, placed } from '../testing/purchase.ts'
import { clock } from '../kernel/clock.ts'
import { makeProduct, makeUser, openShop, type TestShop } from '../testing/shop.ts'
import { bestSellers } from './best-sellers.ts'
import { nth, present } from '#schema/rules/present'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const YARNS = 14
const ORDERS = 40

let shop: TestShop
let yarns: Product[]
let orders: string[]
beforeAll(async () => {
  shop = await openShop()
  const buyer = await makeUser(shop.em())
  yarns = await Promise.all(
    Array.from({ length: YARNS }, (_, n) => makeProduct(shop.em(), { price: 100 + n, countInStock: 5_000 })),
  )
  orders = []
  for (let n = 0; n < ORDERS; n++) {
    const lines = [0, 1, 2].map(place => line(nth(yarns, (n * (place + 1) + place * 5) % YARNS), 1 + ((n + place) % 4)))
    orders.push((await placed(shop, buyer, [...new Map(lines.map(each => [each.productId, each])).values()])).id)
  }
})
afterAll(() => shop?.close())

const random = (below: number) => Math.floor(Math.random() * below)

/** The best sellers, added up from every line of every order. */
const byHand = (start: Date, end: Date) =>
  shop.em().execute(
    `select i.product_id as "productId", p.name, p.image, sum(i.quantity)::int as units,
       sum(i.price * i.quantity - i.discount)::float8 as revenue
     from orders o join order_items i on i.order_id = o.id join products p on p.id = i.product_id
     where o.paid_at >= ? and o.paid_at < ? group by 1, 2, 3 order by units desc, revenue desc, i.product_id limit 10`,
    [start, end],
  )

async function expectBestSellers() {
  const now = Date.now()
  for (const days of [1, 30, 84, 365, 800])
    for (const shift of [0, -5 * HOUR, -17 * DAY]) {
      const end = new Date(Math.ceil(now / DAY) * DAY + shift)
      const start = new Date(end.getTime() - days * DAY)
      expect(await bestSellers(shop.em(), { start, end })).toEqual(await byHand(start, end))
    }
}

/** What is sold is counted as of one moment, whatever day it has become since. */
async function expectCounts() {
  const now = clock.now()
  await countSales(shop.em(), now)
  const since = new Date((Math.floor(now.getTime() / DAY) - 90) * DAY)
  expect(await shop.em().execute('select id, sold_last_90_days as sold from products order by id')).toEqual(
    await shop.em().execute(
      `select p.id, coalesce(sum(i.quantity) filter (where o.paid_at >= ?), 0)::int as sold
       from products p left join order_items i on i.product_id = p.id left join orders o on o.id = i.order_id
       group by p.id order by p.id`,
      [since],
    ),
  )
}

/** Resets the state as after a restored backup, so that all days are added up again. */
const forget = () =>
  shop.em().transactional(async em => {
    await em.execute('select 1 from product_sales_state for update')
    await em.execute('delete from product_sales')
    await em.execute('delete from product_sales_totals')
    await em.execute('update product_sales_state set until = null, counted_since = null, counted_until = null')
  })

/** Of a sale that was undone after its day was added, the sums keep a 0. */
async function undoTheOnlySale() {
  const yarn = await makeProduct(shop.em(), { countInStock: 1 })
  const order = await placed(shop, await makeUser(shop.em()), [line(yarn, 1)])
  for (const paidAt of [new Date(Date.now() - 20 * DAY), null]) {
    await shop.em().execute('update orders set paid_at = ?, held_until = null where id = ?', [paidAt, order.id])
    await countSales(shop.em())
  }
}

it('are what orders say, while orders are paid, dated back and undone by several at once and days are added meanwhile', async () => {
  const change = (id: string) =>
    shop.em().transactional(async em => {
      const ago = present([random(HOUR), random(3 * DAY), random(100 * DAY), random(200 * DAY)][random(4)])
      const paidAt = random(6) === 0 ? null : new Date(Date.now() - ago)
      await em.execute('update orders set paid_at = ?, held_until = null where id = ?', [paidAt, id])
      await sleep(random(5))
      if (random(4) === 0) throw new Error('undone')
    })
  const changeWhileCounting = async () => {
    const over = new AbortController()
    const counting = (async () => {
      while (!over.signal.aborted) {
        await Promise.all([countSales(shop.em()), addDays(shop.em())])
        await sleep(2)
      }
    })()
    for (let round = 0; round < 3; round++) {
      await Promise.allSettled(orders.map(change))
      await expectBestSellers()
    }
    over.abort()
    await counting
  }
  await changeWhileCounting()
  await forget()
  await changeWhileCounting()
  await expectBestSellers()
  await expectCounts()
  await expectBestSellers()
  const [{ late }] = (await shop
    .em()
    .execute(
      'select count(*)::int as late from product_sales_late where day < (select until from product_sales_state)',
    )) as [{ late: number }]
  expect(late).toBe(0)
})

it('leave what has become too old for a sum, and count it no more', async () => {
  await undoTheOnlySale()
  // As if sales had last been counted 50 days ago.
  const em = shop.em()
  await em.execute('update product_sales_windows set since = since - 50')
  await em.execute(`update product_sales_state set counted_since = counted_since - 50`)
  await em.execute(
    `insert into product_sales_totals as t select w.days, s.product_id, sum(s.units) from product_sales_windows w
     join product_sales s on s.day >= w.since and s.day < w.since + 50 group by 1, 2
     on conflict (days, product_id) do update set units = t.units + excluded.units`,
  )
  await em.execute(
    `update products p set sold_last_90_days = coalesce((select sum(i.quantity) from orders o join order_items i on i.order_id = o.id
       where i.product_id = p.id and o.paid_at >= (select counted_since::timestamp at time zone 'UTC' from product_sales_state)), 0)`,
  )
  await expectCounts()
  await expectBestSellers()
  expect(
    await em.execute(
      'select days, product_id, units::int from product_sales_totals where units <> 0 order by days, product_id',
    ),
  ).toEqual(
    await em.execute(
      `select w.days, s.product_id, sum(s.units)::int as units from product_sales_windows w
       join product_sales s on s.day >= w.since group by 1, 2 having sum(s.units) <> 0 order by 1, 2`,
    ),
  )
})
