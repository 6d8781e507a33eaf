import { Migration } from '@mikro-orm/migrations'

/** Events are numbered for each thing they happen to, and webhooks hear of them in order, from where they stopped. */
export class Migration066EventsInOrder extends Migration {
  override up() {
    this.addSql(`
      create table event_sequences (
        subject_id uuid primary key,
        -- How many events have happened to it. Whoever records one holds the row until it is committed.
        last integer not null
      )`)
    this.addSql(`
      alter table events
        -- Counts the events of one thing from 1, in the order they were committed.
        add column sequence integer,
        -- The order in which they were handed on. Null: it still waits.
        add column place bigint`)
    this.addSql(`
      update events e set sequence = s.n
      from (select id, row_number() over (partition by subject_id order by id) as n from events) s where s.id = e.id`)
    this.addSql('alter table events alter column sequence set not null')
    this.addSql(
      'insert into event_sequences (subject_id, last) select subject_id, max(sequence) from events group by subject_id',
    )
    this.addSql('create sequence event_places')
    this.addSql(`
      update events e set place = p.place
      from (select id, nextval('event_places') as place from (select id from events where relayed_at is not null order by id) o) p
      where p.id = e.id`)
    this.addSql('create unique index events_by_place on events (place)')
    this.addSql('drop index events_waiting')
    this.addSql('create index events_waiting on events (sequence, id) where relayed_at is null')
    this.addSql(`
      alter table webhooks
        -- The place of the last event it has heard of.
        add column heard_until bigint not null default 0,
        -- Until when a process sends to it.
        add column leased_until timestamptz`)
    this.addSql('update webhooks set heard_until = (select coalesce(max(place), 0) from events)')
    this.addSql(`
      alter table webhook_deliveries
        -- What happened to, and its event's place: those of one thing arrive in order. Null: sent by hand, in no order.
        add column subject_id uuid,
        add column place bigint,
        -- Attempts since it was made, or sent again by hand.
        add column attempt integer not null default 0`)
    this.addSql(`update webhook_deliveries set attempt = jsonb_array_length(attempts)`)
    this.addSql(
      `create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, place) where state = 'PENDING'`,
    )
    this.addSql(
      `create index webhook_deliveries_in_order on webhook_deliveries (webhook_id, subject_id, place) where state = 'PENDING'`,
    )
  }
}
