import { Migration } from '@mikro-orm/migrations'

/** What an administrator may do who may not do everything. */
export class Migration102LimitedAdministrators extends Migration {
  override up() {
    this.addSql(`
      alter table users add column limited_to text[],
        add constraint users_limited_to_something check (cardinality(limited_to) > 0)`)
  }
}
