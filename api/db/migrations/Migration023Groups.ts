import { Migration } from '@mikro-orm/migrations'

/** Lines of products that differ in one thing alone. */
export class Migration023Groups extends Migration {
  override up() {
    this.addSql(`
      create table product_groups (
        id uuid primary key,
        name text not null,
        maker text not null default '',
        varies_by text not null check (varies_by in ('COLOUR', 'SIZE')),
        created_at timestamptz not null default now()
      )`)
    this.addSql('create unique index product_groups_name on product_groups (lower(name))')
    this.addSql(`
      alter table products
        add column group_id uuid references product_groups (id),
        add column group_position integer,
        add constraint products_have_a_place_in_their_group check ((group_id is null) = (group_position is null))`)
    this.addSql(`create index products_of_group on products (group_id, group_position, id) where group_id is not null`)
  }
}
