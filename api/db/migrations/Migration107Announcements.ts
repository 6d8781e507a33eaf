import { Migration } from '@mikro-orm/migrations'

/** What the owner says above the shop's pages: one row, which changes and stays. */
export class Migration107Announcements extends Migration {
  override up() {
    this.addSql(`
      create table announcements (
        id uuid primary key,
        text text not null,
        link text,
        starts_at timestamptz,
        ends_at timestamptz,
        version integer not null default 1,
        constraint announcements_end_after_they_begin check (ends_at > starts_at)
      )`)
    this.addSql(`insert into announcements (id, text) values ('019ab000-0000-7000-8000-000000000037', '')`)
  }
}
