import { defineEntity, p, type OptionalProps } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { User } from '../account/user.entity.ts'
import { Product } from '../catalog/product.entity.ts'
import { clock } from '../kernel/clock.ts'

/** A picture that its writer took. */
export interface ReviewPicture {
  image: string
  alt: string
  width: number
  height: number
}

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
    needleMm: p.float().columnType('double precision').nullable(),
    /** Stitches in 10 cm. */
    gauge: p.float().columnType('double precision').nullable(),
    project: p.text().nullable(),
    /** Not shown to shoppers while the review is hidden: shownPictures of review.policy.ts. */
    storedPictures: p
      .json<ReviewPicture[]>()
      .name('pictures')
      .defaultRaw(`'[]'`)
      .onCreate(() => []),
    /** Changed only by vote.ts, never by a flush: an entity in memory may be stale. */
    helpful: p.integer().default(0),
    answerText: p.text().name('answer').nullable(),
    answeredAt: p.datetime().nullable(),
    /** Hidden reviews neither show nor count. */
    hiddenAt: p.datetime().nullable(),
    hiddenReason: p.text().nullable(),
  },
})

export class Review extends ReviewSchema.class {
  declare [OptionalProps]?: 'isHidden' | 'answer'

  get answer(): { text: string; answeredAt: Date } | null {
    const { answerText: text, answeredAt } = this
    return text && answeredAt ? { text, answeredAt } : null
  }

  get isHidden(): boolean {
    return Boolean(this.hiddenAt)
  }
}
ReviewSchema.setClass(Review)
