import { Migration } from '@mikro-orm/migrations'

/** The addresses shoppers keep. Those of their last orders, which checkout offered so far, are there to begin with. */
export class Migration046AddressBook extends Migration {
  override up() {
    this.addSql(`
      create table addresses (
        id uuid primary key,
        user_id uuid not null references users (id),
        label text not null check (char_length(label) <= 40),
        shipping_address jsonb not null,
        is_default boolean not null,
        created_at timestamptz not null
      )`)
    this.addSql(`
      insert into addresses (id, user_id, label, shipping_address, is_default, created_at)
      select gen_random_uuid(), user_id, '', shipping_address, false, created_at
      from (
        select user_id, shipping_address, created_at,
          row_number() over (partition by user_id order by created_at desc) as place
        from (
          select distinct on (o.user_id, lower(o.shipping_address::text)) o.user_id, o.shipping_address, o.created_at
          from orders o join users u on u.id = o.user_id and u.closed_at is null
          order by o.user_id, lower(o.shipping_address::text), o.created_at desc
        ) each_once
      ) of_account
      where place <= 5`)
    this.addSql('create index addresses_of_user on addresses (user_id, is_default desc, created_at desc, id desc)')
    this.addSql('create unique index addresses_default on addresses (user_id) where is_default')
  }
}
