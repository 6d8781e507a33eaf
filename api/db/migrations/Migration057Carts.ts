import { Migration } from '@mikro-orm/migrations'

/** Carts of accounts, and of whoever has a cart's token. */
export class Migration057Carts extends Migration {
  override up() {
    this.addSql(`
      create table carts (
        id uuid primary key,
        user_id uuid unique references users (id),
        token_hash text unique,
        lines jsonb not null check (jsonb_array_length(lines) <= 50),
        code text,
        shipping_address jsonb,
        change_keys jsonb not null check (jsonb_array_length(change_keys) <= 20),
        changed_at timestamptz not null,
        constraint carts_of_one check (num_nonnulls(user_id, token_hash) = 1)
      )`)
    this.addSql('create index carts_by_change on carts (changed_at)')
  }
}
