import type { EntityManager } from '@mikro-orm/postgresql'
import { lastOf, nth } from '#schema/rules/present'
import { dateOf, dayOf, readSalesState } from '../catalog/count-sales.ts'
import type { BestSeller } from '../generated/types.ts'
import type { Span } from './sales.ts'

const MOST = 10
const LOOKED_AT = 1_000

/**
 * The ten products of which most was paid for in a span. Nobody adds up all of them: what a product sold in a longer time, which
 * is known, is at least what it sold in the span, so that those who sold most in the longer time are looked at until
 * none of the others can have sold more than the ten. Which of those are shown that sold equally much is decided among those that are looked at.
 */
export async function bestSellers(em: EntityManager, span: Span): Promise<BestSeller[]> {
  const { until } = await readSalesState(em)
  const first = dayOf(span.start) + (span.start.getTime() % 86_400_000 === 0 ? 0 : 1)
  const end = Math.max(first, Math.min(dayOf(span.end), until ?? 0))
  for (let count = LOOKED_AT; ; count *= 8) {
    const { found, bound } = await amongFirst(em, span, first, end, count)
    if (bound === null || (found.length === MOST && lastOf(found).units >= bound)) return found
  }
}

/** The best of those of which most was sold in a longer time, and how much others can have sold at most. Null: there are no others. */
async function amongFirst(
  em: EntityManager,
  { start, end }: Span,
  firstDay: number,
  endDay: number,
  count: number,
): Promise<{ found: BestSeller[]; bound: number | null }> {
  const days = [dateOf(firstDay), dateOf(endDay)]
  const lines = `select i.product_id, i.quantity as units, i.price::bigint * i.quantity - i.discount as revenue
    from orders o join order_items i on i.order_id = o.id where o.paid_at >= ? and o.paid_at < ?`
  const rows = await em.execute<(BestSeller & { bound: number | null })[]>(
    `with fresh as (
       select product_id, sum(units) as units, sum(revenue) as revenue
       from (${lines} union all ${lines} union all select product_id, units, revenue from product_sales_late where day >= ? and day < ?) f
       group by product_id
     ),
     longer as (select days from product_sales_windows where since <= ? order by since desc limit 1),
     most as (
       select product_id, max(units) as units from (
         (select product_id, units from product_sales_totals where days = (select days from longer) order by units desc, product_id limit ?)
         union all
         select f.product_id, f.units + coalesce(t.units, 0)
         from fresh f left join product_sales_totals t on t.days = (select days from longer) and t.product_id = f.product_id
       ) m group by product_id order by 2 desc, product_id limit ?
     ),
     sold as (
       select m.product_id, coalesce(s.units, 0) + coalesce(f.units, 0) as units, coalesce(s.revenue, 0) + coalesce(f.revenue, 0) as revenue
       from most m left join fresh f on f.product_id = m.product_id
       left join lateral (
         select sum(units) as units, sum(revenue) as revenue from product_sales
         where product_id = m.product_id and day >= ? and day < ?
       ) s on true
     )
     select p.id as "productId", p.name, p.image, best.units::int as units, best.revenue::float8 as revenue,
       (select min(units) from most having count(*) = ?)::float8 as bound
     from (select 1) always
     left join (select * from sold where units > 0 order by units desc, revenue desc, product_id limit ${MOST}) best on true
     left join products p on p.id = best.product_id order by best.units desc, best.revenue desc, p.id`,
    [
      start,
      startOfDay(firstDay, end),
      startOfDay(endDay, end),
      end,
      ...days,
      dateOf(firstDay),
      count,
      count,
      ...days,
      count,
    ],
  )
  return {
    found: rows.filter(({ productId }) => productId !== null).map(({ bound: _, ...seller }) => seller),
    bound: nth(rows, 0).bound,
  }
}

const startOfDay = (day: number, end: Date) => new Date(Math.min(day * 86_400_000, end.getTime()))
