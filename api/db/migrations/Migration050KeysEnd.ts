import { Migration } from '@mikro-orm/migrations'

/** Keys end by themselves, change their secrets, and come from known addresses; the audit log names them. */
export class Migration050KeysEnd extends Migration {
  override up() {
    this.addSql(`
      alter table api_keys
        add column expires_at timestamptz,
        -- The secret before the last one, until when it works too.
        add column former_hash text,
        add column former_until timestamptz,
        add column allowed_addresses text[] not null default '{}',
        add constraint api_keys_former_ends check ((former_hash is null) = (former_until is null))`)
    this.addSql('create unique index api_keys_by_former_hash on api_keys (former_hash) where former_hash is not null')
    this.addSql('alter table audit_entries add column api_key_name text')
  }
}
