import { Migration } from '@mikro-orm/migrations'

/** Whose an email address is, once that was confirmed, and browsers that an account was signed in from. */
export class Migration008Addresses extends Migration {
  override up() {
    this.addSql(`
      alter table users
        add column email_verified_at timestamptz,
        -- The address asked for, until it is confirmed.
        add column new_email text`)
    // Whoever had an account so far had the address to themselves.
    this.addSql('update users set email_verified_at = created_at')
    this.addSql('drop index users_email_key')
    this.addSql(
      'create unique index users_email_key on users (email_key) where closed_at is null and email_verified_at is not null',
    )
    this.addSql(
      'create index users_claims on users (email_key, created_at) where closed_at is null and email_verified_at is null',
    )

    this.addSql(`
      create table email_confirmations (
        -- SHA-256, hex; the token itself is in the mail alone.
        token_hash text primary key,
        user_id uuid not null references users (id) on delete cascade,
        email text not null,
        -- Which mail it is in. One that had to be sent twice has two.
        mail_id uuid not null,
        created_at timestamptz not null
      )`)
    this.addSql('create index email_confirmations_user on email_confirmations (user_id)')
    this.addSql('create index email_confirmations_by_age on email_confirmations (created_at)')

    this.addSql(`
      create table known_devices (
        -- SHA-256, hex; the token itself is in the browser alone.
        token_hash text primary key,
        user_id uuid not null references users (id) on delete cascade,
        created_at timestamptz not null
      )`)
    this.addSql('create index known_devices_user on known_devices (user_id, created_at)')

    this.addSql('alter table mails drop constraint mails_kind_check')
    this.addSql(`
      alter table mails add check (kind in (
        'PASSWORD_RESET', 'PASSWORD_CHANGED', 'EMAIL_CONFIRMATION', 'EMAIL_CHANGE', 'ORDER_PLACED', 'ORDER_PAID', 'ORDER_DELIVERED'))`)
    // How many one address was sent lately.
    this.addSql(
      `create index mails_by_address on mails ((about->>'emailKey'), created_at) where about->>'emailKey' is not null`,
    )
  }
}
