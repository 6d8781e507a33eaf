import { defineEntity, p } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import type { LotPortion } from '#schema/rules/lots'
import { User } from '../account/user.entity.ts'
import { clock } from '../kernel/clock.ts'
import type { ShippingAddress } from '../order/order.entity.ts'

/** Name and price are those of when the line was last changed. */
export interface CartLine {
  productId: string
  name: string
  price: number
  quantity: number
  lots: LotPortion[]
}

const CartSchema = defineEntity({
  name: 'Cart',
  tableName: 'carts',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => v7()),
    userId: () => p.manyToOne(User).mapToPk().fieldName('user_id').nullable(),
    /** SHA-256, hex, of the token that opens a cart of no account. */
    tokenHash: p.text().nullable(),
    lines: p.json<CartLine[]>(),
    code: p.text().nullable(),
    shippingAddress: p.json<ShippingAddress>().nullable(),
    /** Idempotency keys of the last changes, newest first. */
    changeKeys: p.json<string[]>(),
    changedAt: p.datetime().onCreate(() => clock.now()),
  },
})

/** An account's, or that of the bearer of its token. */
export class Cart extends CartSchema.class {}
CartSchema.setClass(Cart)
