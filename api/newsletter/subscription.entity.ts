import { defineEntity, p } from '@mikro-orm/postgresql'
import { clock } from '../kernel/clock.ts'

const SubscriptionSchema = defineEntity({
  name: 'Subscription',
  tableName: 'newsletter_subscriptions',
  properties: {
    /** The normalised address. */
    emailKey: p.text().primary(),
    id: p.uuid().defaultRaw('gen_random_uuid()'),
    email: p.text(),
    createdAt: p.datetime().onCreate(() => clock.now()),
    /** Null for one from before addresses were confirmed. Nothing is sent there. */
    confirmedAt: p.datetime().nullable(),
    unsubscribedAt: p.datetime().nullable(),
    /** In plain text, because every letter needs it; all it can do is end the letters. */
    unsubscribeToken: p.text().nullable(),
    /** The one code this address was ever sent. */
    code: p.text().nullable(),
  },
})

/** An address that was confirmed. It stays after it has left the list, so that it gets no second code. */
export class Subscription extends SubscriptionSchema.class {
  get isOnList(): boolean {
    return this.confirmedAt != null && this.unsubscribedAt == null
  }
}
SubscriptionSchema.setClass(Subscription)
