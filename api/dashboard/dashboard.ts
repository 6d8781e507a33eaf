import { raw, type EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { WELL_STOCKED } from '#schema/rules/stock'
import { lastOf, nth, present } from '#schema/rules/present'
import { Product } from '../catalog/product.entity.ts'
import { clock } from '../kernel/clock.ts'
import type { DashboardPeriod } from '../generated/types.ts'
import { countOrders, shownUnder } from '../order/list-orders.ts'
import { Order } from '../order/order.entity.ts'
import { Review } from '../review/review.entity.ts'
import { check } from '../kernel/validation.ts'
import { bestSellers } from './best-sellers.ts'
import { salesIn, sum, type Sales, type Span } from './sales.ts'

const asked = z.object({
  count: z.number().int().min(1, 'Count must be at least 1.').max(366, 'Count must be at most 366.'),
})

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
    ...(await signUps(em, whole, previous)),
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

/** What the owner may want to do something about. */
async function attentionLists(em: EntityManager) {
  const { toDeliver, needsAttention } = await countOrders(em, {})
  return {
    lowStock: await em.find(
      Product,
      { publishedAt: { $ne: null }, archivedAt: null, countInStock: { $lt: WELL_STOCKED } },
      { orderBy: { countInStock: 'asc', id: 'asc' }, limit: 10 },
    ),
    expected: await em.find(
      Product,
      { publishedAt: { $ne: null }, archivedAt: null, expectedOn: { $ne: null } },
      { orderBy: { expectedOn: 'asc', id: 'asc' }, limit: 10 },
    ),
    ordersToDeliver: await em.find(
      Order,
      { [raw(shownUnder('TO_DELIVER'))]: [] },
      { orderBy: { paidAt: 'asc', id: 'asc' }, limit: 10 },
    ),
    ordersToDeliverCount: toDeliver,
    ordersNeedingAttentionCount: needsAttention,
    newestReviews: await em.find(Review, { hiddenAt: null }, { orderBy: { createdAt: 'desc', id: 'desc' }, limit: 5 }),
  }
}

/** Newsletter sign-ups in two spans, and all that are on the list. */
async function signUps(em: EntityManager, { start, end }: Span, before: Span) {
  const within = '(select count(*)::int from newsletter_subscriptions where confirmed_at >= ? and confirmed_at < ?)'
  const [counts] = await em.execute<
    [{ newsletterSignUps: number; newsletterSignUpsBefore: number; newsletterTotal: number }]
  >(
    `select ${within} as "newsletterSignUps", ${within} as "newsletterSignUpsBefore",
       (select count(*)::int from newsletter_subscriptions where confirmed_at is not null and unsubscribed_at is null) as "newsletterTotal"`,
    [start, end, before.start, before.end],
  )
  return counts
}
