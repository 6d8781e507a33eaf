import { defineEntity, p, type OptionalProps } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import type { LotPortion } from '#schema/rules/lots'
import { clock } from '../kernel/clock.ts'
import type { OrderItem } from '../order/order.entity.ts'
import { Fulfilment, FulfilmentLine } from './fulfilment.entity.ts'

const FulfilmentReturnLineSchema = defineEntity({
  name: 'FulfilmentReturnLine',
  tableName: 'fulfilment_return_lines',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => v7()),
    return: () => p.manyToOne(FulfilmentReturn).ref(),
    line: () => p.manyToOne(FulfilmentLine),
    quantity: p.integer(),
    isRestocked: p.boolean(),
    lots: p
      .json<LotPortion[]>()
      .defaultRaw(`'[]'`)
      .onCreate(() => []),
  },
})

/** Units of a line of a parcel that came back. */
export class FulfilmentReturnLine extends FulfilmentReturnLineSchema.class {
  declare [OptionalProps]?: 'item'

  get item(): OrderItem {
    return this.line.item
  }
}
FulfilmentReturnLineSchema.setClass(FulfilmentReturnLine)

const FulfilmentReturnSchema = defineEntity({
  name: 'FulfilmentReturn',
  tableName: 'fulfilment_returns',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => v7()),
    fulfilmentId: () => p.manyToOne(Fulfilment).mapToPk().fieldName('fulfilment_id'),
    lines: () =>
      p
        .oneToMany(FulfilmentReturnLine)
        .mappedBy('return')
        .orderBy({ line: { item: { position: 'asc' } } }),
    /** As the shopper reads it. */
    reason: p.text().nullable(),
    /** cents that the shopper paid for it */
    value: p.integer(),
    idempotencyKey: p.text().nullable(),
    idempotencyHash: p.text().nullable(),
    createdAt: p.datetime().onCreate(() => clock.now()),
  },
})

/** What came back of a parcel at one time. */
export class FulfilmentReturn extends FulfilmentReturnSchema.class {}
FulfilmentReturnSchema.setClass(FulfilmentReturn)
