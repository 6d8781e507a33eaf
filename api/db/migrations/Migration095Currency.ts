import { Migration } from '@mikro-orm/migrations'

/** What the shop's amounts are in: one row, written at its first start. Shops that are there already trade in US dollars. */
export class Migration095Currency extends Migration {
  override up() {
    this.addSql(`
      create table shop_currency (
        is_only boolean primary key default true check (is_only),
        code text not null
      )`)
    this.addSql(
      `insert into shop_currency (code) select 'USD' where exists (select from products) or exists (select from orders)`,
    )
  }
}
