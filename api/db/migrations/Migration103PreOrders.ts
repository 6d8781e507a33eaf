import { Migration } from '@mikro-orm/migrations'

/** Products that are sold before they are here, and lines of orders that wait for them. */
export class Migration103PreOrders extends Migration {
  override up() {
    this.addSql(`
      alter table products add column expected_on date;
      create index products_expected on products (expected_on) where expected_on is not null;

      -- What the shopper was told, so that a day that moves is told once.
      alter table order_items add column expected_on date, add column expected_told date;
      create index order_items_expected on order_items (product_id) where expected_on is not null;
      create index order_items_expected_untold on order_items (order_id) where expected_on is distinct from expected_told;

      -- In the transaction that says so, whoever says it: a line that waited would else wait for the delivery after that.
      create or replace function move_expected_lines() returns trigger language plpgsql as $$
        begin
          update order_items set expected_on = new.expected_on where product_id = new.id and expected_on is not null;
          return null;
        end $$;
      create trigger products_expected_moved after update of expected_on on products
        for each row when (old.expected_on is distinct from new.expected_on) execute function move_expected_lines()`)
  }
}
