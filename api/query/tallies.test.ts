import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WELL_STOCKED } from '#schema/rules/stock'
import { ask } from '../testing/admin.ts'
import { line, placed } from '../testing/purchase.ts'
import { makeProduct, makeUser, makeUsers, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { addUpTallies } from './tallies.ts'
import { nth, present } from '#schema/rules/present'

let shop: TestShop
let admin: Account
let orders: string[]
let products: string[]
let accounts: string[]
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { isAdmin: true })
  const buyer = await makeUser(shop.em())
  products = []
  for (let n = 0; n < 8; n++) products.push((await makeProduct(shop.em(), { countInStock: 1_000 })).id)
  orders = []
  for (let n = 0; n < 16; n++)
    orders.push(
      (
        await placed(shop, buyer, [
          line({ id: nth(products, 0) }, 1 + (n % 3)),
          line({ id: nth(products, 1) }, 1 + (n % 5)),
        ])
      ).id,
    )
  await shop.em().execute(`update orders set discount_code = 'CASTON15' where id in (?)`, [orders.slice(0, 12)])
  await shop
    .em()
    .execute(`update orders set shipping_address = shipping_address || '{"isPickup": true}' where number % 2 = 0`)
  await shop.em().execute(
    `update order_items set expected_on = '2031-12-01', fulfilled_quantity = case when o.number % 6 = 0 then quantity else 0 end
     from orders o where o.id = order_id and position = 0 and o.number % 3 = 0`,
  )
  await shop.em().execute(
    `insert into code_uses (order_id, discount_code_id, user_id, saved, taken_at)
     select o.id, d.id, o.user_id, 100, now() from orders o join discount_codes d on d.code = o.discount_code`,
  )
  accounts = (await makeUsers(shop.em(), 8)).map(({ id }) => id)
})
afterAll(() => shop?.close())

const random = (below: number) => Math.floor(Math.random() * below)
const one = (ids: readonly string[]) => ids[random(ids.length)]

/** Every state an order can be in, whatever its state before. */
const STANDINGS = [
  'paid_at = null, first_sent_at = null, sent_at = null, delivered_at = null, lapsed_at = null, cancelled_at = null, refunded_amount = 0',
  'paid_at = null, first_sent_at = null, sent_at = null, delivered_at = null, lapsed_at = now(), cancelled_at = null, refunded_amount = 0',
  'paid_at = null, first_sent_at = null, sent_at = null, delivered_at = null, lapsed_at = now(), cancelled_at = now(), refunded_amount = 0',
  ...['0', '1', 'total_price'].flatMap(refunded =>
    [
      'first_sent_at = null, sent_at = null, delivered_at = null',
      'first_sent_at = now(), sent_at = null, delivered_at = null',
      'first_sent_at = now(), sent_at = now(), delivered_at = null',
      'first_sent_at = now(), sent_at = now(), delivered_at = now()',
    ].map(dates => `paid_at = now(), lapsed_at = null, cancelled_at = null, ${dates}, refunded_amount = ${refunded}`),
  ),
]

const changes: (() => [sql: string, parameters: unknown[]])[] = [
  () => [`update orders set ${one(STANDINGS)}, held_until = null where id = ?`, [one(orders)]],
  () => [
    `update products set count_in_stock = ?, archived_at = ${random(3) ? 'null' : 'now()'} where id = ?`,
    [[0, 1, 19, 20, 500][random(5)], one(products)],
  ],
  () => [
    `update users set is_admin = ${random(2) === 0}, closed_at = ${random(3) ? 'null' : 'now()'} where id = ?`,
    [one(accounts)],
  ],
  () => [
    `with of as (select id from orders where id = ? for update)
     update code_uses set given_back_at = ${random(2) ? 'null' : 'now()'} from of where order_id = of.id`,
    [one(orders.slice(0, 12))],
  ],
]

