import type { Readable } from 'node:stream'
import type { EntityManager } from '@mikro-orm/postgresql'
import { limits } from '#schema/rules/limits'
import { assertOpen } from '../account/open-account.ts'
import type { User } from '../account/user.entity.ts'
import { discardLater, OF_REVIEWS, storePicture, type StoredPicture } from '../catalog/uploads.ts'
import type { Context } from '../context.ts'
import { clock } from '../kernel/clock.ts'
import { refuse } from '../kernel/errors.ts'
import type { ReviewPicture } from './review.entity.ts'

const { waiting: MOST_WAITING, account: MOST_OF_AN_ACCOUNT } = limits.reviewPictures

/** Takes in a picture for a review that an account is about to write. More than a few do not wait: the oldest go. */
export async function takePicture(
  { em, jobs, uploads }: Pick<Context, 'em' | 'jobs' | 'uploads'>,
  { id: userId }: User,
  content: Readable,
): Promise<StoredPicture> {
  const [{ kept }] = await em.execute<[{ kept: number }]>(
    `select coalesce(sum(jsonb_array_length(pictures)), 0)::int as kept from reviews where user_id = ? and pictures <> '[]'`,
    [userId],
  )
  if (kept >= MOST_OF_AN_ACCOUNT)
    throw refuse(
      'TOO_MANY_PICTURES',
      `There are ${MOST_OF_AN_ACCOUNT} pictures in your reviews, as many as there can be.`,
      { field: ['file'] },
    )
  const stored = await storePicture(uploads, content, OF_REVIEWS)
  await em.transactional(async tx => {
    // Uploads of one account wait here, so that its waiting pictures are counted one at a time.
    await assertOpen(tx, userId, 'no key update')
    await tx.execute('insert into review_uploads (image, user_id, width, height, created_at) values (?, ?, ?, ?, ?)', [
      stored.image,
      userId,
      stored.width,
      stored.height,
      clock.now(),
    ])
    const oldest = await tx.execute<{ image: string }[]>(
      `delete from review_uploads where image in (
         select image from review_uploads where user_id = ? order by created_at desc, image desc offset ?) returning image`,
      [userId, MOST_WAITING],
    )
    await discardLater(
      jobs,
      tx,
      oldest.map(({ image }) => image),
    )
  })
  return stored
}

/** Takes what an account has uploaded out of what waits, for the review that `em` writes. */
export async function usePictures(
  em: EntityManager,
  { id: userId }: User,
  wanted: readonly { image: string; alt: string }[],
): Promise<ReviewPicture[]> {
  if (wanted.length === 0) return []
  const taken = await em.execute<{ image: string; width: number; height: number }[]>(
    'delete from review_uploads where user_id = ? and image in (?) returning image, width, height',
    [userId, wanted.map(({ image }) => image)],
  )
  return wanted.map(({ image, alt }, place) => {
    const found = taken.find(each => each.image === image)
    if (!found)
      throw refuse('INVALID', `Picture ${place + 1} is not there any more. Please choose it again.`, {
        field: ['pictures'],
      })
    return { ...found, alt }
  })
}
