import { Migration } from '@mikro-orm/migrations'

const LINES = `from (values (1, new.paid_at), (-1, old.paid_at)) as sale (sign, paid_at)
  join order_items i on i.order_id = new.id
  where sale.paid_at < now() - interval '30 minutes'`

/**
 * What was paid for of each product on each day that is over, in UTC, and the sums of the last so many days, by which the best sellers
 * of a time are among few. A payment of now writes nothing here: count-sales.ts reads a day once it is over, an hour later. Whatever is
 * paid, or no longer, with a date of more than half an hour ago is written down by itself.
 */
export class Migration078ProductSales extends Migration {
  override up() {
    this.addSql(`
      create table product_sales (
        product_id uuid not null,
        day date not null,
        units bigint not null,
        revenue bigint not null,
        primary key (product_id, day)
      )`)
    this.addSql('create index product_sales_of_day on product_sales (day)')
    this.addSql(
      'create table product_sales_late (product_id uuid not null, day date not null, units bigint not null, revenue bigint not null)',
    )
    this.addSql('create index product_sales_late_of_day on product_sales_late (day)')
    this.addSql(`
      create table product_sales_windows (
        days integer primary key,
        -- The first day that is in the sums.
        since date not null
      )`)
    this.addSql(`
      create table product_sales_totals (
        days integer not null,
        product_id uuid not null,
        units bigint not null,
        primary key (days, product_id)
      )`)
    this.addSql('create index product_sales_most on product_sales_totals (days, units desc)')
    // What days are there: those before it. And which of them products.sold_last_90_days has.
    this.addSql(`create table product_sales_state (
      id boolean primary key default true check (id),
      until date,
      counted_since date,
      counted_until date
    )`)
    this.addSql('insert into product_sales_state default values')
    // Somewhat more than a week, a month, a quarter and a year, so that a dashboard's have room in them, and all of time.
    this.addSql(`
      insert into product_sales_windows (days, since)
      select days, (now() at time zone 'UTC')::date - days from unnest(array[9, 35, 100, 375]) days union all select 0, '-infinity'`)
    this.addSql(`
      create or replace function note_late_sale() returns trigger language plpgsql as $$
        begin
          insert into product_sales_late (product_id, day, units, revenue)
          select i.product_id, (sale.paid_at at time zone 'UTC')::date, sign * i.quantity, sign * (i.price::bigint * i.quantity - i.discount)
          ${LINES};
          return null;
        end
      $$`)
    this.addSql(`
      create trigger orders_sold_late after update on orders for each row
      when (old.paid_at is distinct from new.paid_at and least(old.paid_at, new.paid_at) < now() - interval '30 minutes')
      execute function note_late_sale()`)
    // Such as those of a backup: at the end, when their lines are there, too.
    this.addSql(`
      create constraint trigger orders_sold_late_before after insert on orders deferrable initially deferred for each row
      when (new.paid_at < now() - interval '30 minutes') execute function note_late_sale()`)
  }
}
