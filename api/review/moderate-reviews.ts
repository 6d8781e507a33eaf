import { LockMode, type EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { recordAudit, type Actor } from '../audit/record-audit.ts'
import { Product } from '../catalog/product.entity.ts'
import { clock } from '../kernel/clock.ts'
import { refuse } from '../kernel/errors.ts'
import { check, isId, requiredText, text } from '../kernel/validation.ts'
import { Review } from './review.entity.ts'

const hiding = z.object({ reason: requiredText('Reason', 500) })

const answering = z.object({ answer: text('Answer', limits.comment) })

type Moderated = Promise<{ review: Review; product: Product }>

/** Hides a review with a reason and stops counting it. Hiding it again changes the reason. */
export function hideReview(em: EntityManager, actor: Actor, id: string, input: string): Moderated {
  const { reason } = check(hiding, { reason: input })
  return moderate(em, id, async (tx, review, label) => {
    const before = review.hiddenReason
    if (before === reason) return
    if (!review.hiddenAt) await count(tx, review, -1)
    tx.assign(review, { hiddenAt: review.hiddenAt ?? clock.now(), hiddenReason: reason })
    await recordAudit(tx, actor, {
      entity: 'REVIEW',
      entityId: review.id,
      label,
      action: 'HIDDEN',
      changes: [{ field: 'hiddenReason', before, after: reason }],
    })
  })
}

/** Shows a hidden review again and counts it. */
export function restoreReview(em: EntityManager, actor: Actor, id: string): Moderated {
  return moderate(em, id, async (tx, review, label) => {
    const before = review.hiddenReason
    if (!review.hiddenAt) return
    await count(tx, review, 1)
    tx.assign(review, { hiddenAt: null, hiddenReason: null })
    await recordAudit(tx, actor, {
      entity: 'REVIEW',
      entityId: review.id,
      label,
      action: 'RESTORED',
      changes: [{ field: 'hiddenReason', before, after: null }],
    })
  })
}

/** Puts the shop's answer under a review, or takes it away. */
export function answerReview(em: EntityManager, actor: Actor, id: string, input: string | null): Moderated {
  const { answer } = check(answering, { answer: input ?? '' })
  return moderate(em, id, async (tx, review, label) => {
    const before = review.answerText
    const after = answer || null
    if (before === after) return
    tx.assign(review, { answerText: after, answeredAt: after === null ? null : clock.now() })
    await recordAudit(tx, actor, {
      entity: 'REVIEW',
      entityId: review.id,
      label,
      action: 'UPDATED',
      changes: [{ field: 'answer', before, after }],
    })
  })
}

function moderate(
  em: EntityManager,
  id: string,
  run: (tx: EntityManager, review: Review, label: string) => Promise<void>,
): Moderated {
  return em.transactional(async tx => {
    // The row stays locked while its rating is counted, so that two who hide it at once count it once.
    const review = isId(id)
      ? await tx.findOne(Review, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
      : null
    if (!review) throw refuse('NOT_FOUND', 'There is no such review.')
    const product = await tx.findOneOrFail(Product, { id: review.productId })
    await run(tx, review, product.name)
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
