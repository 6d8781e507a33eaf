import { defineEntity, p } from '@mikro-orm/postgresql'
import { clock } from '../kernel/clock.ts'

const SubscriptionSchema = defineEntity({
  name: 'Subscription',
  tableName: 'newsletter_subscriptions',
  properties: {
    /** The normalised address. */
    emailKey: p.text().primary(),
    email: p.text(),
    createdAt: p.datetime().onCreate(() => clock.now()),
  },
})

export class Subscription extends SubscriptionSchema.class {}
SubscriptionSchema.setClass(Subscription)
