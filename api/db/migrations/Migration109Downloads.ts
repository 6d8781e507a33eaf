import { Migration } from '@mikro-orm/migrations'

/** PDFs that come with a product: with its row, as its pictures are. */
export class Migration109Downloads extends Migration {
  override up() {
    this.addSql(`
      alter table products add column downloads jsonb not null default '[]'
        constraint products_have_a_list_of_downloads check (jsonb_typeof(downloads) = 'array')`)
    // What clears unused files away asks for these.
    this.addSql(`create index products_with_downloads on products (id) where downloads <> '[]'`)
  }
}
