import { Migration } from '@mikro-orm/migrations'

/** When a mail is to be sent stands with it, so that letters are taken from their table, many at a time. */
export class Migration083DueMails extends Migration {
  override up() {
    this.addSql('alter table mails add column due_at timestamptz')
    this.addSql(`
      create index mails_due on mails (due_at) where due_at is not null`)
  }
}
