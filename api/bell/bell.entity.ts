import { defineEntity, p } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { User } from '../account/user.entity.ts'
import { Product } from '../catalog/product.entity.ts'
import { clock } from '../kernel/clock.ts'

const BellSchema = defineEntity({
  name: 'Bell',
  tableName: 'bells',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => v7()),
    productId: () => p.manyToOne(Product).mapToPk().fieldName('product_id'),
    /** The dye lot waited for; empty for whatever there is of the product. */
    lot: p.text().default(''),
    /** Either an account, whose address it goes to, or an address. */
    userId: () => p.manyToOne(User).mapToPk().fieldName('user_id').nullable(),
    email: p.text().nullable(),
    emailKey: p.text().nullable(),
    /** As it stands in the letters: all it can do is to end them, and each letter needs it. */
    stopToken: p.text(),
    /** When it was asked for, and the address known to be that of whoever asked. */
    askedAt: p.datetime().onCreate(() => clock.now()),
  },
})

/** Somebody wants to be told, once, when a product, or one dye lot of it, is back. It is deleted in the transaction that writes the letter down. */
export class Bell extends BellSchema.class {}
BellSchema.setClass(Bell)