async function expectFigures() {
  const { orderCounts, orderStats, productStats, userStats, discountCodes } = await ask(
    shop,
    admin,
    `{ orderCounts { countsAreExact all unpaid paid toSend toDeliver toPickUp expected delivered lapsed cancelled needsAttention }
       orderStats { totalOrders productsOrdered fulfilledOrders }
       productStats { totalProducts lowStockCount outOfStockCount } userStats { totalUsers adminUsers nonAdminUsers }
       discountCodes { items { code figures { uses paidOrders revenue discountGiven } } } }`,
  )
  const [byHand] = await shop.em().execute(
    `select count(*)::int as "all",
       (count(*) filter (where paid_at is null and lapsed_at is null))::int as unpaid,
       (count(*) filter (where paid_at is not null))::int as paid,
       (count(*) filter (where paid_at is not null and sent_at is null and delivered_at is null and refunded_amount < total_price))::int as "toSend",
       (count(*) filter (where paid_at is not null and delivered_at is null and (sent_at is not null or refunded_amount < total_price)))::int as "toDeliver",
       (count(*) filter (where paid_at is not null and first_sent_at is not null and delivered_at is null and shipping_address ->> 'isPickup' = 'true'))::int as "toPickUp",
       (count(*) filter (where paid_at is not null and sent_at is null and delivered_at is null and refunded_amount < total_price
         and exists (select from order_items i where order_id = o.id and expected_on is not null and fulfilled_quantity < quantity)))::int as expected,
       (count(*) filter (where delivered_at is not null))::int as delivered,
       (count(*) filter (where paid_at is null and lapsed_at is not null and cancelled_at is null))::int as lapsed,
       (count(*) filter (where cancelled_at is not null))::int as cancelled, 0 as "needsAttention"
     from orders o`,
  )
  expect(orderCounts).toEqual({ ...byHand, countsAreExact: true })
  const [figures] = await shop.em().execute(
    `select (select sum(quantity)::int from order_items) as "productsOrdered",
       (select count(*)::int from products where archived_at is null) as "totalProducts",
       (select count(*)::int from products where archived_at is null and count_in_stock between 1 and ${WELL_STOCKED - 1}) as "lowStockCount",
       (select count(*)::int from products where archived_at is null and count_in_stock < 1) as "outOfStockCount",
       (select count(*)::int from users where closed_at is null and is_admin) as "adminUsers",
       (select count(*)::int from users where closed_at is null and not is_admin) as "nonAdminUsers"`,
  )
  expect({
    ...orderStats,
    ...productStats,
    adminUsers: userStats.adminUsers,
    nonAdminUsers: userStats.nonAdminUsers,
  }).toEqual({ ...figures, totalOrders: orderCounts.all, fulfilledOrders: orderCounts.delivered })
  expect(userStats.totalUsers).toBe(userStats.adminUsers + userStats.nonAdminUsers)
  const [code] = await shop.em().execute(
    `select count(*)::int as uses, count(o.paid_at)::int as "paidOrders",
       coalesce(sum(o.total_price) filter (where o.paid_at is not null), 0)::int as revenue,
       coalesce(sum(u.saved) filter (where o.paid_at is not null), 0)::int as "discountGiven"
     from code_uses u join orders o on o.id = u.order_id where u.given_back_at is null or o.paid_at is not null`,
  )
  expect(present(discountCodes.items.find(({ code }) => code === 'CASTON15')).figures).toEqual(code)
}

it('are what the rows say, while several change at once, some are undone and all is added up meanwhile', async () => {
  const over = new AbortController()
  const adding = (async () => {
    while (!over.signal.aborted) {
      await addUpTallies(shop.em())
      await sleep(2)
    }
  })()
  const change = () =>
    shop.em().transactional(async em => {
      await em.execute(...present(changes[random(changes.length)])())
      await sleep(random(5))
      if (random(4) === 0) throw new Error('undone')
    })
  for (let round = 0; round < 6; round++) {
    await Promise.allSettled(Array.from({ length: 40 }, change))
    await expectFigures()
  }
  over.abort()
  await adding
  await addUpTallies(shop.em())
  await expectFigures()
})
