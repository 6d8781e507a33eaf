import type { EntityManager } from '@mikro-orm/postgresql'
import type { PastEvent, Taker } from '../event/relay-events.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { WEBHOOK_QUEUE } from './deliver-event.ts'
import { startDeliveries, wireType } from './start-deliveries.ts'
import { Webhook } from './webhook.entity.ts'

/** Sends events to the webhooks that want to hear of them at this moment. */
export const webhookTaker: Taker = {
  queue: WEBHOOK_QUEUE,
  async take(em: EntityManager, jobs: Jobs, events: readonly PastEvent[]) {
    const webhooks = await em.find(Webhook, { enabled: true })
    await startDeliveries(
      em,
      jobs,
      events.flatMap(({ id, type, createdAt, data }) =>
        webhooks
          .filter(webhook => webhook.events.includes(type))
          .map(webhook => ({ webhookId: webhook.id, event: { id, type: wireType(type), createdAt, data } })),
      ),
    )
  },
}
