import { UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql'
import { readNeedle } from '#schema/rules/needle'
import { review as shape } from '#schema/rules/shapes/review'
import { assertOpen } from '../account/open-account.ts'
import type { User } from '../account/user.entity.ts'
import { Product } from '../catalog/product.entity.ts'
import { refuse } from '../kernel/errors.ts'
import type { ReviewInput } from '../generated/types.ts'
import { check, isId } from '../kernel/validation.ts'
import { recordReviewChanges } from './review-event.ts'
import { Review } from './review.entity.ts'
import { usePictures } from './take-picture.ts'

/** Writes a shopper's only review of a product and counts it, in one transaction. */
export async function writeReview(
  em: EntityManager,
  user: User,
  productId: string,
  input: ReviewInput,
): Promise<{ review: Review; product: Product }> {
  const { rating, comment, needle, gauge, project, pictures } = check(shape, input)
  const product = isId(productId) ? await em.findOne(Product, { id: productId }) : null
  if (!product?.isForSale) throw refuse('NOT_FOUND', 'There is no such product.')
  try {
    return await em.transactional(async tx => {
      await assertOpen(tx, user.id)
      const verifiedPurchase = await hasBought(tx, user.id, productId)
      // Counted first: a review refers to its product, and two who refer to it before they change it can block each other.
      await tx.execute('update products set num_reviews = num_reviews + 1, rating_sum = rating_sum + ? where id = ?', [
        rating,
        productId,
      ])
      const review = tx.create(Review, {
        productId,
        userId: user.id,
        name: user.name,
        rating,
        comment,
        needleMm: needle ? readNeedle(needle) : null,
        gauge: gauge ?? null,
        project: project || null,
        storedPictures: await usePictures(tx, user, pictures ?? []),
        verifiedPurchase,
      })
      await tx.flush()
      await recordReviewChanges(tx, [review.id])
      await tx.refresh(product)
      return { review, product }
    })
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException)
      throw refuse('ALREADY_REVIEWED', 'You have already reviewed this product.')
    throw error
  }
}

async function hasBought(em: EntityManager, userId: string, productId: string): Promise<boolean> {
  const rows = await em.execute(
    'select 1 from orders o join order_items i on i.order_id = o.id where o.user_id = ? and i.product_id = ? and o.paid_at is not null limit 1',
    [userId, productId],
  )
  return rows.length > 0
}
