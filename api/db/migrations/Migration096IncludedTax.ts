import { Migration } from '@mikro-orm/migrations'

/** Where prices have tax in them, how much of an order's total it is. */
export class Migration096IncludedTax extends Migration {
  override up() {
    this.addSql(
      'alter table orders add column included_tax integer not null default 0 check (included_tax between 0 and total_price)',
    )
  }
}
