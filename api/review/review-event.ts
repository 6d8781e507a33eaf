import type { EntityManager } from '@mikro-orm/postgresql'
import { recordEvents } from '../event/record-events.ts'
import type { Review } from './review.entity.ts'

/** Tells the world that a review was written or changed, inside the caller's transaction: which, and no word of it. */
export async function recordReviewChange(em: EntityManager, review: Review): Promise<void> {
  const { id, productId, userId, rating, hiddenAt } = review
  await recordEvents(em, [
    {
      type: 'REVIEW_CHANGED',
      subjectId: id,
      data: { review: { id, productId, accountId: userId ?? null, rating, isHidden: Boolean(hiddenAt) } },
    },
  ])
}
