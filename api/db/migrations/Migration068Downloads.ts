import { Migration } from '@mikro-orm/migrations'

/** Whether the file of an export was fetched by the link there is. */
export class Migration068Downloads extends Migration {
  override up() {
    this.addSql('alter table exports add column downloaded_at timestamptz')
  }
}
