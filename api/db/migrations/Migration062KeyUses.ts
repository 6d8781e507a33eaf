import { Migration } from '@mikro-orm/migrations'

/** How much each API key was used, by day. */
export class Migration062KeyUses extends Migration {
  override up() {
    this.addSql(`
      create table api_key_uses (
        api_key_id uuid not null references api_keys (id) on delete cascade,
        -- In UTC.
        day date not null,
        calls integer not null check (calls > 0),
        errors integer not null check (errors between 0 and calls),
        points bigint not null check (points >= 0),
        primary key (api_key_id, day)
      )`)
    this.addSql('create index api_key_uses_old on api_key_uses (day)')
  }
}
