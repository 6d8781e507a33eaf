import { Migration } from '@mikro-orm/migrations'

/** What makes shop and PayPal agree after any crash: attempts to capture, when PayPal was last asked, its events, refunds. */
export class Migration003Payments extends Migration {
  override up() {
    this.attempts()
    this.webhooks()
    this.refunds()
  }

  private attempts() {
    // Written before PayPal is asked to move money, so that a crash leaves a trace of what may have happened.
    this.addSql(`
      create table payment_attempts (
        id uuid primary key,
        order_id uuid not null references orders (id),
        paypal_order_id text not null,
        number integer not null check (number > 0),
        -- PayPal answers the same id with the same outcome.
        request_id text not null unique check (length(request_id) <= 108),
        state text not null check (state in ('STARTED', 'CAPTURED', 'PENDING', 'DECLINED', 'FAILED', 'UNKNOWN')),
        created_at timestamptz not null,
        -- When it was last begun or its state changed.
        updated_at timestamptz not null,
        -- When the reconciler last took it up.
        checked_at timestamptz,
        unique (paypal_order_id, number)
      )`)
    this.addSql('create index payment_attempts_order on payment_attempts (order_id)')
    this.addSql(
      `create index payment_attempts_open on payment_attempts (updated_at) where state in ('STARTED', 'PENDING', 'UNKNOWN')`,
    )

    // Since when the reconciler watches the order's PayPal order; null when there is nothing to find out.
    this.addSql(
      'alter table orders add column paypal_watched_from timestamptz, add column paypal_checked_at timestamptz',
    )
    this.addSql('update orders set paypal_watched_from = now() where paypal_order_id is not null and paid_at is null')
    this.addSql(
      'create index orders_watched on orders (paypal_watched_from) where paypal_watched_from is not null and paid_at is null',
    )
  }
  private webhooks() {
    // Each event once, in the same transaction as its effect.
    this.addSql(`
      create table webhook_events (
        id text primary key,
        type text not null,
        -- Null when it is about no order of ours.
        order_id uuid references orders (id),
        received_at timestamptz not null default now()
      )`)
    this.addSql('create index webhook_events_order on webhook_events (order_id)')
  }

  private refunds() {
    this.addSql('alter table orders add column refunded_amount integer not null default 0 check (refunded_amount >= 0)')
    this.addSql(`
      create table refunds (
        id uuid primary key,
        order_id uuid not null references orders (id),
        capture_id text not null,
        paypal_refund_id text unique,
        idempotency_key text check (length(idempotency_key) <= 255),
        amount integer not null check (amount > 0),
        reason text,
        state text not null check (state in ('STARTED', 'UNKNOWN', 'PENDING', 'COMPLETED', 'FAILED')),
        actor_id uuid references users (id),
        actor_name text,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        checked_at timestamptz,
        unique (order_id, idempotency_key)
      )`)
    this.addSql('create index refunds_order on refunds (order_id, created_at desc, id desc)')
    this.addSql(`create index refunds_open on refunds (updated_at) where state in ('STARTED', 'UNKNOWN', 'PENDING')`)
  }
}
