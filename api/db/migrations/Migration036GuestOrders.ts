import { Migration } from '@mikro-orm/migrations'

/** Orders without an account: a guest's, known by their email and opened by links. */
export class Migration036GuestOrders extends Migration {
  override up() {
    this.addSql(`
      alter table orders
        alter column user_id drop not null,
        -- The guest's email, normalised as users.email_key is.
        add column guest_key text,
        add constraint orders_of_account_or_guest check ((user_id is null) <> (guest_key is null))`)
    this.addSql('create index orders_of_guest on orders (guest_key) where guest_key is not null')
    this.addSql('create unique index orders_placed_once_by_guest on orders (idempotency_key) where user_id is null')
    this.addSql(`
      create table order_links (
        -- SHA-256, hex; the token itself is in the guest's browser or mail alone.
        token_hash text primary key,
        order_id uuid not null references orders (id) on delete cascade,
        created_at timestamptz not null
      )`)
    this.addSql('create index order_links_of_order on order_links (order_id)')
    this.addSql(`
      alter table code_uses
        alter column user_id drop not null,
        add column guest_key text,
        add constraint code_uses_of_account_or_guest check ((user_id is null) <> (guest_key is null))`)
    this.addSql(
      'create index code_uses_of_guest on code_uses (discount_code_id, guest_key) where guest_key is not null',
    )
  }
}
