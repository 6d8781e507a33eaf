import { Migration } from '@mikro-orm/migrations'

/** Connections written into files. */
export class Migration065Exports extends Migration {
  override up() {
    this.addSql(`
      create table exports (
        id uuid primary key,
        account_id uuid not null references users (id),
        -- Of the key it was asked for with. Null without one.
        scopes text[],
        connection text not null,
        query text not null check (char_length(query) <= 10000),
        state text not null default 'RUNNING' check (state in ('RUNNING', 'DONE', 'FAILED', 'CANCELLED')),
        -- Up to here it has been written: so many lines and bytes, and the cursor of the last line.
        row_count integer not null default 0,
        bytes bigint not null default 0,
        cursor text,
        total integer,
        problem text,
        -- SHA-256 of what the newest link ends with.
        token_hash text unique,
        created_at timestamptz not null,
        ended_at timestamptz check ((ended_at is null) = (state = 'RUNNING'))
      )`)
    // An account has one under way.
    this.addSql(`create unique index exports_under_way on exports (account_id) where state = 'RUNNING'`)
    this.addSql('create index exports_of_account on exports (account_id, created_at desc, id desc)')
  }
}
