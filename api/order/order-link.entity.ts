import { defineEntity, p } from '@mikro-orm/postgresql'

const OrderLinkSchema = defineEntity({
  name: 'OrderLink',
  tableName: 'order_links',
  properties: {
    /** SHA-256 of the token, hex. */
    tokenHash: p.text().primary(),
    orderId: p.uuid(),
    createdAt: p.datetime(),
  },
})

/** Opens a guest's order. An order has several: one for the browser it was placed in, and one for every letter. */
export class OrderLink extends OrderLinkSchema.class {}
OrderLinkSchema.setClass(OrderLink)
