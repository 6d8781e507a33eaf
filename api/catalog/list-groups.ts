import type { EntityManager } from '@mikro-orm/postgresql'
import type { Colour } from '#schema/rules/facts/product-facts'
import { ownerLimits } from '#schema/rules/owner-limits'
import type { ProductGroupVariesBy } from '../generated/types.ts'
import { select, type Load } from '../query/batch.ts'
import { likeWords } from '../query/search-words.ts'
import { readReviews, type AskedReviews } from '../review/list-reviews.ts'
import { summarizeReviews } from '../review/summarize-reviews.ts'
import { ON_SALE } from './list-products.ts'

/** A group with what is known of all its products on sale. */
export interface GroupOnSale {
  id: string
  name: string
  maker: string
  variesBy: ProductGroupVariesBy
  total: number
  colours: Colour[]
  rating: number
  numReviews: number
}

const DOTS = 6
const MOST_LISTED = 20

/** Groups by id; null where there is none. */
export const groupsById: Load<string, GroupOnSale | null> = async (em, ids) => {
  const groups = await em.execute<(GroupOnSale & { ratingSum: number })[]>(
    `select g.id, g.name, g.maker, g.varies_by as "variesBy", o.*
     from product_groups g cross join lateral (
       select count(*)::int as total, coalesce(sum(p.num_reviews), 0)::int as "numReviews", coalesce(sum(p.rating_sum), 0)::int as "ratingSum",
         coalesce((jsonb_agg(p.facts #> '{colours,0}' order by p.group_position, p.id) filter (where p.facts #> '{colours,0}' is not null)), '[]') as colours
       from products p where p.group_id = g.id and ${ON_SALE}) o
     where g.id in (?)`,
    [[...new Set(ids)]],
  )
  const found = new Map(
    groups.map(({ ratingSum, ...group }) => [
      group.id,
      {
        ...group,
        colours: group.colours.slice(0, DOTS),
        rating: group.numReviews === 0 ? 0 : ratingSum / group.numReviews,
      },
    ]),
  )
  return ids.map(id => found.get(id) ?? null)
}

/** Ids of a group's products in the shop's order. */
export async function idsInGroup(em: EntityManager, groupId: string, { drafts = false } = {}): Promise<string[]> {
  const rows = await select<{ id: string }>(
    em,
    `select p.id from products p where p.group_id = ? and ${drafts ? 'p.archived_at is null' : ON_SALE}
     order by p.group_position, p.id limit ${ownerLimits.groupProducts}`,
    [groupId],
  )
  return rows.map(({ id }) => id)
}

const OF_GROUP = `r.product_id in (select p.id from products p where p.group_id = ? and ${ON_SALE})`

/** Reviews of all products of a group that are on sale, without hidden ones. */
export const listGroupReviews = (em: EntityManager, { id, numReviews }: GroupOnSale, asked: AskedReviews) =>
  readReviews(em, OF_GROUP, id, numReviews, asked)

/** All of these reviews, summarized. */
export const summarizeGroupReviews = (em: EntityManager, { id }: GroupOnSale) => summarizeReviews(em, OF_GROUP, id)

/** Ids of groups by name. */
export async function findGroups(em: EntityManager, search: string | null): Promise<string[]> {
  const words = likeWords(search)
  if (words === null) return []
  const rows = await em.execute<{ id: string }[]>(
    `select id from product_groups where ${['true', ...words.map(() => 'lower(name) like ?')].join(' and ')}
     order by lower(name) limit ${MOST_LISTED}`,
    words,
  )
  return rows.map(({ id }) => id)
}
