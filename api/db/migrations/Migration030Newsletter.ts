import { Migration } from '@mikro-orm/migrations'

/** Addresses on the newsletter's list are confirmed, can leave it, and are sent a code of their own. */
export class Migration030Newsletter extends Migration {
  override up() {
    // Null for those from before addresses were confirmed: they are on the list again once they are.
    this.addSql(`
      alter table newsletter_subscriptions
        add column confirmed_at timestamptz,
        add column unsubscribed_at timestamptz,
        add column unsubscribe_token text unique,
        add column code text unique references series_codes (code)`)
    this.addSql('drop index newsletter_newest')
    this.addSql('create index newsletter_confirmed on newsletter_subscriptions (confirmed_at)')
    this.addSql(`
      create table newsletter_links (
        -- SHA-256 of the token, hex. The token itself is in the mail alone.
        token_hash text primary key,
        email_key text not null,
        email text not null,
        created_at timestamptz not null
      )`)
    this.addSql('create index newsletter_links_address on newsletter_links (email_key)')
    this.addSql('create index newsletter_links_old on newsletter_links (created_at)')
    // The templates say which kinds of mails there are.
    this.addSql('alter table mails drop constraint if exists mails_kind_check')
    // Whoever the code was sent to: another address cannot use it, an account can after its address changed.
    this.addSql(`
      alter table series_codes
        add column email_key text,
        add column user_id uuid references users (id)`)
  }
}
