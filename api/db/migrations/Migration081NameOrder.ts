import { Migration } from '@mikro-orm/migrations'

/** The order of names tells places by itself: looking for what a list holds reads no product. */
export class Migration081NameOrder extends Migration {
  override up() {
    this.addSql('drop index products_by_name')
    this.addSql(`
      create index products_by_name on products (lower(name), id) include (name, place) where archived_at is null`)
  }
}
