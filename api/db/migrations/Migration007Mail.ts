import { Migration } from '@mikro-orm/migrations'

/** Mail on its way, links to choose a new password, and tries that are counted over all shop processes. */
export class Migration007Mail extends Migration {
  override up() {
    this.addSql(`
      create table mails (
        id uuid primary key,
        kind text not null check (kind in ('PASSWORD_RESET', 'PASSWORD_CHANGED', 'ORDER_PLACED', 'ORDER_PAID', 'ORDER_DELIVERED')),
        -- What it is about, as far as the letter cannot be written without it.
        about jsonb not null,
        created_at timestamptz not null,
        sent_at timestamptz,
        -- What was sent, kept only where a mailbox page shows it instead of a mail server taking it.
        recipient text,
        subject text,
        text text,
        html text
      )`)
    this.addSql('create index mails_by_age on mails (created_at)')

    this.addSql(`
      create table password_resets (
        -- SHA-256, hex; the token itself is in the mail alone.
        token_hash text primary key,
        user_id uuid not null references users (id) on delete cascade,
        -- Which mail it is in. One that had to be sent twice has two.
        mail_id uuid not null,
        created_at timestamptz not null
      )`)
    this.addSql('create index password_resets_user on password_resets (user_id)')
    this.addSql('create index password_resets_by_age on password_resets (created_at)')

    // Unlogged: counting must be quick, and a crash of PostgreSQL may forget who tried too often.
    this.addSql(
      'create unlogged table rate_limits (key varchar(255) primary key, points integer not null default 0, expire bigint)',
    )
    this.addSql('create index rate_limits_expire on rate_limits (expire)')

    // Compared byte by byte, whatever language the database speaks.
    this.addSql('alter table users alter column email_key type text collate "C"')
  }
}
