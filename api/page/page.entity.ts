import { defineEntity, p } from '@mikro-orm/postgresql'
import type { ShopPageSlug } from '#schema/rules/shop-pages'

const PageSchema = defineEntity({
  name: 'ShopPage',
  tableName: 'pages',
  properties: {
    id: p.uuid().primary(),
    slug: p.text().$type<ShopPageSlug>(),
    /** This, text and date are null while it is the text the shop comes with. */
    title: p.text().nullable(),
    markdown: p.text().nullable(),
    version: p.integer().default(1),
    updatedAt: p.datetime().nullable(),
  },
})

/** A page about the shop. Migrations make them; none is made or taken away otherwise. */
export class ShopPage extends PageSchema.class {}
PageSchema.setClass(ShopPage)
