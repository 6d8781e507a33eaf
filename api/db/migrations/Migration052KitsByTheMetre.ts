import { Migration } from '@mikro-orm/migrations'

/** What 100 m cost is said of things that are bought for their yarn: in the price of a kit is more. */
export class Migration052KitsByTheMetre extends Migration {
  override up() {
    // With its indexes: not every PostgreSQL can say a generated column anew.
    this.addSql('alter table products drop column price_per_100_m')
    this.addSql(`
      alter table products add column price_per_100_m double precision
      generated always as (case when kind = 'KIT' then null else price * 100 / nullif(metres, 0) end) stored`)
    const onSale = 'where published_at is not null and archived_at is null'
    this.addSql(`create index products_per_100_m on products (price_per_100_m) ${onSale}`)
    this.addSql(
      `create index products_cheapest_per_100_m on products (coalesce(price_per_100_m, 'infinity'), id) ${onSale}`,
    )
    this.addSql(`create index products_dearest_per_100_m on products (coalesce(price_per_100_m, -1), id) ${onSale}`)
  }
}
