import { Migration } from '@mikro-orm/migrations'

/** What shoppers want to keep in sight. */
export class Migration040Stash extends Migration {
  override up() {
    this.addSql(`
      create table stash_items (
        id uuid primary key,
        user_id uuid not null references users (id),
        product_id uuid not null references products (id),
        added_at timestamptz not null,
        unique (user_id, product_id)
      )`)
    this.addSql('create index stash_items_of_user on stash_items (user_id, added_at desc, id desc)')
  }
}
