import { LockMode, type EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { recordAudit, type Actor, type AuditRecord } from '../audit/record-audit.ts'
import { Product } from '../catalog/product.entity.ts'
import { discardLater, moveReviewPicture } from '../catalog/uploads.ts'
import type { Context } from '../context.ts'
import { clock } from '../kernel/clock.ts'
import { refuse } from '../kernel/errors.ts'
import { check, isId, requiredText, text } from '../kernel/validation.ts'
import { recordReviewChanges } from './review-event.ts'
import { Review, type ReviewPicture } from './review.entity.ts'

const hiding = z.object({ reason: requiredText('Reason', 500) })

const answering = z.object({ answer: text('Answer', limits.comment) })

type Moderating = Pick<Context, 'em' | 'jobs' | 'uploads'>
type Moderated = Promise<{ review: Review; product: Product }>

/**
 * Hides a review with a reason and stops counting it. Nothing is found any more at the addresses of its
 * pictures. Hiding it again changes the reason.
 */
export function hideReview({ em, jobs, uploads }: Moderating, actor: Actor, id: string, input: string): Moderated {
  const { reason } = check(hiding, { reason: input })
  return moderate(em, actor, id, async (tx, review) => {
    const before = review.hiddenReason
    if (before === reason) return null
    if (!review.hiddenAt) {
      await count(tx, review, -1)
      const pictures = review.storedPictures
      const moved = pictures.map(async picture => ({
        ...picture,
        image: await moveReviewPicture(tx, uploads, picture.image),
      }))
      review.storedPictures = await Promise.all(moved)
      await discardLater(
        jobs,
        tx,
        pictures.map(({ image }) => image),
      )
    }
    tx.assign(review, { hiddenAt: review.hiddenAt ?? clock.now(), hiddenReason: reason })
    return { action: 'HIDDEN', changes: [{ field: 'hiddenReason', before, after: reason }] }
  })
}

/** Takes one picture out of a review, for good. */
export function removePicture({ em, jobs }: Moderating, actor: Actor, id: string, image: string): Moderated {
  return moderate(em, actor, id, async (tx, review) => {
    const before = review.storedPictures
    const after = before.filter(picture => picture.image !== image)
    if (after.length === before.length) throw refuse('NOT_FOUND', 'This picture is not in the review any more.')
    review.storedPictures = after
    await discardLater(jobs, tx, [image])
    return { action: 'UPDATED', changes: [{ field: 'pictures', before: inWords(before), after: inWords(after) }] }
  })
}

const inWords = (pictures: readonly ReviewPicture[]) =>
  pictures.map(({ image, alt }) => (alt ? `${image} (${alt})` : image)).join(', ')

/** Shows a hidden review again and counts it. */
export function restoreReview(em: EntityManager, actor: Actor, id: string): Moderated {
  return moderate(em, actor, id, async (tx, review) => {
    const before = review.hiddenReason
    if (!review.hiddenAt) return null
    await count(tx, review, 1)
    tx.assign(review, { hiddenAt: null, hiddenReason: null })
    return { action: 'RESTORED', changes: [{ field: 'hiddenReason', before, after: null }] }
  })
}

/** Puts the shop's answer under a review, or takes it away. */
export function answerReview(em: EntityManager, actor: Actor, id: string, input: string | null): Moderated {
  const { answer } = check(answering, { answer: input ?? '' })
  return moderate(em, actor, id, async (tx, review) => {
    const before = review.answerText
    const after = answer || null
    if (before === after) return null
    tx.assign(review, { answerText: after, answeredAt: after === null ? null : clock.now() })
    return { action: 'UPDATED', changes: [{ field: 'answer', before, after }] }
  })
}

/** Does something to a review, tells partners and writes it into the audit log. Null is for what was so already. */
function moderate(
  em: EntityManager,
  actor: Actor,
  id: string,
  run: (tx: EntityManager, review: Review) => Promise<Pick<AuditRecord, 'action' | 'changes'> | null>,
): Moderated {
  return em.transactional(async tx => {
    // The row stays locked while its rating is counted, so that two who hide it at once count it once.
    const review = isId(id)
      ? await tx.findOne(Review, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
      : null
    if (!review) throw refuse('NOT_FOUND', 'There is no such review.')
    const product = await tx.findOneOrFail(Product, { id: review.productId })
    const done = await run(tx, review)
    if (done) {
      await recordReviewChanges(tx, [review.id])
      await recordAudit(tx, actor, { entity: 'REVIEW', entityId: review.id, label: product.name, ...done })
    }
    await tx.flush()
    await tx.refresh(product)
    return { review, product }
  })
}

async function count(em: EntityManager, review: Review, sign: 1 | -1): Promise<void> {
  await em.execute('update products set num_reviews = num_reviews + ?, rating_sum = rating_sum + ? where id = ?', [
    sign,
    sign * review.rating,
    review.productId,
  ])
}
