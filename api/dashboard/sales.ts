import type { EntityManager } from '@mikro-orm/postgresql'
import { lastOf, nth, present } from '#schema/rules/present'
import { listed } from '../query/read.ts'

/** A time from `start` up to, but without, `end`. */
export interface Span {
  start: Date
  end: Date
}

export interface Sales {
  revenue: number
  orders: number
  units: number
}

const QUARTER_HOUR = 900_000
const DAY_MS = 86_400_000
const quarterHourOf = (date: Date) => new Date(Math.floor(date.getTime() / QUARTER_HOUR) * QUARTER_HOUR)
const isWhole = (date: Date) => date.getTime() % QUARTER_HOUR === 0

/** What was paid in each of the spans, which follow each other, and in one before them that may end at any moment. */
export async function salesIn(
  em: EntityManager,
  previous: Span,
  spans: readonly Span[],
): Promise<{ before: Sales; sales: Sales[] }> {
  const whole = quarterHourOf(previous.end)
  const since = nth(spans, 0).start
  const known = [{ start: previous.start, end: whole }, { start: whole, end: since }, ...spans]
  // Before there were time zones, days began at any minute.
  if (!known.every(({ start, end }) => isWhole(start) && isWhole(end))) {
    const [before, ...sales] = await paidIn(em, [previous, ...spans])
    return { before: present(before), sales }
  }
  const [before, , ...sales] = await addedUp(em, known)
  const [rest] = await paidIn(em, [{ start: whole, end: previous.end }])
  return { before: sum([present(before), present(rest)]), sales }
}

/**
 * Of spans of whole quarters of an hour: the days in UTC between the midnights that are nearest to where they begin, and the quarters
 * from there to those.
 */
async function addedUp(em: EntityManager, spans: readonly Span[]): Promise<Sales[]> {
  const edges = [...spans.map(({ start }) => start), lastOf(spans).end]
  const midnights = edges.map(edge => new Date(Math.round(edge.getTime() / DAY_MS) * DAY_MS))
  const rows = await em.execute<(Sales & { place: number })[]>(
    `with asked as (select ?::timestamptz[] as edges, ?::timestamptz[] as midnights)
     select place::int as place, sum(revenue)::float8 as revenue, sum(orders)::int as orders, sum(units)::int as units
     from (
       select width_bucket(quarter_hour, edges) as place, revenue, orders, units from asked, sales_changes
       union all
       select width_bucket(midnight, midnights), revenue, orders, units from asked, sales_days
       where midnight >= ? and midnight < ?
       union all
       select edge.place - before, sign * rest.revenue, sign * rest.orders, sign * rest.units
       from asked cross join rows from (unnest(edges), unnest(midnights)) with ordinality edge (at, midnight, place)
       cross join lateral (
         select sum(revenue) as revenue, sum(orders) as orders, sum(units) as units from sales
         where quarter_hour >= least(at, midnight) and quarter_hour < greatest(at, midnight)
       ) rest
       cross join lateral (values (0, sign(extract(epoch from midnight - at))), (1, sign(extract(epoch from at - midnight)))) side (before, sign)
     ) sold group by place having sum(orders) is not null`,
    [instants(edges), instants(midnights), nth(midnights, 0), lastOf(midnights)],
  )
  const found = new Map(rows.map(({ place, ...sales }) => [place, sales]))
  return spans.map((_, index) => found.get(index + 1) ?? { revenue: 0, orders: 0, units: 0 })
}

const instants = (dates: readonly Date[]) => listed(dates.map(date => date.toISOString()))

/** Of any spans, by reading every order. */
function paidIn(em: EntityManager, spans: readonly Span[]): Promise<Sales[]> {
  return em.execute<Sales[]>(
    `select coalesce(sum(o.total_price - o.gift_cards_sold), 0)::float8 as revenue, count(o.id)::int as orders, coalesce(sum(i.units), 0)::int as units
     from rows from (jsonb_to_recordset(?::jsonb) as ("start" timestamptz, "end" timestamptz)) with ordinality as b("start", "end", place)
     left join orders o on o.paid_at >= b.start and o.paid_at < b.end
     left join lateral (select sum(quantity) as units from order_items where order_id = o.id) i on true
     group by b.place order by b.place`,
    [JSON.stringify(spans)],
  )
}

export const sum = (sales: readonly Sales[]) =>
  sales.reduce((all, { revenue, orders, units }) => ({
    revenue: all.revenue + revenue,
    orders: all.orders + orders,
    units: all.units + units,
  }))

/** Adds up what was paid since the last time; see Migration074Sales. */
export async function addUpSales(em: EntityManager): Promise<void> {
  // One statement: what is taken away is what is added, and readers see it in exactly one of both places meanwhile.
  await em.execute(
    `with taken as (delete from sales_changes returning *)
     insert into sales (quarter_hour, revenue, orders, units)
     select quarter_hour, sum(revenue), sum(orders), sum(units) from taken group by quarter_hour order by quarter_hour
     on conflict (quarter_hour) do update
     set revenue = sales.revenue + excluded.revenue, orders = sales.orders + excluded.orders, units = sales.units + excluded.units`,
  )
}
