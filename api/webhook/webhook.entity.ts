import { defineEntity, p } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { User } from '../account/user.entity.ts'
import { clock } from '../kernel/clock.ts'
import type { EventType } from '../generated/types.ts'

const WebhookSchema = defineEntity({
  name: 'Webhook',
  tableName: 'webhooks',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => v7()),
    url: p.text(),
    description: p.text(),
    events: p.array<EventType>(),
    /** Its events are narrowed to these; all when empty. */
    skus: p
      .array<string>()
      .onCreate(() => [])
      .defaultRaw(`'{}'`),
    tags: p
      .array<string>()
      .onCreate(() => [])
      .defaultRaw(`'{}'`),
    /**
     * What requests are signed with, so it has to lie here as it is: a key beside it in the same database would hide it
     * from nobody. It is answered once, when it is made.
     */
    secret: p.text().hidden(),
    previousSecret: p.text().hidden().nullable(),
    previousSecretUntil: p.datetime().nullable(),
    enabled: p.boolean().default(true),
    attention: p.text().nullable(),
    createdAt: p.datetime().onCreate(() => clock.now()),
    createdBy: () => p.manyToOne(User).ref(),
    lastSuccessAt: p.datetime().nullable(),
    lastFailureAt: p.datetime().nullable(),
    lastFailure: p.text().nullable(),
    /** The first failure since the last success. */
    failingSince: p.datetime().nullable(),
    /** The position of the last event it was given; it continues from there. */
    heardUntil: p.bigint('number').default(0),
    /** Until when one process has it to itself for sending. */
    leasedUntil: p.datetime().nullable(),
  },
})

export class Webhook extends WebhookSchema.class {
  /** What requests are signed with at a moment, newest first. */
  secretsAt(now: Date): string[] {
    const isStillGood = this.previousSecretUntil && this.previousSecretUntil > now
    return this.previousSecret && isStillGood ? [this.secret, this.previousSecret] : [this.secret]
  }
}
WebhookSchema.setClass(Webhook)
