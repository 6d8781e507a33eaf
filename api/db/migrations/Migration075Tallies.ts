import { Migration } from '@mikro-orm/migrations'

const ADMIN_SHELF = `case when count_in_stock = 0 then 'PRODUCTS OUT' when count_in_stock < 20 then 'PRODUCTS LOW' else 'PRODUCTS IN_STOCK' end`
const STANDING = `'ORDERS ' || case
  when delivered_at is not null then 'DELIVERED'
  when paid_at is not null then case when sent_at is not null then 'SENT' when first_sent_at is not null then 'PARTLY_SENT' else 'PAID' end
    || case when sent_at is null and refunded_amount >= total_price then ' REFUNDED' else '' end
  when cancelled_at is not null then 'CANCELLED'
  when lapsed_at is not null then 'LAPSED'
  else 'UNPAID' end`
const ROLE = `case when is_admin then 'ACCOUNTS ADMIN' else 'ACCOUNTS' end`

/** What each table is tallied by: those for which `counts` holds, whenever what it goes `by` changes. */
const TALLIED = {
  orders: {
    name: STANDING,
    counts: 'true',
    by: [
      'delivered_at',
      'paid_at',
      'sent_at',
      'first_sent_at',
      'cancelled_at',
      'lapsed_at',
      'refunded_amount',
      'total_price',
    ],
  },
  products: {
    name: ADMIN_SHELF,
    counts: 'archived_at is null',
    by: ['archived_at', '(count_in_stock = 0)', '(count_in_stock < 20)'],
  },
  users: { name: ROLE, counts: 'closed_at is null', by: ['closed_at', 'is_admin'] },
} as const

/**
 * How many there are of what administrators see as a figure. What a transaction changes is a row of its own, so that nobody waits for
 * anybody; a job adds it up.
 */
export class Migration075Tallies extends Migration {
  override up() {
    this.addSql('create table tallies (name text primary key, value bigint not null)')
    this.addSql('create table tally_changes (name text not null, value integer not null)')
    for (const [table, { name, counts, by }] of Object.entries(TALLIED)) {
      this.addSql(`
        create or replace function tally_${table}() returns trigger language plpgsql as $$
          begin
            insert into tally_changes (name, value)
            select name, sum(value) from (
              select ${name} as name, 1 as value from (select new.*) is_now where ${counts}
              union all
              select ${name}, -1 from (select old.*) was where tg_op = 'UPDATE' and ${counts}
            ) changed group by name having sum(value) <> 0;
            return null;
          end
        $$`)
      this.addSql(
        `create trigger ${table}_counted after insert on ${table} for each row execute function tally_${table}()`,
      )
      const seen = (row: string) => by.map(part => part.replace(/[a-z_]+/, `${row}.$&`)).join(', ')
      this.addSql(
        `create trigger ${table}_recounted after update on ${table} for each row when ((${seen('old')}) is distinct from (${seen('new')})) execute function tally_${table}()`,
      )
      // Nobody writes meanwhile: the triggers have locked the table.
      this.addSql(`insert into tallies (name, value) select ${name}, count(*) from ${table} where ${counts} group by 1`)
    }
    this.addSql(`
      create or replace function tally_order_items() returns trigger language plpgsql as $$
        begin
          insert into tally_changes (name, value) select 'UNITS ORDERED', sum(quantity) from added having count(*) > 0;
          return null;
        end
      $$`)
    this.addSql(`
      create trigger order_items_counted after insert on order_items referencing new table as added
      for each statement execute function tally_order_items()`)
    this.addSql(`insert into tallies (name, value) select 'UNITS ORDERED', coalesce(sum(quantity), 0) from order_items`)
  }
}
