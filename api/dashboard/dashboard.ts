import { raw, type EntityManager } from '@mikro-orm/postgresql'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { WELL_STOCKED } from '#schema/rules/stock'
import { lastOf, nth, present } from '#schema/rules/present'
import { Product } from '../catalog/product.entity.ts'
import { clock } from '../kernel/clock.ts'
import type { BestSeller, DashboardPeriod } from '../generated/types.ts'
import { DUE } from '../order/list-orders.ts'
import { Order } from '../order/order.entity.ts'
import { Review } from '../review/review.entity.ts'
import { check } from '../kernel/validation.ts'
import { salesIn, sum, type Sales, type Span } from './sales.ts'

const asked = z.object({ count: z.number().int().min(1, 'Count is at least 1.').max(366, 'Count is at most 366.') })

interface Options {
  period: DashboardPeriod
  count: number
  timeZone: string
  now?: Date
}

/** The shop's figures over the last days, weeks or months, all of them computed by the database. */
export async function dashboard(em: EntityManager, { period, count, timeZone, now = clock.now() }: Options) {
  check(asked, { count })
  const { buckets, previous } = await cutTime(em, { period, count, timeZone, now })
  const whole: Span = { start: nth(buckets, 0).start, end: lastOf(buckets).end }
  const { before, sales } = await salesIn(em, previous, buckets)
  return {
    period,
    timeZone,
    from: whole.start,
    to: whole.end,
    buckets: buckets.map((bucket, place) => ({ ...bucket, ...figures(present(sales[place])) })),
    totals: figures(sum(sales)),
    previous: figures(before),
    bestSellers: await bestSellers(em, whole),
    ...(await attentionLists(em)),
    newsletterSignUps: await signUps(em, whole),
    newsletterSignUpsBefore: await signUps(em, previous),
    newsletterTotal: await signUps(em, null),
  }
}

/**
 * Cuts time at the shop's own midnights. The steps are made in local time and turned into instants one by one, so that
 * a day on which the clocks change has 23 or 25 hours.
 */
async function cutTime(em: EntityManager, { period, count, timeZone, now }: Required<Options>) {
  const unit = period.toLowerCase()
  const rows = await em.execute<
    { date: string; start: number; end: number; previous_start: number; previous_end: number }[]
  >(
    `with shop as (select ?::timestamptz at time zone ? as now),
          span as (select date_trunc(?, now) as current, ('1 ' || ?)::interval as step, now from shop)
     select to_char(local, 'YYYY-MM-DD') as date,
            extract(epoch from local at time zone ?)::float8 as start,
            extract(epoch from (local + step) at time zone ?)::float8 as end,
            extract(epoch from (current - (2 * ? - 1) * step) at time zone ?)::float8 as previous_start,
            extract(epoch from (now - ? * step) at time zone ?)::float8 as previous_end
     from span, generate_series(current - (? - 1) * step, current, step) as local order by local`,
    [now, timeZone, unit, unit, timeZone, timeZone, count, timeZone, count, timeZone, count],
  )
  const at = (seconds: number) => new Date(seconds * 1000)
  return {
    buckets: rows.map(({ date, start, end }) => ({ date, start: at(start), end: at(end) })),
    previous: { start: at(nth(rows, 0).previous_start), end: at(nth(rows, 0).previous_end) },
  }
}

function figures({ revenue, orders, units }: Sales) {
  return { revenue, orders, averageOrder: orders === 0 ? 0 : Math.floor(revenue / orders + 0.5), units }
}

/** What takes longer than this to read is kept for a while. */
const SLOW_MS = 250
const KEPT_MS = 600_000
const MOST_KEPT = 100

/** By database, and by from when until when. */
const kept = new WeakMap<object, LRUCache<string, BestSeller[]>>()

/** Where a year has a million lines, its ten best sellers change slowly, and adding them up takes seconds. */
async function bestSellers(em: EntityManager, span: Span): Promise<BestSeller[]> {
  const mine = kept.get(em.config) ?? new LRUCache<string, BestSeller[]>({ max: MOST_KEPT, ttl: KEPT_MS })
  kept.set(em.config, mine)
  const key = JSON.stringify(span)
  const known = mine.get(key)
  if (known) return known
  const began = performance.now()
  const found = await readBestSellers(em, span)
  if (performance.now() - began > SLOW_MS) mine.set(key, found)
  return found
}

function readBestSellers(em: EntityManager, { start, end }: Span): Promise<BestSeller[]> {
  return em.execute<BestSeller[]>(
    `select p.id as "productId", p.name, p.image, sold.units, sold.revenue
     from (
       select i.product_id, sum(i.quantity)::int as units, sum(i.price::bigint * i.quantity - i.discount)::float8 as revenue
       from orders o join order_items i on i.order_id = o.id where o.paid_at >= ? and o.paid_at < ?
       group by i.product_id order by units desc, revenue desc, i.product_id limit 10
     ) sold join products p on p.id = sold.product_id order by sold.units desc, sold.revenue desc, p.id`,
    [start, end],
  )
}

/** What the owner may want to do something about. */
async function attentionLists(em: EntityManager) {
  const toDeliver = { paidAt: { $ne: null }, deliveredAt: null, [raw(DUE)]: [] }
  return {
    lowStock: await em.find(
      Product,
      { publishedAt: { $ne: null }, archivedAt: null, countInStock: { $lt: WELL_STOCKED } },
      { orderBy: { countInStock: 'asc', id: 'asc' }, limit: 10 },
    ),
    ordersToDeliver: await em.find(Order, toDeliver, { orderBy: { paidAt: 'asc', id: 'asc' }, limit: 10 }),
    ordersToDeliverCount: await em.count(Order, toDeliver),
    ordersNeedingAttentionCount: (
      await em.execute<[{ count: number }]>(
        'select count(distinct order_id)::int as count from order_incidents where resolved_at is null',
      )
    )[0].count,
    newestReviews: await em.find(Review, { hiddenAt: null }, { orderBy: { createdAt: 'desc', id: 'desc' }, limit: 5 }),
  }
}

/** Newsletter sign-ups in a span, or all that are on the list. */
async function signUps(em: EntityManager, span: Span | null): Promise<number> {
  const [{ count }] = await em.execute<[{ count: number }]>(
    `select count(*)::int as count from newsletter_subscriptions
     where ${span ? 'confirmed_at >= ? and confirmed_at < ?' : 'confirmed_at is not null and unsubscribed_at is null'}`,
    span ? [span.start, span.end] : [],
  )
  return count
}
