import { Migration } from '@mikro-orm/migrations'

/** What went back in some days is looked for by its moment. */
export class Migration114TaxReport extends Migration {
  override up() {
    this.addSql('create index refunds_created_at on refunds (created_at)')
  }
}
