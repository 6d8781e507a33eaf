import { Migration } from '@mikro-orm/migrations'

/** Orders, accounts and reviews count their changes, so that whoever hears of two knows which is the later one. */
export class Migration073Versions extends Migration {
  override up() {
    this.addSql(`
      create or replace function count_version() returns trigger language plpgsql as $$
        begin
          new.version := old.version + 1;
          return new;
        end
      $$`)
    for (const table of ['orders', 'users', 'reviews']) {
      this.addSql(`alter table ${table} add column version integer not null default 1`)
      // Triggers run in the order of their names: after ${table}_updated, which moves the time.
      this.addSql(`
        create trigger ${table}_versioned before update on ${table} for each row
        when (old.updated_at is distinct from new.updated_at) execute function count_version()`)
    }
  }
}
