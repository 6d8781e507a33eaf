import { defineEntity, p, type OptionalProps } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { trackingLink } from '#schema/rules/carriers'
import type { LotPortion } from '#schema/rules/lots'
import type { FulfilmentStatus } from '../generated/types.ts'
import { clock } from '../kernel/clock.ts'
import { Order, OrderItem } from '../order/order.entity.ts'

const FulfilmentLineSchema = defineEntity({
  name: 'FulfilmentLine',
  tableName: 'fulfilment_lines',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => v7()),
    fulfilment: () => p.manyToOne(Fulfilment).ref(),
    item: () => p.manyToOne(OrderItem),
    quantity: p.integer(),
    /** The dye lots they are from; empty without lots, and when nobody wrote down which. */
    lots: p
      .json<LotPortion[]>()
      .defaultRaw(`'[]'`)
      .onCreate(() => []),
    /** Units that came back. Changes only while the order is locked. */
    returnedQuantity: p.integer().default(0),
  },
})

/** Units of a line of an order in a parcel. */
export class FulfilmentLine extends FulfilmentLineSchema.class {}
FulfilmentLineSchema.setClass(FulfilmentLine)

const FulfilmentSchema = defineEntity({
  name: 'Fulfilment',
  tableName: 'fulfilments',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => v7()),
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id'),
    lines: () =>
      p
        .oneToMany(FulfilmentLine)
        .mappedBy('fulfilment')
        .orderBy({ item: { position: 'asc' } }),
    carrier: p.text().nullable(),
    trackingNumber: p.text().nullable(),
    /** The link that was given; without one the shop makes it of the number. */
    givenUrl: p.text().nullable().fieldName('tracking_url'),
    idempotencyKey: p.text().nullable(),
    idempotencyHash: p.text().nullable(),
    createdAt: p.datetime().onCreate(() => clock.now()),
    sentAt: p.datetime().nullable(),
    deliveredAt: p.datetime().nullable(),
    /** It had not left. */
    cancelledAt: p.datetime().nullable(),
  },
})

/** A parcel of an order. */
export class Fulfilment extends FulfilmentSchema.class {
  declare [OptionalProps]?: 'status' | 'trackingUrl'

  get status(): FulfilmentStatus {
    if (this.cancelledAt) return 'CANCELLED'
    if (this.deliveredAt) return 'DELIVERED'
    return this.sentAt ? 'SENT' : 'PACKED'
  }

  get trackingUrl(): string | null {
    return this.givenUrl ?? trackingLink(this.carrier, this.trackingNumber)
  }
}
FulfilmentSchema.setClass(Fulfilment)
