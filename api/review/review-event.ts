import type { EntityManager } from '@mikro-orm/postgresql'
import { recordEvents } from '../event/record-events.ts'

/** Tells the world that reviews were written or changed, inside the caller's transaction: which, and no word of them. */
export async function recordReviewChanges(em: EntityManager, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await em.flush()
  const reviews = await em.execute<{ id: string; updatedAt: string }[]>(
    `select reviews.id, product_id as "productId", sku, user_id as "accountId", rating, helpful, hidden_at is not null as "isHidden",
       answered_at is not null as "isAnswered", reviews.updated_at as "updatedAt", reviews.version
     from reviews join products on products.id = product_id where reviews.id in (?)`,
    [ids],
  )
  await recordEvents(
    em,
    reviews.map(({ updatedAt, ...review }) => ({
      type: 'REVIEW_CHANGED',
      subjectId: review.id,
      data: { review: { ...review, updatedAt: new Date(updatedAt).toISOString() } },
    })),
  )
}
