import { Migration } from '@mikro-orm/migrations'

/** What the law of some places taxes less: products, what was ordered of them, and what of an order's tax is owed for it. */
export class Migration115ReducedTax extends Migration {
  override up() {
    this.addSql('alter table products add column reduced_tax boolean not null default false')
    this.addSql('alter table order_items add column reduced_tax boolean not null default false')
    this.addSql(`
      alter table orders add column reduced_tax_basis_points double precision,
        add column reduced_taxed integer not null default 0,
        add column reduced_tax integer not null default 0,
        add constraint orders_reduced_tax_is_tax check (
          reduced_tax between 0 and tax_price + included_tax and reduced_taxed between 0 and total_price
          and (reduced_tax_basis_points is not null or (reduced_tax = 0 and reduced_taxed = 0)))`)
  }
}
