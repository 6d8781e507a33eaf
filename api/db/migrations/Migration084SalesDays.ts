import { Migration } from '@mikro-orm/migrations'

/**
 * The sums of whole days in UTC, which follow `sales` by themselves: a year is 365 of them, and the quarters of an hour between the
 * midnights of UTC and those of the shop.
 */
export class Migration084SalesDays extends Migration {
  override up() {
    this.addSql(`
      create table sales_days (
        midnight timestamptz primary key,
        revenue bigint not null,
        orders integer not null,
        units integer not null
      )`)
    this.addSql(`
      create or replace function add_to_sales_day() returns trigger language plpgsql as $$
        begin
          insert into sales_days as d (midnight, revenue, orders, units)
          values (date_trunc('day', new.quarter_hour, 'UTC'), new.revenue - coalesce(old.revenue, 0),
            new.orders - coalesce(old.orders, 0), new.units - coalesce(old.units, 0))
          on conflict (midnight) do update
          set revenue = d.revenue + excluded.revenue, orders = d.orders + excluded.orders, units = d.units + excluded.units;
          return null;
        end
      $$`)
    this.addSql(`
      create trigger sales_added_up after insert or update on sales for each row execute function add_to_sales_day()`)
    // Nobody adds up meanwhile: the trigger has locked the table.
    this.addSql(`
      insert into sales_days (midnight, revenue, orders, units)
      select date_trunc('day', quarter_hour, 'UTC'), sum(revenue), sum(orders), sum(units) from sales group by 1 order by 1`)
  }
}
