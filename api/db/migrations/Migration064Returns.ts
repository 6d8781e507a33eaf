import { Migration } from '@mikro-orm/migrations'

/** What of a parcel came back, and whether it is for sale again. */
export class Migration064Returns extends Migration {
  override up() {
    this.addSql(`
      alter table stock_movements drop constraint stock_movements_reason_check,
        add constraint stock_movements_reason_check check (reason in ('initial', 'sold', 'released', 'returned', 'adjusted'))`)
    this.addSql(`
      alter table fulfilment_lines
        add column returned_quantity integer not null default 0,
        add constraint fulfilment_lines_returned_once check (returned_quantity between 0 and quantity)`)
    this.addSql(`
      create table fulfilment_returns (
        id uuid primary key,
        fulfilment_id uuid not null references fulfilments (id),
        reason text check (char_length(reason) <= 200),
        -- cents
        value integer not null check (value >= 0),
        idempotency_key text,
        -- SHA-256 of what was said with the key.
        idempotency_hash text,
        created_at timestamptz not null,
        unique (fulfilment_id, idempotency_key)
      )`)
    this.addSql(`
      create table fulfilment_return_lines (
        id uuid primary key,
        return_id uuid not null references fulfilment_returns (id),
        line_id uuid not null references fulfilment_lines (id),
        quantity integer not null check (quantity > 0),
        is_restocked boolean not null,
        lots jsonb not null default '[]',
        constraint fulfilment_return_lines_lots_add_up check (lots = '[]' or units_of_lots(lots) = quantity),
        unique (return_id, line_id, is_restocked)
      )`)
    this.addSql('create index fulfilment_return_lines_of_line on fulfilment_return_lines (line_id)')
    this.addSql(`
      create or replace function lots_come_back_once() returns trigger language plpgsql as $$
        begin
          -- Returns of a line take turns.
          perform from fulfilment_lines where id = new.line_id for no key update;
          if exists (
            select from (
              select lot ->> 'code' as code, (lot ->> 'quantity')::bigint as units
              from fulfilment_lines l, jsonb_array_elements(l.lots) lot where l.id = new.line_id
              union all
              select lot ->> 'code', -(lot ->> 'quantity')::bigint
              from fulfilment_return_lines r, jsonb_array_elements(r.lots) lot where r.line_id = new.line_id
            ) moved group by code having sum(units) < 0
          ) then
            raise check_violation using
              message = 'more of a lot came back than parcel line ' || new.line_id || ' has',
              constraint = 'fulfilment_return_lines_lots_once';
          end if;
          return null;
        end
      $$`)
    this.addSql(`
      create trigger fulfilment_return_lines_lots_once after insert or update on fulfilment_return_lines
      for each row when (new.lots <> '[]') execute function lots_come_back_once()`)
    this.addSql(`
      create or replace function note_return_within_orders() returns trigger language plpgsql as $$
        begin
          update orders o set updated_at = clock_timestamp() from fulfilments f
          where f.id = new.fulfilment_id and o.id = f.order_id and o.updated_in <> pg_current_xact_id();
          return null;
        end
      $$`)
    this.addSql(`
      create constraint trigger fulfilment_returns_change_order after insert on fulfilment_returns
      deferrable initially deferred for each row execute function note_return_within_orders()`)
  }
}
