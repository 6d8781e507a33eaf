import { Migration } from '@mikro-orm/migrations'

const QUARTER_HOUR = `date_bin('15 minutes', paid_at, timestamptz '2000-01-01 00:00:00Z')`

/**
 * What was paid in each quarter of an hour: the days of every time zone begin and end at one, and a year has some 35,000 however
 * many orders it had. What a transaction changes is a row of its own, so that payments wait for nobody; a job adds it up.
 */
export class Migration074Sales extends Migration {
  override up() {
    const figures = 'revenue bigint not null, orders integer not null, units integer not null'
    this.addSql(`create table sales (quarter_hour timestamptz primary key, ${figures})`)
    this.addSql(`create table sales_changes (quarter_hour timestamptz not null, ${figures})`)
    this.addSql(`
      create or replace function note_sale() returns trigger language plpgsql as $$
        declare
          units integer := (select coalesce(sum(quantity), 0) from order_items where order_id = new.id);
        begin
          insert into sales_changes (quarter_hour, revenue, orders, units)
          select ${QUARTER_HOUR}, sign * total_price, sign, sign * units
          from (values (1, new.paid_at, new.total_price), (-1, old.paid_at, old.total_price)) as sale (sign, paid_at, total_price)
          where paid_at is not null;
          return null;
        end
      $$`)
    this.addSql(`
      create trigger orders_sold after update on orders for each row
      when ((old.paid_at, old.total_price) is distinct from (new.paid_at, new.total_price)) execute function note_sale()`)
    // Of orders that were paid before they came here, such as those of a backup: at the end, when their lines are there, too.
    this.addSql(`
      create constraint trigger orders_sold_before after insert on orders deferrable initially deferred for each row
      when (new.paid_at is not null) execute function note_sale()`)
    // Nobody pays meanwhile: the triggers above have locked the table. With room for a million orders that takes seconds.
    this.addSql(`set local work_mem = '256MB'`)
    this.addSql(`
      insert into sales (quarter_hour, revenue, orders, units)
      select ${QUARTER_HOUR}, sum(total_price), count(*), coalesce(sum(units), 0)
      from orders left join (select order_id, sum(quantity) as units from order_items group by order_id) i on i.order_id = orders.id
      where paid_at is not null group by 1 order by 1`)
    this.addSql('reset work_mem')
  }
}
