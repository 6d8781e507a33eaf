import type { EntityManager } from '@mikro-orm/postgresql'
import { clock } from '../kernel/clock.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { EventType } from '../generated/types.ts'
import { WEBHOOK_QUEUE, type Turn } from './deliver-event.ts'
import { WebhookDelivery } from './webhook-delivery.entity.ts'

/** `order.paid` for ORDER_PAID: the spelling Standard Webhooks asks for. */
export const wireType = (type: EventType) => type.toLowerCase().replace('_', '.')

export interface WebhookEvent {
  id: string
  /** As requests spell it. */
  type: string
  createdAt: Date
  data: object
}

/** The body of every request about an event, and its payload in the event log. */
export const eventBody = ({ id, type, createdAt, data }: WebhookEvent) => JSON.stringify({ id, type, createdAt, data })

/** Sends an event to webhooks: their deliveries with the jobs of the first attempt, inside the caller's transaction. */
export async function startDeliveries(
  em: EntityManager,
  jobs: Jobs,
  deliveries: readonly { webhookId: string; event: WebhookEvent }[],
): Promise<WebhookDelivery[]> {
  const made = deliveries.map(({ webhookId, event }) =>
    em.create(WebhookDelivery, {
      webhookId,
      eventId: event.id,
      type: event.type,
      body: eventBody(event),
      nextAttemptAt: clock.now(),
    }),
  )
  await em.flush()
  for (const { id, webhookId, turn } of made)
    await jobs.add(em, WEBHOOK_QUEUE, { deliveryId: id, turn, attempt: 1 } satisfies Turn, { group: webhookId })
  return made
}
