import { Migration } from '@mikro-orm/migrations'

/** Accounts at Apple and Google that open an account, and what shows that somebody came back from there. */
export class Migration063Identities extends Migration {
  override up() {
    this.addSql(`
      create table linked_identities (
        id uuid primary key,
        account_id uuid not null references users (id) on delete cascade,
        provider text not null check (provider in ('APPLE', 'GOOGLE')),
        issuer text not null,
        subject text not null,
        email text,
        created_at timestamptz not null,
        constraint linked_identities_open_one_account unique (issuer, subject)
      )`)
    this.addSql('create index linked_identities_of_account on linked_identities (account_id, created_at)')
    this.addSql(`
      create table sign_in_tickets (
        token_hash text primary key,
        -- Whom the provider vouches for.
        person jsonb not null,
        created_at timestamptz not null
      )`)
    this.addSql('create index sign_in_tickets_old on sign_in_tickets (created_at)')
    this.addSql('create table spent_id_tokens (token_hash text primary key, until timestamptz not null)')
    this.addSql('create index spent_id_tokens_old on spent_id_tokens (until)')
    this.addSql(`
      create or replace function note_change_of_identities() returns trigger language plpgsql as $$
        begin
          update users set updated_at = clock_timestamp()
          where id = coalesce(new.account_id, old.account_id) and updated_in <> pg_current_xact_id();
          return null;
        end
      $$`)
    this.addSql(`
      create constraint trigger linked_identities_changed after insert or delete on linked_identities
      deferrable initially deferred for each row execute function note_change_of_identities()`)
  }
}
