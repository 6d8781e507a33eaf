import { Migration } from '@mikro-orm/migrations'

/** The rate an order was taxed at; nobody wrote that of older ones down. */
export class Migration097TaxRate extends Migration {
  override up() {
    this.addSql(
      'alter table orders add column tax_basis_points double precision check (tax_basis_points between 0 and 10000)',
    )
  }
}
