import { Migration } from '@mikro-orm/migrations'

/** Sales: `price` stays what is charged now, and `regular_price` is kept while a sale lowers it. */
export class Migration043Sales extends Migration {
  override up() {
    this.addSql(`
      alter table products
        add column regular_price integer,
        add column sale_price integer check (sale_price >= 1),
        add column sale_from timestamptz,
        add column sale_until timestamptz,
        add constraint products_sale_lowers_the_price check (sale_price < coalesce(regular_price, price)),
        add constraint products_sale_ends_after_it_begins check (sale_from < sale_until),
        add constraint products_sale_dates_have_a_price check (sale_price is not null or (sale_from is null and sale_until is null)),
        add constraint products_on_sale_cost_its_price check (regular_price is null or (sale_price is not null and price = sale_price))`)
    this.addSql('create index products_with_a_sale on products (id) where sale_price is not null')
  }
}
