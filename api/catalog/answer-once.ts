import { createHash } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Actor } from '../audit/record-audit.ts'
import { refuse } from '../kernel/errors.ts'

/**
 * Does work in a transaction, and with a key only once for each account: a client that sends the same
 * again because the answer never arrived gets that answer.
 */
export async function answerOnce<Answer extends object>(
  em: EntityManager,
  actor: Actor,
  key: string | null,
  asked: unknown,
  work: (em: EntityManager) => Promise<Answer>,
): Promise<Answer> {
  return em.transactional(async tx => {
    if (key === null) return work(tx)
    const hash = createHash('sha256').update(JSON.stringify(asked)).digest('hex')
    // Taken before the work: a second request with the same key waits here until the first is done.
    const [first] = await tx.execute<{ key: string }[]>(
      'insert into bulk_answers (user_id, key, hash) values (?, ?, ?) on conflict do nothing returning key',
      [actor.id, key, hash],
    )
    if (!first) return answeredBefore<Answer>(tx, actor, key, hash)
    const answer = await work(tx)
    await tx.execute('update bulk_answers set answer = ?::jsonb where user_id = ? and key = ?', [
      JSON.stringify(answer),
      actor.id,
      key,
    ])
    return answer
  })
}

async function answeredBefore<Answer>(em: EntityManager, actor: Actor, key: string, hash: string): Promise<Answer> {
  const [before] = await em.execute<[{ hash: string; answer: Answer }]>(
    'select hash, answer from bulk_answers where user_id = ? and key = ?',
    [actor.id, key],
  )
  if (before.hash !== hash)
    throw refuse('IDEMPOTENCY_MISMATCH', 'This key was used for other lines.', { field: ['idempotencyKey'] })
  return before.answer
}

/** Deletes answers that are 30 days old, a part at a time. */
export async function forgetAnswers(em: EntityManager): Promise<void> {
  await em.execute(
    `delete from bulk_answers where (user_id, key) in (select user_id, key from bulk_answers where created_at < now() - interval '30 days' limit 1000)`,
  )
}
