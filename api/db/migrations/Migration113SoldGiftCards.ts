import { Migration } from '@mikro-orm/migrations'

const QUARTER_HOUR = `date_bin('15 minutes', paid_at, timestamptz '2000-01-01 00:00:00Z')`

/** Gift cards that are sold as products are. */
export class Migration113SoldGiftCards extends Migration {
  override up() {
    this.addSql(`
      alter table products add column is_gift_card boolean not null default false,
        add constraint gift_cards_are_not_sent check (is_download or not is_gift_card)`)
    this.addSql(`
      alter table order_items add column is_gift_card boolean not null default false,
        add constraint gift_cards_cost_what_is_on_them check (not is_gift_card or (is_download and discount = 0))`)
    this.addSql(`
      alter table orders add column gift_cards_sold integer not null default 0,
        add constraint orders_gift_cards_are_items check (gift_cards_sold between 0 and items_price)`)
    this.addSql(`alter table gift_cards add column order_id uuid references orders (id)`)
    this.addSql('create index gift_cards_of_order on gift_cards (order_id) where order_id is not null')
    // Products that are not indexed for search in today's way, in which gift cards are a kind.
    this.addSql('drop index products_unindexed')
    this.addSql('create index products_unindexed on products (id) where search_format is null or search_format < 6')
    // What is paid for a gift card is owed until it pays for something, which counts then.
    this.addSql(`
      create or replace function note_sale() returns trigger language plpgsql as $$
        declare
          units integer := (select coalesce(sum(quantity), 0) from order_items where order_id = new.id);
        begin
          insert into sales_changes (quarter_hour, revenue, orders, units)
          select ${QUARTER_HOUR}, sign * total_price, sign, sign * units
          from (values (1, new.paid_at, new.total_price - new.gift_cards_sold), (-1, old.paid_at, old.total_price - old.gift_cards_sold))
            as sale (sign, paid_at, total_price)
          where paid_at is not null;
          return null;
        end
      $$`)
  }
}
