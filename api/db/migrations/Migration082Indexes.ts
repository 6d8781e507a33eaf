import { Migration } from '@mikro-orm/migrations'

/**
 * Lists of the admin, read by indexes alone: what lapsed without being called off, and a category by name. Of what is searched by
 * expressions, PostgreSQL learns how much a word finds: without that it takes every word for a rare one.
 */
export class Migration082Indexes extends Migration {
  override up() {
    this.addSql('drop index orders_lapsed')
    this.addSql(`
      create index orders_lapsed on orders (created_at desc, id desc)
      where paid_at is null and lapsed_at is not null and cancelled_at is null`)
    this.addSql('drop index products_by_name')
    this.addSql(`
      create index products_by_name on products (lower(name), id) include (name, place, category) where archived_at is null`)
    this.addSql(`create statistics users_words on (lower(name || ' ' || email)) from users`)
    this.addSql('create statistics products_sku_words on (lower(sku)) from products')
    this.addSql('analyze users, products')
  }
}
