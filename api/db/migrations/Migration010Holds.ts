import { Migration } from '@mikro-orm/migrations'

/** Holds on stock: how long they last, from where they come, and how they end before their time. */
export class Migration010Holds extends Migration {
  override up() {
    this.addSql(`
      alter table orders
        -- When the shopper first wanted to pay: the hold counts from there.
        add column payment_started_at timestamptz,
        add column cancelled_at timestamptz,
        -- SHA-256 of the network it was placed from, for as long as it holds stock.
        add column placed_from text,
        add constraint orders_cancelled_gave_back check (cancelled_at is null or lapsed_at is not null)`)
    this.addSql('update orders set payment_started_at = created_at where paypal_order_id is not null')
    this.addSql('create index orders_held_from on orders (placed_from) where placed_from is not null')
    this.addSql('create index orders_held_by on orders (user_id) where held_until is not null')
    this.addSql('alter table events drop constraint events_type_check')
    this.addSql(`
      alter table events add constraint events_type_check check (type in
        ('ORDER_PLACED', 'ORDER_PAID', 'ORDER_DELIVERED', 'ORDER_LAPSED', 'ORDER_CANCELLED', 'ORDER_REFUNDED', 'PRODUCT_CHANGED', 'STOCK_LOW'))`)
  }
}
