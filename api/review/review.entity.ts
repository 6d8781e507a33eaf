import { defineEntity, p, type OptionalProps } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { User } from '../account/user.entity.ts'
import { Product } from '../catalog/product.entity.ts'
import { clock } from '../kernel/clock.ts'

const ReviewSchema = defineEntity({
  name: 'Review',
  tableName: 'reviews',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => v7()),
    productId: () => p.manyToOne(Product).mapToPk().fieldName('product_id'),
    userId: () => p.manyToOne(User).mapToPk().fieldName('user_id'),
    /** The reviewer's name when the review was written. */
    name: p.text(),
    rating: p.integer(),
    comment: p.text(),
    verifiedPurchase: p.boolean(),
    createdAt: p.datetime().onCreate(() => clock.now()),
    /** Hidden reviews neither show nor count. */
    hiddenAt: p.datetime().nullable(),
    hiddenReason: p.text().nullable(),
  },
})

export class Review extends ReviewSchema.class {
  declare [OptionalProps]?: 'isHidden'

  get isHidden(): boolean {
    return Boolean(this.hiddenAt)
  }
}
ReviewSchema.setClass(Review)
