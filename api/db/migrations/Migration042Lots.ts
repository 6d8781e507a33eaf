import { Migration } from '@mikro-orm/migrations'

/** Stock by dye lot, where the owner keeps it so, and of each order line the lots it was filled from. */
export class Migration042Lots extends Migration {
  override up() {
    this.addSql('alter table products add column kept_by_lot boolean not null default false')
    this.addSql(`
      -- Changes only while the product's row is locked.
      create table product_lots (
        product_id uuid not null references products (id),
        code text not null check (char_length(code) between 1 and 40),
        quantity integer not null check (quantity >= 0),
        primary key (product_id, code)
      )`)
    this.addUp()
    this.addSql(`
      create or replace function units_of_lots(lots jsonb) returns bigint language sql immutable parallel safe as $$
        select coalesce(sum((lot ->> 'quantity')::bigint), 0)::bigint from jsonb_array_elements(lots) lot
      $$`)
    this.addSql(`
      alter table order_items
        -- A copy, as all of the line: [{ code, quantity }]. Empty when the product was not kept by lot.
        add column lots jsonb not null default '[]',
        add constraint order_items_lots_add_up check (lots = '[]' or units_of_lots(lots) = quantity)`)
  }

  /** Product and lots are written by statements of their own, so they are compared when the transaction ends. */
  private addUp() {
    this.addSql(`
      create or replace function lots_add_up(subject uuid) returns void language plpgsql as $$
        begin
          if exists (
            select from products p
            left join lateral (select count(*), sum(quantity) as units from product_lots l where l.product_id = p.id) lots on true
            where p.id = subject and case when p.kept_by_lot then coalesce(lots.units, 0) <> p.count_in_stock else lots.count > 0 end
          ) then
            raise check_violation using message = 'the lots of product ' || subject || ' are not its stock', constraint = 'product_lots_add_up';
          end if;
        end
      $$`)
    this.addSql(`
      create or replace function lots_of_product_add_up() returns trigger language plpgsql as $$
        begin
          perform lots_add_up(new.id);
          return null;
        end
      $$`)
    this.addSql(`
      create or replace function product_of_lots_adds_up() returns trigger language plpgsql as $$
        begin
          perform lots_add_up(coalesce(new.product_id, old.product_id));
          return null;
        end
      $$`)
    this.addSql(`
      create constraint trigger products_made_by_lot after insert on products deferrable initially deferred
      for each row when (new.kept_by_lot) execute function lots_of_product_add_up()`)
    this.addSql(`
      create constraint trigger products_kept_by_lot after update of count_in_stock, kept_by_lot on products
      deferrable initially deferred for each row when (new.kept_by_lot or old.kept_by_lot)
      execute function lots_of_product_add_up()`)
    this.addSql(`
      create constraint trigger product_lots_add_up after insert or update or delete on product_lots
      deferrable initially deferred for each row execute function product_of_lots_adds_up()`)
  }
}
