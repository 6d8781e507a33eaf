import { Migration } from '@mikro-orm/migrations'

/** Orders go in parcels, whole or in parts; their lines keep the SKU they were ordered by. */
export class Migration038Fulfilments extends Migration {
  override up() {
    // Empty for what a process from before this writes while it is replaced.
    this.addSql(`alter table order_items add column sku text not null default ''`)
    this.addSql('update order_items i set sku = p.sku from products p where p.id = i.product_id')
    this.addSql(`
      alter table order_items
        -- How many of its units are in parcels that were not cancelled.
        add column fulfilled_quantity integer not null default 0,
        add constraint order_items_sent_once check (fulfilled_quantity between 0 and quantity)`)
    this.addSql(`
      alter table orders
        -- When the first of its parcels left, and when the last.
        add column first_sent_at timestamptz,
        add column sent_at timestamptz,
        add constraint orders_sent_are_paid check (first_sent_at is null or paid_at is not null),
        add constraint orders_sent_in_order check (sent_at is null or first_sent_at is not null)`)
    this.addSql(`
      create table fulfilments (
        id uuid primary key,
        order_id uuid not null references orders (id),
        carrier text,
        tracking_number text,
        tracking_url text check (tracking_url ~* '^https?://'),
        idempotency_key text,
        -- SHA-256 of what was asked for with the key.
        idempotency_hash text,
        created_at timestamptz not null,
        sent_at timestamptz,
        delivered_at timestamptz check (delivered_at is null or sent_at is not null),
        cancelled_at timestamptz check (cancelled_at is null or sent_at is null),
        unique (order_id, idempotency_key)
      )`)
    this.addSql(`
      create table fulfilment_lines (
        id uuid primary key,
        fulfilment_id uuid not null references fulfilments (id),
        item_id uuid not null references order_items (id),
        quantity integer not null check (quantity > 0),
        unique (fulfilment_id, item_id)
      )`)
    // The contract says which events there are.
    this.addSql('alter table events drop constraint if exists events_type_check')
    this.fulfilDelivered()
    this.addSql(`
      create constraint trigger fulfilments_change_order after insert or update on fulfilments
      deferrable initially deferred for each row execute function note_change_within_orders()`)
  }

  /** What was delivered so far went in one parcel each. Nothing happened to those orders now: they have not changed. */
  private fulfilDelivered() {
    this.addSql(`
      insert into fulfilments (id, order_id, created_at, sent_at, delivered_at)
      select gen_random_uuid(), id, delivered_at, delivered_at, delivered_at from orders where delivered_at is not null`)
    this.addSql(`
      insert into fulfilment_lines (id, fulfilment_id, item_id, quantity)
      select gen_random_uuid(), f.id, i.id, i.quantity from fulfilments f join order_items i using (order_id)`)
    this.addSql(`
      update order_items set fulfilled_quantity = quantity
      where order_id in (select id from orders where delivered_at is not null)`)
    this.addSql('alter table orders disable trigger orders_updated')
    this.addSql('update orders set first_sent_at = delivered_at, sent_at = delivered_at where delivered_at is not null')
    this.addSql('alter table orders enable trigger orders_updated')
  }
}
