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
    /** In plain text, because every letter needs it; all it can do is end the letters. */
    stopToken: p.text(),
    /** When it was asked for, and the address known to be the asker's own. */
    askedAt: p.datetime().onCreate(() => clock.now()),
  },
})

/**
 * A request to be mailed, once, when a product or one dye lot of it is back in stock. It is deleted in the transaction
 * that queues the letter.
 */
export class Bell extends BellSchema.class {}
BellSchema.setClass(Bell)
