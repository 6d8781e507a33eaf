import { Migration } from '@mikro-orm/migrations'

/** Processes are told of products whose stock has moved, by whatever moved it, and forget the answers that show them. */
export class Migration060StockTold extends Migration {
  override up() {
    this.addSql(`
      create or replace function tell_stock_moved() returns trigger language plpgsql as $$
      begin
        -- Lists, counts and suggestions leave out what is sold out, so that concerns more than the product.
        perform pg_notify('stock', json_build_object(
          'productId', case when (old.count_in_stock = 0) = (new.count_in_stock = 0) then new.id end)::text);
        return null;
      end $$`)
    this.addSql(`
      create trigger products_stock_told after update of count_in_stock on products for each row
      when (old.count_in_stock <> new.count_in_stock) execute function tell_stock_moved()`)
  }
}
