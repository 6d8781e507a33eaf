import type { EntityManager } from '@mikro-orm/postgresql'
import { inRounds } from '../jobs/in-rounds.ts'
import { queueMail } from '../mail/queue-mail.ts'

/** Bells of one transaction. */
const AT_ONCE = 200

interface Rung {
  product_id: string
  lot: string
  user_id: string | null
  email: string | null
  email_key: string | null
}

/** What anybody waits for, found by leaps through an index: a round costs no more when a thousand wait for the same. */
const AWAITED = `awaited as (
  (select product_id, lot from bells order by product_id, lot limit 1)
  union all
  select next.* from awaited a cross join lateral (
    select product_id, lot from bells where (product_id, lot) > (a.product_id, a.lot) order by product_id, lot limit 1) next)`

/** Writes the letters of all bells whose product or lot is in stock again, once each, and answers how many. */
export async function ringBells(em: EntityManager): Promise<number> {
  await forgetGone(em)
  return inRounds(AT_ONCE, atOnce => ringSome(em, atOnce))
}

/** The rows stay locked until letter and deletion are committed together, and several shop processes skip each other's rows. */
const ringSome = (em: EntityManager, atOnce: number): Promise<number> =>
  em.transactional(async tx => {
    const bells = await tx.execute<Rung[]>(
      `with recursive ${AWAITED}, back as (
         select a.* from awaited a join products p on p.id = a.product_id
         left join product_lots l on l.product_id = a.product_id and l.code = a.lot
         where case when a.lot = '' then p.count_in_stock > 0 else l.quantity > 0 end and p.published_at is not null and p.archived_at is null),
       due as materialized (
         select b.id from bells b join back using (product_id, lot) order by b.id limit ? for update of b skip locked)
       delete from bells b using due where b.id = due.id
       returning b.product_id, b.lot, b.user_id, b.email, b.email_key`,
      [atOnce],
    )
    for (const { product_id: productId, lot, user_id: userId, email, email_key: emailKey } of bells)
      queueMail(tx, 'BACK_IN_STOCK', { productId, lot, userId, email, emailKey })
    await tx.flush()
    return bells.length
  })

/** Bells of archived products are dropped. */
async function forgetGone(em: EntityManager): Promise<void> {
  await em.execute(
    `with recursive ${AWAITED} delete from bells where product_id in (
       select p.id from awaited a join products p on p.id = a.product_id where p.archived_at is not null)`,
  )
  await em.execute('delete from bell_links b using products p where p.id = b.product_id and p.archived_at is not null')
}
