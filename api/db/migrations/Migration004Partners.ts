import { Migration } from '@mikro-orm/migrations'

/** What partners need: keys for their programs. */
export class Migration004Partners extends Migration {
  override up() {
    this.addSql(`
      create table api_keys (
        id uuid primary key,
        name text not null check (length(name) between 1 and 100),
        start text not null,
        -- SHA-256, hex; the key itself is stored nowhere.
        key_hash text not null unique,
        scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['READ_CATALOGUE', 'READ_ORDERS', 'WRITE_ORDERS', 'ADMIN']),
        account_id uuid not null references users (id),
        created_at timestamptz not null default now(),
        last_used_at timestamptz,
        revoked_at timestamptz
      )`)
    this.addSql('create index api_keys_newest on api_keys (created_at desc, id desc)')
    this.addSql('alter table audit_entries drop constraint if exists audit_entries_entity_check')
    this.addSql(`
      alter table audit_entries add constraint audit_entries_entity_check
        check (entity in ('PRODUCT', 'USER', 'ORDER', 'REVIEW', 'IMPORT', 'API_KEY'))`)
  }
}
