import type { EntityManager } from '@mikro-orm/postgresql'
import { clock } from '../kernel/clock.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { EventType } from '../generated/types.ts'
import { WEBHOOK_QUEUE, type Turn } from './deliver-events.ts'
import { WebhookDelivery } from './webhook-delivery.entity.ts'

/** `order.paid` for ORDER_PAID: the spelling Standard Webhooks asks for. */
export const wireType = (type: EventType) => type.toLowerCase().replace('_', '.')

export interface WebhookEvent {
  id: string
  /** As requests spell it. */
  type: string
  /** Counts the events of its subject. Null for one that nothing happened for. */
  sequence: number | null
  createdAt: Date
  data: object
}

/** The body of every request about an event, and its payload in the event log. */
export const eventBody = ({ id, type, sequence, createdAt, data }: WebhookEvent) =>
  JSON.stringify({ id, type, sequence, createdAt, data })

type Sent = WebhookEvent & Partial<Record<'subjectId', string> & Record<'place', number>>

/** Sends events to a webhook: their deliveries, and a job that makes the first attempts, inside the caller's transaction. */
export async function startDeliveries(
  em: EntityManager,
  jobs: Jobs,
  webhookId: string,
  events: readonly Sent[],
): Promise<WebhookDelivery[]> {
  const made = events.map(event =>
    em.create(WebhookDelivery, {
      webhookId,
      eventId: event.id,
      type: event.type,
      body: eventBody(event),
      subjectId: event.subjectId ?? null,
      place: event.place ?? null,
      nextAttemptAt: clock.now(),
    }),
  )
  await em.flush()
  if (made.length > 0) await jobs.add(em, WEBHOOK_QUEUE, { webhookId } satisfies Turn)
  return made
}
