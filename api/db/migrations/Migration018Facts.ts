import { Migration } from '@mikro-orm/migrations'

/** What the texts of a product say, as far as lists do not filter by it, and what an administrator set by hand. */
export class Migration018Facts extends Migration {
  override up() {
    this.addSql(`
      alter table products
        -- As in schema/rules/facts/product-facts.ts, corrections included. Null until index-products.ts wrote it.
        add column facts jsonb,
        add column fact_corrections jsonb not null default '{}'`)
  }
}
