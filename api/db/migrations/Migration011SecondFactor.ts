import { Migration } from '@mikro-orm/migrations'

/** The second factor of accounts: a secret shared with an authenticator app, and codes for who lost it. */
export class Migration011SecondFactor extends Migration {
  override up() {
    this.addSql('alter table users add column second_factor_at timestamptz')
    this.addSql(`
      create table second_factors (
        user_id uuid primary key references users (id) on delete cascade,
        -- Base32. There before users.second_factor_at is set: the owner has still to show that the app has it.
        secret text not null,
        -- Number of the last half minute whose code was used, so that no code is good twice.
        last_step integer,
        created_at timestamptz not null
      )`)
    this.addSql(`
      create table recovery_codes (
        -- SHA-256, hex; the code itself is with its owner alone.
        code_hash text primary key,
        user_id uuid not null references users (id) on delete cascade
      )`)
    this.addSql('create index recovery_codes_user on recovery_codes (user_id)')
    this.addSql('alter table mails drop constraint mails_kind_check')
    this.addSql(`
      alter table mails add check (kind in (
        'PASSWORD_RESET', 'PASSWORD_CHANGED', 'SECOND_FACTOR_CHANGED', 'EMAIL_CONFIRMATION', 'EMAIL_CHANGE', 'ORDER_PLACED', 'ORDER_PAID', 'ORDER_DELIVERED'))`)
  }
}
