import type { EntityManager } from '@mikro-orm/postgresql'
import { nth } from '#schema/rules/present'
import { select, selectOften, type Load } from '../query/batch.ts'
import type { Product } from '../catalog/product.entity.ts'
import { changed } from '../query/changed.ts'
import { connectionOf, type Connection, type ConnectionArguments } from '../query/connection.ts'
import { likeWords } from '../query/search-words.ts'
import type { ReviewConnectionSort, ReviewFilter, ReviewOrder, ReviewSort } from '../generated/types.ts'
import { columnsOf, shown } from '../query/shown.ts'
import { pageOf, paginate, type Condition, type Page } from '../query/paging.ts'
import { isId } from '../kernel/validation.ts'
import { Review } from './review.entity.ts'

export interface AskedReviews {
  page: number
  pageSize: number
  order: ReviewOrder
  /** Only those with so many. */
  stars: number | null
}

/** What the arguments of a field ask for. The generated classes know enums by their names alone. */
export const readAsked = ({
  page,
  order,
  stars,
}: {
  page?: number | null
  order?: unknown
  stars?: number | null
}) => ({
  page: page ?? 1,
  order: (order ?? 'NEWEST') as ReviewOrder,
  stars: stars ?? null,
})

type PageOfReviews = AskedReviews & { product: Product }

/**
 * Pages of products' reviews without hidden ones: those are not counted in its total either. A page that is
 * asked for many times at one moment is read once: each review leads to its product, and that to its reviews.
 */
export const reviewPages: Load<PageOfReviews, Page<Review>> = (em, asked) => {
  const read = new Map<string, Promise<Page<Review>>>()
  return Promise.all(
    asked.map(wanted => {
      const { product, page, pageSize, order, stars } = wanted
      const key = `${product.id} ${page} ${pageSize} ${order} ${stars}`
      const found = read.get(key) ?? readReviews(em, 'r.product_id = ?', product.id, product.numReviews, wanted)
      read.set(key, found)
      return found
    }),
  )
}

const ORDERS: Record<ReviewOrder, string> = {
  NEWEST: 'r.created_at desc, r.id desc',
  HELPFUL: 'r.helpful desc, r.created_at desc, r.id desc',
  HIGHEST: 'r.rating desc, r.created_at desc, r.id desc',
  LOWEST: 'r.rating, r.created_at desc, r.id desc',
}

/** One page of the shown reviews of products. `products` is trusted SQL with one parameter: conditions on `r`. */
export async function readReviews(
  em: EntityManager,
  products: string,
  id: string,
  count: number,
  { page: asked, pageSize, order, stars }: AskedReviews,
): Promise<Page<Review>> {
  const [where, parameters] =
    stars === null
      ? [`${products} and r.hidden_at is null`, [id]]
      : [`${products} and r.hidden_at is null and r.rating = ?`, [id, stars]]
  const total =
    stars === null
      ? count
      : nth(
          await select<{ total: number }>(
            em,
            `select count(*)::int as total from reviews r where ${where}`,
            parameters,
          ),
          0,
        ).total
  const { page, pages, offset } = paginate(asked, pageSize, total)
  const rows =
    total === 0
      ? []
      : await selectOften<Record<string, unknown>>(
          em,
          `select ${columnsOf(em, Review)} from reviews r where ${where} order by ${ORDERS[order]} limit ? offset ?`,
          [...parameters, pageSize, offset],
        )
  return { items: rows.map(row => shown(em, Review, row)), page, pages, total, totalIsExact: true }
}

/** Each shopper's own review of a product, hidden or not; null where there is none. */
export const writtenReviews: Load<{ productId: string; userId: string }, Review | null> = async (em, asked) => {
  const written = await em.find(Review, { $or: asked.map(each => ({ ...each })) })
  return asked.map(
    ({ productId, userId }) =>
      written.find(review => review.productId === productId && review.userId === userId) ?? null,
  )
}

/** Every review, hidden ones too, newest first unless sorted. */
export function listAllReviews(
  em: EntityManager,
  filter: ReviewFilter,
  sort: ReviewSort | null,
  page: number,
  pageSize: number,
): Promise<Page<Review>> {
  const direction = sort?.direction === 'ASC' ? 'asc' : 'desc'
  return pageOf(em, Review, {
    from: 'reviews',
    where: conditionsOf({ ...filter, search: null }),
    search: searched(filter.search),
    order:
      sort?.field === 'RATING'
        ? `rating ${direction}, created_at desc, id desc`
        : `created_at ${direction}, id ${direction}`,
    page,
    pageSize,
  })
}

export type ConnectedReviews = Connection<Review>

const connectionColumns = { CREATED: ['created_at', 'timestamptz'], UPDATED: ['updated_in', 'xid8'] } as const

/** A part of all reviews, hidden ones too, newest first unless sorted. */
export function connectReviews(
  em: EntityManager,
  filter: ReviewFilter,
  sort: ReviewConnectionSort | null,
  range: ConnectionArguments,
): Promise<ConnectedReviews> {
  return connectionOf(
    em,
    Review,
    {
      table: 'reviews',
      where: conditionsOf(filter),
      by: connectionColumns[sort?.field ?? 'CREATED'],
      direction: sort?.direction === 'ASC' ? 'asc' : 'desc',
      isFeed: sort?.field === 'UPDATED',
    },
    range,
  )
}

/** The filter as SQL. Null when nothing can match. */
function conditionsOf(filter: ReviewFilter): (Condition | false)[] | null {
  const { hidden, rating, productId } = filter
  const words = searched(filter.search)
  const narrowed = changed(filter)
  if (!words || !narrowed || (productId != null && !isId(productId))) return null
  return [
    hidden != null && [`hidden_at is ${hidden ? 'not ' : ''}null`],
    rating != null && ['rating = ?', rating],
    productId != null && ['product_id = ?', productId],
    ...narrowed,
    ...words,
  ]
}

const searched = (search: string | null | undefined) =>
  likeWords(search)?.map((word): Condition => [`lower(name || ' ' || comment || ' ' || product_name) like ?`, word]) ??
  null
