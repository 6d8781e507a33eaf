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
}

/**
 * Lets every webhook that is not paused hear of what it has not heard yet, inside the caller's transaction: each goes on
 * from where it stopped. Answers whether some have still more to hear.
 */
export async function hearEvents(em: EntityManager, jobs: Jobs): Promise<boolean> {
  const behind = await em.execute<{ id: string; heard: string; events: EventType[] }[]>(
    `select id, heard_until as heard, events from webhooks
     where enabled and heard_until < (select max(place) from events) order by id for no key update`,
  )
  let hasMore = false
  for (const { id: webhookId, heard, events: wanted } of behind) {
    const events = await em.execute<PlacedEvent[]>(
      `select id, type, subject_id as "subjectId", sequence, place::float8 as place, data, created_at as "createdAt"
       from events where place > ? order by place limit ${BATCH}`,
      [heard],
    )
    const last = events.at(-1)
    if (!last) continue
    hasMore ||= events.length === BATCH
    await startDeliveries(
      em,
      jobs,
      webhookId,
      events
        .filter(({ type }) => wanted.includes(type))
        .map(({ type, createdAt, ...event }) => ({ ...event, type: wireType(type), createdAt: new Date(createdAt) })),
    )
    await em.nativeUpdate(Webhook, { id: webhookId }, { heardUntil: last.place })
  }
  return hasMore
}
