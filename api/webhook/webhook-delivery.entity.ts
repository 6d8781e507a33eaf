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
    /** Those about one thing arrive in the order of their places. Null for what is sent by hand, in no order. */
    subjectId: p.uuid().nullable(),
    place: p.bigint('number').nullable(),
    /** Attempts since it was created, or was last sent by hand. */
    attempt: p.integer().default(0),
    /** Counts how often it was sent by hand: what an attempt from before finds does not change what is to come. */
    turn: p.integer().default(1),
    createdAt: p.datetime().onCreate(() => clock.now()),
  },
})

/** One event on its way to one webhook. */
export class WebhookDelivery extends WebhookDeliverySchema.class {}
WebhookDeliverySchema.setClass(WebhookDelivery)
