import type { EntityManager } from '@mikro-orm/postgresql'
import { paginate, type Page } from '../catalog/list-products.ts'
import type { Product } from '../catalog/product.entity.ts'
import { Review } from './review.entity.ts'

/** A product's reviews, newest first. */
export async function listReviews(em: EntityManager, product: Product, asked: number, pageSize: number): Promise<Page<Review>> {
  const total = product.numReviews
  const { page, pages, offset } = paginate(asked, pageSize, total)
  const items = total === 0 ? [] : await em.find(Review, { productId: product.id }, { orderBy: { createdAt: 'desc', id: 'desc' }, limit: pageSize, offset })
  return { items, page, pages, total }
}
