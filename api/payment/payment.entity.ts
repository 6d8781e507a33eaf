import { defineEntity, p } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { clock } from '../kernel/clock.ts'
import { Order } from '../order/order.entity.ts'

const PaymentSchema = defineEntity({
  name: 'Payment',
  tableName: 'payments',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => v7()),
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id'),
    paypalOrderId: p.text(),
    /** PayPal's capture; one capture pays one order, once. */
    captureId: p.text().unique(),
    /** cents */
    amount: p.integer(),
    createdAt: p.datetime().onCreate(() => clock.now()),
  },
})

/** Money that arrived: a capture PayPal reported as completed. */
export class Payment extends PaymentSchema.class {}
PaymentSchema.setClass(Payment)
