import { UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { GAUGE, readNeedle } from '#schema/rules/needle'
import { assertOpen } from '../account/addresses.ts'
import type { User } from '../account/user.entity.ts'
import { Product } from '../catalog/product.entity.ts'
import { refuse } from '../kernel/errors.ts'
import type { ReviewInput } from '../generated/types.ts'
import { check, isId, requiredText, text } from '../kernel/validation.ts'
import { recordReviewChanges } from './review-event.ts'
import { Review } from './review.entity.ts'
import { usePictures } from './take-picture.ts'

const GAUGE_TOLD = `Please give ${GAUGE.min} to ${GAUGE.max} stitches in 10 cm.`

const reviewInput = z.object({
  rating: z
    .number()
    .int()
    .min(limits.rating.min, 'Please select a rating from 1 to 5.')
    .max(limits.rating.max, 'Please select a rating from 1 to 5.'),
  comment: requiredText('Comment', limits.comment),
  needle: text('Needle', limits.productText)
    .nullish()
    .transform((typed, context) => {
      const needle = typed ? readNeedle(typed) : null
      if (typed && needle === null)
        context.addIssue({ code: 'custom', message: 'Please name one needle, such as 4.5 mm or US 7.' })
      return needle
    }),
  gauge: z
    .number()
    .min(GAUGE.min, GAUGE_TOLD)
    .max(GAUGE.max, GAUGE_TOLD)
    .nullish()
    .transform(gauge => gauge ?? null),
  project: text('Project', limits.project)
    .nullish()
    .transform(project => project || null),
  pictures: z
    .array(
      z.object({
        image: z.string(),
        alt: text('What a picture shows', limits.pictureAlt)
          .nullish()
          .transform(alt => alt ?? ''),
      }),
    )
    .max(limits.reviewPictures.each, `A review has at most ${limits.reviewPictures.each} pictures.`)
    .refine(
      list => new Set(list.map(({ image }) => image)).size === list.length,
      'One of the pictures is there twice. Please remove one of the two.',
    )
    .nullish()
    .transform(pictures => pictures ?? []),
})

/** Writes a shopper's only review of a product and counts it, in one transaction. */
export async function writeReview(
  em: EntityManager,
  user: User,
  productId: string,
  input: ReviewInput,
): Promise<{ review: Review; product: Product }> {
  const { rating, comment, needle, gauge, project, pictures } = check(reviewInput, input)
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
        needleMm: needle,
        gauge,
        project,
        storedPictures: await usePictures(tx, user, pictures),
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
