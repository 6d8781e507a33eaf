import { Migration } from '@mikro-orm/migrations'

/** What stays of an account that its owner deleted, and links to a copy of what the shop knows of somebody. */
export class Migration061DeletedAccounts extends Migration {
  override up() {
    // An account without a password is signed in to in another way, or not at all.
    this.addSql('alter table users alter column password_hash drop not null')
    this.addSql(`
      create table invoice_recipients (
        order_id uuid primary key references orders (id),
        -- Name and postal address, as orders.shipping_address has them.
        recipient jsonb not null,
        keep_until timestamptz not null
      )`)
    this.addSql('create index invoice_recipients_due on invoice_recipients (keep_until)')
    this.addSql(`
      create table account_exports (
        -- SHA-256 of the token in the link, hex.
        token_hash text primary key,
        user_id uuid not null references users (id) on delete cascade,
        created_at timestamptz not null
      )`)
    this.addSql('create index account_exports_of_user on account_exports (user_id)')
    this.addSql('create index account_exports_old on account_exports (created_at)')
  }
}
