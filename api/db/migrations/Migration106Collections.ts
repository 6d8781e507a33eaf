import { Migration } from '@mikro-orm/migrations'

/** Products put together by hand, with a page of their own. */
export class Migration106Collections extends Migration {
  override up() {
    this.addSql(`
      create table collections (
        id uuid primary key,
        slug text not null unique,
        name text not null,
        description text not null,
        is_published boolean not null,
        position integer not null,
        version integer not null default 1,
        created_at timestamptz not null
      );
      create table collection_products (
        collection_id uuid not null references collections (id) on delete cascade,
        product_id uuid not null references products (id),
        place integer not null,
        primary key (collection_id, product_id)
      );
      create index collection_products_product on collection_products (product_id)`)
  }
}
