import { defineEntity, p } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import type { ProductGroupVariesBy } from '../generated/types.ts'
import { clock } from '../kernel/clock.ts'

const ProductGroupSchema = defineEntity({
  name: 'ProductGroup',
  tableName: 'product_groups',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => v7()),
    /** Unique, whatever its capitals. */
    name: p.text(),
    maker: p.text().default(''),
    variesBy: p.text().$type<ProductGroupVariesBy>(),
    createdAt: p.datetime().onCreate(() => clock.now()),
  },
})

/** A line of products that differ in one thing alone. One that lost its last product stays, and is shown nowhere. */
export class ProductGroup extends ProductGroupSchema.class {}
ProductGroupSchema.setClass(ProductGroup)
