import { LockMode, type EntityManager } from '@mikro-orm/postgresql'
import type { User } from '../account/user.entity.ts'
import { Product } from '../catalog/product.entity.ts'
import { clock } from '../kernel/clock.ts'
import { refuse } from '../kernel/errors.ts'
import { isId } from '../kernel/validation.ts'
import type { Load } from '../query/batch.ts'
import { recordReviewChanges } from './review-event.ts'
import { Review } from './review.entity.ts'

/** Counts a shopper who found a review helpful, once, or takes that back. */
export function markHelpful(
  em: EntityManager,
  user: User,
  id: string,
  helpful: boolean,
): Promise<{ review: Review; product: Product }> {
  return em.transactional(async tx => {
    // The row stays locked while its votes are counted.
    const review = isId(id)
      ? await tx.findOne(Review, { id, hiddenAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
      : null
    const product = review && (await tx.findOne(Product, { id: review.productId }))
    if (!review || !product?.isForSale) throw refuse('NOT_FOUND', 'There is no such review.')
    if (review.userId === user.id) throw refuse('OWN_REVIEW', 'This review is your own.')
    const changed = await tx.execute<unknown[]>(
      helpful
        ? `insert into review_votes (review_id, user_id, created_at) values (?, ?, ?) on conflict do nothing returning 1`
        : 'delete from review_votes where review_id = ? and user_id = ? returning 1',
      helpful ? [id, user.id, clock.now()] : [id, user.id],
    )
    if (changed.length > 0) {
      await tx.execute('update reviews set helpful = helpful + ? where id = ?', [helpful ? 1 : -1, id])
      await recordReviewChanges(tx, [id])
    }
    await tx.refresh(review)
    return { review, product }
  })
}

/** Whether each shopper found a review helpful. */
export const votesOf: Load<{ reviewId: string; userId: string }, boolean> = async (em, asked) => {
  const rows = await em.execute<{ review_id: string; user_id: string }[]>(
    'select review_id, user_id from review_votes where review_id in (?) and user_id in (?)',
    [asked.map(({ reviewId }) => reviewId), [...new Set(asked.map(({ userId }) => userId))]],
  )
  const cast = new Set(rows.map(row => `${row.review_id} ${row.user_id}`))
  return asked.map(({ reviewId, userId }) => cast.has(`${reviewId} ${userId}`))
}
