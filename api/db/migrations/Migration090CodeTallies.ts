import { Migration } from '@mikro-orm/migrations'

/**
 * What became of each discount code is tallied, too. A use and the payment of its order are told by different statements, which both lock
 * the order first; one statement that changed both would count by what each looks like after the other.
 */
export class Migration090CodeTallies extends Migration {
  override up() {
    this.addSql(`
      create or replace function code_figures(use code_uses, used_by orders) returns table (name text, value integer)
      language sql stable as $$
        select 'CODE ' || figure || ' ' || use.discount_code_id, figures.value from (values
          ('TAKEN', 1, use.given_back_at is null),
          ('USES', 1, use.given_back_at is null or used_by.paid_at is not null),
          ('PAID', 1, used_by.paid_at is not null),
          ('REVENUE', used_by.total_price, used_by.paid_at is not null),
          ('GIVEN', use.saved, used_by.paid_at is not null)) figures (figure, value, counts)
        where counts
      $$`)
    this.addSql(`
      create or replace function tally_code_uses() returns trigger language plpgsql as $$
        begin
          insert into tally_changes (name, value)
          select name, sum(value) from (
            select is_now.name, is_now.value from orders o, code_figures(new, o) is_now where o.id = new.order_id
            union all
            select was.name, -was.value from orders o, code_figures(old, o) was where tg_op = 'UPDATE' and o.id = old.order_id
          ) changed group by name having sum(value) <> 0;
          return null;
        end
      $$`)
    this.addSql(`
      create trigger code_uses_counted after insert or update of given_back_at on code_uses
      for each row execute function tally_code_uses()`)
    this.addSql(`
      create or replace function tally_code_of_order() returns trigger language plpgsql as $$
        begin
          insert into tally_changes (name, value)
          select name, sum(value) from (
            select is_now.name, is_now.value from code_uses u, code_figures(u, new) is_now where u.order_id = new.id
            union all
            select was.name, -was.value from code_uses u, code_figures(u, old) was where u.order_id = old.id
          ) changed group by name having sum(value) <> 0;
          return null;
        end
      $$`)
    this.addSql(`
      create trigger orders_code_counted after update of paid_at on orders
      for each row when (new.discount_code is not null and old.paid_at is distinct from new.paid_at)
      execute function tally_code_of_order()`)
    // Nobody writes meanwhile: the triggers have locked both tables.
    this.addSql(`
      insert into tallies (name, value)
      select f.name, sum(f.value) from code_uses u join orders o on o.id = u.order_id, code_figures(u, o) f group by f.name`)
  }
}
