import type { EntityManager } from '@mikro-orm/postgresql'
import { limits } from '#schema/rules/limits'
import { select } from '../query/batch.ts'

export interface ReviewSummary {
  stars: number[]
  knitted: { needleMm: number; gauge: number; knitters: number } | null
}

/** So many of the newest reviews that tell needle and gauge are looked at. */
const LOOKED_AT = 500

/** What the shown reviews of products say taken together. `products` is trusted SQL with one parameter: conditions on `r`. */
export async function summarizeReviews(em: EntityManager, products: string, id: string): Promise<ReviewSummary> {
  const [found] = await select<{ stars: Record<string, number> | null; knitted: ReviewSummary['knitted'] }>(
    em,
    `select
       (select jsonb_object_agg(rating, count) from (
          select r.rating, count(*)::int from reviews r where ${products} and r.hidden_at is null group by r.rating) s) as stars,
       (select to_jsonb(k) from (
          select needle_mm as "needleMm", percentile_cont(0.5) within group (order by gauge) as gauge, count(*)::int as knitters
          from (select r.needle_mm, r.gauge from reviews r
                where ${products} and r.hidden_at is null and r.gauge is not null and r.needle_mm is not null
                order by r.created_at desc limit ${LOOKED_AT}) t
          group by needle_mm having count(*) >= 2 order by count(*) desc, needle_mm limit 1) k) as knitted`,
    [id, id],
  )
  const { min, max } = limits.rating
  return {
    stars: Array.from({ length: max - min + 1 }, (_, place) => found?.stars?.[place + min] ?? 0),
    knitted: found?.knitted ?? null,
  }
}
