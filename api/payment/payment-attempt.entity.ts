import { defineEntity, p } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { clock } from '../kernel/clock.ts'
import { Order } from '../order/order.entity.ts'

/**
 * STARTED: PayPal is being asked, or the shop died while it was. UNKNOWN: no usable answer came. PENDING: PayPal holds
 * the money. These three are open: somebody still has to find out. CAPTURED, DECLINED and FAILED are final.
 */
export type AttemptState = 'STARTED' | 'CAPTURED' | 'PENDING' | 'DECLINED' | 'FAILED' | 'UNKNOWN'

const PaymentAttemptSchema = defineEntity({
  name: 'PaymentAttempt',
  tableName: 'payment_attempts',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => v7()),
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id'),
    paypalOrderId: p.text(),
    /** From 1, for each PayPal order. */
    number: p.integer(),
    /** PayPal-Request-Id: asking again with it moves no money twice. */
    requestId: p.text().unique(),
    state: p.text().$type<AttemptState>(),
    createdAt: p.datetime().onCreate(() => clock.now()),
    updatedAt: p.datetime().onCreate(() => clock.now()),
    checkedAt: p.datetime().nullable(),
  },
})

/** One try to capture a PayPal order, written down before PayPal is asked. */
export class PaymentAttempt extends PaymentAttemptSchema.class {}
PaymentAttemptSchema.setClass(PaymentAttempt)
