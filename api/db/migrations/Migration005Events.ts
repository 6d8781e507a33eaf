import { Migration } from '@mikro-orm/migrations'

/** What happened, for those who want to hear of it: written with the change, told afterwards. */
export class Migration005Events extends Migration {
  override up() {
    this.addSql(`
      create table events (
        id uuid primary key,
        type text not null check (type in ('ORDER_PLACED', 'ORDER_PAID', 'ORDER_DELIVERED', 'ORDER_LAPSED', 'ORDER_REFUNDED', 'PRODUCT_CHANGED', 'STOCK_LOW')),
        -- The order or product it happened to.
        subject_id uuid not null,
        -- The subject as it was then; nothing about people.
        data jsonb not null,
        created_at timestamptz not null default now(),
        -- When it was handed to everyone who wants to hear of it. Null: it still waits.
        relayed_at timestamptz
      )`)
    this.addSql('create index events_waiting on events (id) where relayed_at is null')
    this.addSql('create index events_by_age on events (created_at)')
  }
}
