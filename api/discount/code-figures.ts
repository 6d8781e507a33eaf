import type { DiscountFigures } from '../generated/types.ts'
import type { Load } from '../query/batch.ts'

const NONE: DiscountFigures = { uses: 0, paidOrders: 0, revenue: 0, discountGiven: 0 }

/** What became of each code. An order that was paid counts, even if its use had been given back before the money came. */
export const figuresOf: Load<string, DiscountFigures> = async (em, codeIds) => {
  const rows = await em.execute<(DiscountFigures & { id: string })[]>(
    `select u.discount_code_id as id, count(*)::int as uses, count(o.paid_at)::int as "paidOrders",
            coalesce(sum(o.total_price) filter (where o.paid_at is not null), 0)::float8 as revenue,
            coalesce(sum(u.saved) filter (where o.paid_at is not null), 0)::float8 as "discountGiven"
     from code_uses u join orders o on o.id = u.order_id
     where u.discount_code_id in (?) and (u.given_back_at is null or o.paid_at is not null)
     group by u.discount_code_id`,
    [codeIds],
  )
  const byId = new Map(rows.map(({ id, ...figures }) => [id, figures]))
  return codeIds.map(id => byId.get(id) ?? NONE)
}
