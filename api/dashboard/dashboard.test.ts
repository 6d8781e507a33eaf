import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { recordIncident } from '../order/record-incident.ts'
import { ask } from '../testing/admin.ts'
import { line, placed } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import type { Product } from '../catalog/product.entity.ts'
import { dashboard } from './dashboard.ts'
import { nth, present } from '#schema/rules/present'

const timeZone = 'America/New_York'
const HOUR = 3_600_000

let shop: TestShop
let admin: Account
let buyer: Account
let yarns: [Product, Product, Product]
beforeAll(async () => {
  shop = await openShop({ timeZone })
  admin = await makeUser(shop.em(), { isAdmin: true })
  buyer = await makeUser(shop.em())
  yarns = [
    await makeProduct(shop.em(), { price: 1250, countInStock: 5_000 }),
    await makeProduct(shop.em(), { price: 333, countInStock: 5_000 }),
    await makeProduct(shop.em(), { price: 9_999, countInStock: 5_000 }),
  ]
})
afterAll(() => shop?.close())

/** Makes an order that was paid at this instant. */
async function sell(paidAt: string, ...quantities: number[]) {
  const lines = quantities.flatMap((quantity, place) => (quantity ? [line(nth(yarns, place), quantity)] : []))
  const order = await placed(shop, buyer, lines)
  await shop.em().execute('update orders set paid_at = ?, held_until = null where id = ?', [paidAt, order.id])
  return order
}

/** The same figures computed differently: orders added up by their local calendar date. */
async function byHand(
  format: string,
  zone = timeZone,
): Promise<Record<string, { revenue: number; orders: number; units: number }>> {
  const rows = await shop.em().execute<{ bucket: string; revenue: number; orders: number; units: number }[]>(
    `select to_char(date_trunc(?, o.paid_at at time zone ?), 'YYYY-MM-DD') as bucket, sum(o.total_price)::int as revenue, count(*)::int as orders,
            sum((select sum(quantity) from order_items where order_id = o.id))::int as units
     from orders o where o.paid_at is not null group by 1`,
    [format, zone],
  )
  return Object.fromEntries(rows.map(({ bucket, ...figures }) => [bucket, figures]))
}

const at = (now: string, period: 'DAY' | 'WEEK' | 'MONTH', count: number, zone = timeZone) =>
  dashboard(shop.em(), { period, count, timeZone: zone, now: new Date(now) })

describe('sales', () => {
  beforeAll(async () => {
    // Around the night the clocks go back (1 November 2026, 25 hours) and forward (8 March 2026, 23 hours).
    await sell('2026-11-01T03:59:59.999Z', 1)
    await sell('2026-11-01T04:00:00Z', 2, 1)
    await sell('2026-11-01T05:30:00Z', 0, 3)
    await sell('2026-11-01T06:30:00Z', 0, 0, 1)
    await sell('2026-11-02T04:59:59.999Z', 4)
    await sell('2026-11-02T05:00:00Z', 1, 1, 1)
    await sell('2026-03-08T05:00:00Z', 1)
    await sell('2026-03-09T03:59:59.999Z', 1, 2)
    await sell('2026-03-09T04:00:00Z', 0, 5)
    await sell('2026-10-15T12:00:00Z', 7)
    await placed(shop, buyer, [line(nth(yarns, 0), 9)])
  })

  test.each([
    ['DAY', 'day', 30, '2026-11-03T15:00:00Z', timeZone],
    ['DAY', 'day', 366, '2026-11-03T15:00:00Z', timeZone],
    ['WEEK', 'week', 8, '2026-11-03T15:00:00Z', timeZone],
    ['MONTH', 'month', 12, '2026-11-30T15:00:00Z', timeZone],
    ['DAY', 'day', 40, '2026-11-03T15:00:00Z', 'Asia/Kathmandu'],
    ['DAY', 'day', 40, '2026-11-03T15:00:00Z', 'UTC'],
  ] as const)('by %s (%s, %i, at %s, in %s) equal the sums made by hand', async (period, unit, count, now, zone) => {
    const { buckets, totals } = await at(now, period, count, zone)
    const hand = await byHand(unit, zone)
    expect(buckets).toHaveLength(count)
    for (const { date, revenue, orders, units, averageOrder } of buckets) {
      const expected = hand[date] ?? { revenue: 0, orders: 0, units: 0 }
      expect({ date, revenue, orders, units }).toEqual({ date, ...expected })
      expect(averageOrder).toBe(orders ? Math.round(revenue / orders) : 0)
    }
    buckets.slice(1).forEach((bucket, place) => expect(bucket.start).toEqual(nth(buckets, place).end))
    expect(totals.revenue).toBe(buckets.reduce((sum, { revenue }) => sum + revenue, 0))
    expect(totals.revenue).toBeGreaterThan(0)
    expect(totals.units).toBe(buckets.reduce((sum, { units }) => sum + units, 0))
  })

  it('on the days the clocks change have 25 and 23 hours', async () => {
    const lengths = async (now: string, date: string) => {
      const bucket = present((await at(now, 'DAY', 3)).buckets.find(each => each.date === date))
      return (bucket.end.getTime() - bucket.start.getTime()) / HOUR
    }
    expect(await lengths('2026-11-02T12:00:00Z', '2026-11-01')).toBe(25)
    expect(await lengths('2026-03-09T12:00:00Z', '2026-03-08')).toBe(23)
    const [night] = (await at('2026-11-01T05:30:00Z', 'DAY', 1)).buckets
    expect(night).toMatchObject({
      date: '2026-11-01',
      start: new Date('2026-11-01T04:00:00Z'),
      end: new Date('2026-11-02T05:00:00Z'),
      orders: 4,
      units: 2 + 1 + 3 + 1 + 4,
    })
  })

  it("start weeks on Monday and months on the first, in the shop's own time", async () => {
    const weeks = (await at('2026-11-02T03:00:00Z', 'WEEK', 2)).buckets.map(({ date }) => date)
    expect(weeks).toEqual(['2026-10-19', '2026-10-26'])
    const { from, to, buckets } = await at('2026-11-01T03:00:00Z', 'MONTH', 2)
    expect(buckets.map(({ date }) => date)).toEqual(['2026-09-01', '2026-10-01'])
    expect([from, to]).toEqual([new Date('2026-09-01T04:00:00Z'), new Date('2026-11-01T04:00:00Z')])
  })

  it('are compared with the time before, as far as the current day has got', async () => {
    const { totals, previous } = await at('2026-11-02T20:00:00Z', 'DAY', 1)
    expect(totals).toMatchObject({ orders: 1, units: 3 })
    // From midnight on 1 November until 3 pm, without the order in its last second.
    expect(previous).toMatchObject({ orders: 3, units: 2 + 1 + 3 + 1 })
    const [{ revenue }] = await shop
      .em()
      .execute<[{ revenue: number }]>(
        `select sum(total_price)::int as revenue from orders where paid_at >= '2026-11-01T04:00:00Z' and paid_at < '2026-11-01T20:00:00Z'`,
      )
    expect(previous.revenue).toBe(revenue)
  })

  it('name the best sellers by units, with what they brought in', async () => {
    const { bestSellers } = await at('2026-11-02T20:00:00Z', 'DAY', 2)
    expect(bestSellers).toEqual([
      {
        productId: nth(yarns, 0).id,
        name: nth(yarns, 0).name,
        image: nth(yarns, 0).image,
        units: 7,
        revenue: 7 * 1250,
      },
      { productId: nth(yarns, 1).id, name: nth(yarns, 1).name, image: nth(yarns, 1).image, units: 5, revenue: 5 * 333 },
      {
        productId: nth(yarns, 2).id,
        name: nth(yarns, 2).name,
        image: nth(yarns, 2).image,
        units: 2,
        revenue: 2 * 9_999,
      },
    ])
  })
})

