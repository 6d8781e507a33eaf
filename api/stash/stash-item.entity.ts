import { defineEntity, p } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { User } from '../account/user.entity.ts'
import { Product } from '../catalog/product.entity.ts'
import { clock } from '../kernel/clock.ts'

const StashItemSchema = defineEntity({
  name: 'StashItem',
  tableName: 'stash_items',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => v7()),
    userId: () => p.manyToOne(User).mapToPk().fieldName('user_id'),
    productId: () => p.manyToOne(Product).mapToPk().fieldName('product_id'),
    addedAt: p.datetime().onCreate(() => clock.now()),
  },
})

export class StashItem extends StashItemSchema.class {}
StashItemSchema.setClass(StashItem)
