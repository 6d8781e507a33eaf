import { Migration } from '@mikro-orm/migrations'

/** What is seen in the pictures of products, and the best yarns of each family of colours. */
export class Migration019Colours extends Migration {
  override up() {
    this.addSql(`
      alter table products
        -- As in schema/rules/facts/product-facts.ts. Null until see-colours.ts looked at the picture.
        add column picture_colours jsonb,
        add column colour_family text generated always as (colours[1]) stored`)
    this.addSql(`
      create index products_by_colour on products (colour_family, score desc, id desc)
      where kind = 'YARN' and published_at is not null and archived_at is null and picture_colours is not null`)
  }
}
