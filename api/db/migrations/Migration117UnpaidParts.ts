import { Migration } from '@mikro-orm/migrations'

const STANDING = `'ORDERS ' || case
  when delivered_at is not null then 'DELIVERED'
  when paid_at is not null then case when sent_at is not null then 'SENT' when first_sent_at is not null then 'PARTLY_SENT' else 'PAID' end
    || case when sent_at is null and refunded_amount >= total_price - unpaid_amount then ' REFUNDED' else '' end
  when cancelled_at is not null then 'CANCELLED'
  when lapsed_at is not null then 'LAPSED'
  else 'UNPAID' end`

/** What a gift card was to pay of an order that was paid late, when the card had been spent elsewhere. */
export class Migration117UnpaidParts extends Migration {
  override up() {
    this.addSql(`alter table orders add column unpaid_amount integer not null default 0,
      add constraint orders_are_paid_in_part check (unpaid_amount = 0 or unpaid_amount between 1 and total_price - gift_card_amount - 1)`)
    // It changes with `paid_at` alone, of which the trigger is told already.
    this.addSql(`
      create or replace function tally_orders() returns trigger language plpgsql as $$
        begin
          insert into tally_changes (name, value)
          select name, sum(value) from (
            select ${STANDING} as name, 1 as value from (select new.*) is_now
            union all
            select ${STANDING}, -1 from (select old.*) was where tg_op = 'UPDATE'
          ) changed group by name having sum(value) <> 0;
          return null;
        end
      $$`)
    this.addSql(`
      update orders set unpaid_amount = gift_card_amount, gift_card_amount = 0 where paid_at is not null and gift_card_amount > 0
        and id in (select order_id from order_incidents where code = 'PAID_WITHOUT_GIFT_CARD')`)
  }
}
