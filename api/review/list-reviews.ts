import type { EntityManager } from '@mikro-orm/postgresql'
import { select, type Load } from '../query/batch.ts'
import type { Product } from '../catalog/product.entity.ts'
import { likeWords } from '../query/search-words.ts'
import type { ReviewFilter, ReviewSort } from '../generated/types.ts'
import { pageOf, paginate, type Condition, type Page } from '../query/paging.ts'
import { isId } from '../kernel/validation.ts'
import { Review } from './review.entity.ts'

interface PageOfReviews {
  product: Product
  page: number
  pageSize: number
}

/**
 * Pages of products' reviews, newest first, without hidden ones: those are not counted in its total either. A page that is
 * asked for many times at one moment is read once: each review leads to its product, and that to its reviews.
 */
export const reviewPages: Load<PageOfReviews, Page<Review>> = (em, asked) => {
  const read = new Map<string, Promise<Page<Review>>>()
  return Promise.all(
    asked.map(wanted => {
      const key = `${wanted.product.id} ${wanted.page} ${wanted.pageSize}`
      const page = read.get(key) ?? readReviews(em, wanted)
      read.set(key, page)
      return page
    }),
  )
}

async function readReviews(
  em: EntityManager,
  { product, page: asked, pageSize }: PageOfReviews,
): Promise<Page<Review>> {
  const total = product.numReviews
  const { page, pages, offset } = paginate(asked, pageSize, total)
  const rows =
    total === 0
      ? []
      : await select(
          em,
          'select * from reviews where product_id = ? and hidden_at is null order by created_at desc, id desc limit ? offset ?',
          [product.id, pageSize, offset],
        )
  return { items: rows.map(row => em.map(Review, row)), page, pages, total }
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
  { search, hidden, rating, productId }: ReviewFilter,
  sort: ReviewSort | null,
  page: number,
  pageSize: number,
): Promise<Page<Review>> {
  const words = likeWords(search)
  const direction = sort?.direction === 'ASC' ? 'asc' : 'desc'
  return pageOf(em, Review, {
    from: 'reviews',
    where:
      words === null || (productId != null && !isId(productId))
        ? null
        : [
            hidden != null && [`hidden_at is ${hidden ? 'not ' : ''}null`],
            rating != null && ['rating = ?', rating],
            productId != null && ['product_id = ?', productId],
            ...words.map((word): Condition => [
              `(lower(name || ' ' || comment) like ? or exists (select 1 from products p where p.id = product_id and lower(p.name) like ?))`,
              word,
              word,
            ]),
          ],
    order:
      sort?.field === 'RATING'
        ? `rating ${direction}, created_at desc, id desc`
        : `created_at ${direction}, id ${direction}`,
    page,
    pageSize,
  })
}
