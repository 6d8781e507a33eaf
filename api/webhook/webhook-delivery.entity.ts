import { defineEntity, p } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { clock } from '../kernel/clock.ts'
import type { WebhookAttempt, WebhookDeliveryState } from '../generated/types.ts'

/** An attempt as the database keeps it. */
export type StoredAttempt = Omit<WebhookAttempt, 'at' | '__typename'> & { at: string }

const WebhookDeliverySchema = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => v7()),
    webhookId: p.uuid(),
    eventId: p.uuid(),
    type: p.text(),
    body: p.text(),
    state: p.text().$type<WebhookDeliveryState>().default('PENDING'),
    attempts: p.json<StoredAttempt[]>().default([]),
    nextAttemptAt: p.datetime().nullable(),
    /** Counts attempts and replays. Only the job with this number makes the next attempt; older ones have nothing left to do. */
    turn: p.integer().default(1),
    createdAt: p.datetime().onCreate(() => clock.now()),
  },
})

/** One event on its way to one webhook. */
export class WebhookDelivery extends WebhookDeliverySchema.class {}
WebhookDeliverySchema.setClass(WebhookDelivery)
