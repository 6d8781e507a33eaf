import { Migration } from '@mikro-orm/migrations'

/** Partners' addresses that hear of events, and what was sent to them. */
export class Migration006Webhooks extends Migration {
  override up() {
    this.addSql(`
      create table webhooks (
        id uuid primary key,
        url text not null,
        description text not null,
        events text[] not null check (cardinality(events) > 0),
        -- As it is, because requests are signed with it. Nothing ever answers it again.
        secret text not null,
        -- The one before the last rotation; signs along until then.
        previous_secret text,
        previous_secret_until timestamptz,
        enabled boolean not null default true,
        -- Why the shop paused it.
        attention text,
        created_at timestamptz not null default now(),
        created_by_id uuid not null references users (id),
        last_success_at timestamptz,
        last_failure_at timestamptz,
        last_failure text,
        -- The first failure since the last success.
        failing_since timestamptz,
        check ((previous_secret is null) = (previous_secret_until is null)),
        check ((last_failure is null) = (last_failure_at is null))
      )`)
    this.addSql('create index webhooks_newest on webhooks (created_at desc, id desc)')
    this.addSql(`
      create table webhook_deliveries (
        id uuid primary key,
        webhook_id uuid not null references webhooks (id) on delete cascade,
        event_id uuid not null,
        type text not null,
        -- Exactly the bytes that are signed.
        body text not null,
        state text not null default 'PENDING' check (state in ('PENDING', 'DELIVERED', 'FAILED')),
        -- [{ at, status, durationMs, error, responseExcerpt }], oldest first.
        attempts jsonb not null default '[]',
        next_attempt_at timestamptz,
        -- Counts attempts and replays; only the job that has this number makes the next attempt.
        turn integer not null default 1,
        created_at timestamptz not null default now(),
        unique (webhook_id, event_id)
      )`)
    this.addSql('create index webhook_deliveries_newest on webhook_deliveries (webhook_id, created_at desc, id desc)')
    this.addSql(
      'create index webhook_deliveries_by_state on webhook_deliveries (webhook_id, state, created_at desc, id desc)',
    )
    this.addSql('create index webhook_deliveries_by_age on webhook_deliveries (created_at)')
    this.addSql('alter table audit_entries drop constraint if exists audit_entries_entity_check')
    this.addSql(`
      alter table audit_entries add constraint audit_entries_entity_check
        check (entity in ('PRODUCT', 'USER', 'ORDER', 'REVIEW', 'IMPORT', 'API_KEY', 'WEBHOOK'))`)
  }
}
