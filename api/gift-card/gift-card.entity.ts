import { defineEntity, p, type OptionalProps } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { clock } from '../kernel/clock.ts'

const GiftCardSchema = defineEntity({
  name: 'GiftCard',
  tableName: 'gift_cards',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => v7()),
    /** As `normalGiftCardCode` makes it. Told to who got it, and to nobody else. */
    code: p.text(),
    initialAmount: p.integer(),
    /** cents. Changed by use-gift-cards.ts alone, in SQL. */
    balance: p.integer(),
    email: p.text().nullable(),
    /** Of the address, as `emailKey` writes it. */
    emailKey: p.text().nullable(),
    message: p.text().nullable(),
    /** How often its buyer sent it to somebody. */
    sends: p.integer().default(0),
    note: p.text().nullable(),
    /** What it was bought with. Null for one that the shop issued. */
    orderId: p.uuid().nullable(),
    idempotencyKey: p.text().nullable(),
    disabledAt: p.datetime().nullable(),
    createdAt: p.datetime().onCreate(() => clock.now()),
  },
})

export class GiftCard extends GiftCardSchema.class {
  declare [OptionalProps]?: 'lastFour'

  get lastFour(): string {
    return this.code.slice(-4)
  }
}
GiftCardSchema.setClass(GiftCard)
