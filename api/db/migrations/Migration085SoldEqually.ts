import { Migration } from '@mikro-orm/migrations'

/** Of products that sold equally much, the same ones come first each time. */
export class Migration085SoldEqually extends Migration {
  override up() {
    this.addSql('drop index product_sales_most')
    this.addSql('create index product_sales_most on product_sales_totals (days, units desc, product_id)')
  }
}
