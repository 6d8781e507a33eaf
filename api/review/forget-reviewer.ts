import type { EntityManager } from '@mikro-orm/postgresql'
import type { User } from '../account/user.entity.ts'
import { discardLater } from '../catalog/uploads.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { recordReviewChanges } from './review-event.ts'

/**
 * Takes the person out of the reviews of an account that is deleted. What was said of the yarn stays, and counts; pictures,
 * which may show people and their homes, go.
 */
export async function forgetReviewer(em: EntityManager, jobs: Jobs, { id: userId }: User): Promise<void> {
  const shown = await em.execute<{ image: string }[]>(
    `select picture->>'image' as image from reviews, jsonb_array_elements(pictures) picture where user_id = ?`,
    [userId],
  )
  const waiting = await em.execute<{ image: string }[]>(
    'delete from review_uploads where user_id = ? returning image',
    [userId],
  )
  const reviews = await em.execute<{ id: string }[]>(
    `update reviews set name = 'A former customer', pictures = '[]' where user_id = ? returning id`,
    [userId],
  )
  await recordReviewChanges(
    em,
    reviews.map(({ id }) => id),
  )
  await discardLater(
    jobs,
    em,
    [...shown, ...waiting].map(({ image }) => image),
  )
}
