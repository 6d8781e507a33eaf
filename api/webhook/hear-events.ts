import type { EntityManager } from '@mikro-orm/postgresql'
import type { Jobs } from '../jobs/jobs.ts'
import type { EventType } from '../generated/types.ts'
import { startDeliveries, wireType } from './start-deliveries.ts'
import { Webhook } from './webhook.entity.ts'

/** How far a webhook goes on at a time: one that was paused may be weeks behind. */
const BATCH = 200

interface PlacedEvent {
  id: string
  type: EventType
  subjectId: string
  sequence: number
  place: number
  data: object
  createdAt: string
  isWanted: boolean
}

/** Whether a webhook `w` is sent an event `e`. */
const WANTED = `e.type = any(w.events)
  and (w.skus = '{}' or e.type = 'CUSTOMER_CHANGED' or exists (
    select from jsonb_path_query(e.data, '$.**.sku') s(sku) where s.sku #>> '{}' = any(w.skus)))
  and (w.tags = '{}' or exists (
    select from annotations a where (a.order_id = e.subject_id or a.product_id = e.subject_id or a.user_id = e.subject_id)
    and a.tag_keys && array(select lower(tag) from unnest(w.tags) tag)))`

/**
 * Lets every webhook that is not paused hear of what it has not heard yet, inside the caller's transaction: each goes on
 * from where it stopped. Returns whether some have still more to hear.
 */
export async function hearEvents(em: EntityManager, jobs: Jobs): Promise<boolean> {
  const behind = await em.execute<{ id: string; heard: string }[]>(
    `select id, heard_until as heard from webhooks
     where enabled and heard_until < (select max(place) from events) order by id for no key update`,
  )
  let hasMore = false
  for (const { id: webhookId, heard } of behind) {
    const events = await em.execute<PlacedEvent[]>(
      `select e.id, type, subject_id as "subjectId", sequence, place::float8 as place, data, e.created_at as "createdAt",
         ${WANTED} as "isWanted"
       from (select * from events where place > ? order by place limit ${BATCH}) e, webhooks w where w.id = ? order by place`,
      [heard, webhookId],
    )
    const last = events.at(-1)
    if (!last) continue
    hasMore ||= events.length === BATCH
    await startDeliveries(
      em,
      jobs,
      webhookId,
      events
        .filter(({ isWanted }) => isWanted)
        .map(({ type, createdAt, isWanted: _, ...event }) => ({
          ...event,
          type: wireType(type),
          createdAt: new Date(createdAt),
        })),
    )
    await em.nativeUpdate(Webhook, { id: webhookId }, { heardUntil: last.place })
  }
  return hasMore
}
