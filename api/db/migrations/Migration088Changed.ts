import { Migration } from '@mikro-orm/migrations'

/** What changed in a time. The order of the feeds knows transactions alone. */
export class Migration088Changed extends Migration {
  override up() {
    this.addSql('create index products_changed on products (updated_at) include (place)')
    for (const table of ['orders', 'users', 'reviews'])
      this.addSql(`create index ${table}_changed on ${table} (updated_at)`)
  }
}
