import { defineEntity, p } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { clock } from '../kernel/clock.ts'

const CollectionSchema = defineEntity({
  name: 'Collection',
  tableName: 'collections',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => v7()),
    slug: p.text(),
    name: p.text(),
    description: p.text(),
    isPublished: p.boolean(),
    /** Among all collections; two may have the same. */
    position: p.integer(),
    version: p.integer().default(1),
    createdAt: p.datetime().onCreate(() => clock.now()),
  },
})

/** Products put together by hand. Which they are is read and written by SQL only. */
export class Collection extends CollectionSchema.class {}
CollectionSchema.setClass(Collection)
