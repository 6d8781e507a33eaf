import { defineEntity, p } from '@mikro-orm/postgresql'
import { Product } from '../catalog/product.entity.ts'

const BellLinkSchema = defineEntity({
  name: 'BellLink',
  tableName: 'bell_links',
  properties: {
    /** SHA-256 of the token, hex. The token itself is in the mail alone. */
    tokenHash: p.text().primary(),
    productId: () => p.manyToOne(Product).mapToPk().fieldName('product_id'),
    lot: p.text().default(''),
    emailKey: p.text(),
    email: p.text(),
    createdAt: p.datetime(),
  },
})

/** Confirms that the owner of an address wants the mail. Deleted once a link for the same product was used. */
export class BellLink extends BellLinkSchema.class {}
BellLinkSchema.setClass(BellLink)