it('shows what waits for the owner', async () => {
  const [out, low] = [
    await makeProduct(shop.em(), { countInStock: 0 }),
    await makeProduct(shop.em(), { countInStock: 19 }),
  ]
  await makeProduct(shop.em(), { countInStock: 0, publishedAt: null })
  await makeProduct(shop.em(), { countInStock: 0, archivedAt: new Date() })
  const soon = await makeProduct(shop.em(), { countInStock: 30, expectedOn: '2031-12-01' })
  const late = await makeProduct(shop.em(), { countInStock: 30, expectedOn: '2026-01-02' })
  await makeProduct(shop.em(), { countInStock: 30, expectedOn: '2026-01-02', publishedAt: null })
  const flagged = await sell('2020-01-01T00:00:00Z', 1)
  for (const text of ['Look', 'Look again'])
    await recordIncident(shop.em(), flagged.id, { code: 'NOTED', data: { text } })
  await shop.em().execute(
    `insert into newsletter_subscriptions (email_key, email, created_at, confirmed_at, unsubscribed_at) values
     ('a@example.com', 'A@example.com', now(), now(), null),
     ('b@example.com', 'b@example.com', now(), now() - interval '40 days', null),
     ('unconfirmed@example.com', 'unconfirmed@example.com', now(), null, null),
     ('gone@example.com', 'gone@example.com', now(), now() - interval '400 days', now())`,
  )
  const writing =
    'mutation($productId: ID!, $comment: String!) { createReview(productId: $productId, input: { rating: 5, comment: $comment }) { review { id } userErrors { code } } }'
  const { createReview: shown } = await ask(shop, buyer, writing, { productId: low.id, comment: 'Soft' })
  const { createReview: hidden } = await ask(shop, admin, writing, { productId: low.id, comment: 'Spam' })
  await ask(shop, admin, 'mutation($id: ID!) { hideReview(id: $id, reason: "Spam") { userErrors { code } } }', {
    id: hidden.review.id,
  })

  const { dashboard: board } = await ask(
    shop,
    admin,
    `{ dashboard {
    period timeZone from to buckets { date start end revenue orders averageOrder units } totals { revenue orders averageOrder units } previous { revenue }
    bestSellers { productId } lowStock { id countInStock } expected { id } ordersToDeliver { id reference } ordersToDeliverCount ordersNeedingAttentionCount
    newestReviews { id product { name } } newsletterSignUps newsletterSignUpsBefore newsletterTotal } }`,
  )
  expect(board).toMatchObject({
    period: 'DAY',
    timeZone,
    newsletterSignUps: 1,
    newsletterSignUpsBefore: 1,
    newsletterTotal: 2,
    ordersNeedingAttentionCount: 1,
  })
  expect(board.buckets).toHaveLength(30)
  expect(board.lowStock).toEqual([
    { id: out.id, countInStock: 0 },
    { id: low.id, countInStock: 19 },
  ])
  expect(board.expected).toEqual([{ id: late.id }, { id: soon.id }])
  expect(nth(board.ordersToDeliver, 0).id).toBe(flagged.id)
  expect(board.ordersToDeliver).toHaveLength(10)
  expect(board.ordersToDeliverCount).toBe(11)
  expect(board.newestReviews).toEqual([{ id: shown.review.id, product: { name: low.name } }])
})

test.each([0, -1, 367])('refuses %i buckets', async count => {
  const answer = await shop.gql('query($count: Int!) { dashboard(count: $count) { period } }', { count }, admin)
  expect(answer).toMatchObject({ status: 400, errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] })
})
