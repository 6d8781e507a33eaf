import { Migration } from '@mikro-orm/migrations'

/** Who is told when a product is back. */
export class Migration033Bells extends Migration {
  override up() {
    this.addSql(`
      create table bells (
        id uuid primary key,
        product_id uuid not null references products (id),
        user_id uuid references users (id),
        email text,
        email_key text,
        stop_token text not null,
        asked_at timestamptz not null,
        check ((user_id is null) <> (email_key is null)),
        check ((email is null) = (email_key is null)),
        unique (product_id, user_id),
        unique (product_id, email_key)
      )`)
    this.addSql('create index bells_of_user on bells (user_id) where user_id is not null')
    this.addSql('create index bells_of_address on bells (email_key) where email_key is not null')
    this.addSql('create index bells_by_token on bells (stop_token)')
    this.addSql(`
      create table bell_links (
        -- SHA-256 of the token, hex. The token itself is in the mail alone.
        token_hash text primary key,
        product_id uuid not null references products (id),
        email_key text not null,
        email text not null,
        created_at timestamptz not null
      )`)
    this.addSql('create index bell_links_address on bell_links (email_key)')
    this.addSql('create index bell_links_old on bell_links (created_at)')
  }
}
