import { defineEntity, p, type OptionalProps } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { clock } from '../kernel/clock.ts'
import type { RefundStatus } from '../generated/types.ts'
import { Order } from '../order/order.entity.ts'

/** STARTED: PayPal is being asked, or the shop died while it was. UNKNOWN: no usable answer came. PENDING: PayPal will send the money. */
export type RefundState = 'STARTED' | 'UNKNOWN' | 'PENDING' | 'COMPLETED' | 'FAILED'

const RefundSchema = defineEntity({
  name: 'Refund',
  tableName: 'refunds',
  properties: {
    /** Goes to PayPal with the refund, which is how it is known again. */
    id: p
      .uuid()
      .primary()
      .onCreate(() => v7()),
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id'),
    captureId: p.text(),
    /** PayPal's own id. Null until it answered. */
    paypalRefundId: p.text().nullable(),
    /** Null when it was made at PayPal. */
    idempotencyKey: p.text().nullable(),
    /** cents */
    amount: p.integer(),
    reason: p.text().nullable(),
    state: p.text().$type<RefundState>(),
    /** Null when it was made at PayPal. */
    actorId: p.uuid().nullable(),
    actorName: p.text().nullable(),
    createdAt: p.datetime().onCreate(() => clock.now()),
    updatedAt: p.datetime().onCreate(() => clock.now()),
    checkedAt: p.datetime().nullable(),
  },
})

/** Money that goes back to the shopper, written down before PayPal is asked. What failed counts for nothing. */
export class Refund extends RefundSchema.class {
  declare [OptionalProps]?: 'status' | 'refundedBy'

  get status(): RefundStatus {
    return this.state === 'COMPLETED' || this.state === 'FAILED' ? this.state : 'PENDING'
  }

  get refundedBy(): string | null {
    return this.actorName ?? null
  }
}
RefundSchema.setClass(Refund)
