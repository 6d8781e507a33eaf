import { Migration } from '@mikro-orm/migrations'

/** Parcels say of which dye lots their units are, and no unit of a lot goes twice. */
export class Migration051LotsInParcels extends Migration {
  override up() {
    this.addSql(`
      alter table fulfilment_lines
        -- As in order_items. Empty without lots, and when nobody wrote down which.
        add column lots jsonb not null default '[]',
        add constraint fulfilment_lines_lots_add_up check (lots = '[]' or units_of_lots(lots) = quantity)`)
    // Of a part of a line from several lots nobody knows; of every other it can be said.
    this.addSql(`
      update fulfilment_lines l
      set lots = case when jsonb_array_length(i.lots) = 1 then jsonb_set(i.lots, '{0,quantity}', to_jsonb(l.quantity)) else i.lots end
      from order_items i where i.id = l.item_id and (l.quantity = i.quantity or jsonb_array_length(i.lots) = 1)`)
    this.addSql(`
      create or replace function lots_of_line(subject uuid) returns table (code text, ordered bigint, parcelled bigint, place bigint)
      language sql stable as $$
        with ordered as (
          select lot ->> 'code' as code, (lot ->> 'quantity')::bigint as units, place
          from order_items i, jsonb_array_elements(i.lots) with ordinality as o (lot, place) where i.id = subject
        ), parcelled as (
          select lot ->> 'code' as code, sum((lot ->> 'quantity')::bigint) as units
          from order_items i
          join fulfilments f on f.order_id = i.order_id and f.cancelled_at is null
          join fulfilment_lines l on l.fulfilment_id = f.id and l.item_id = i.id, jsonb_array_elements(l.lots) lot
          where i.id = subject group by 1
        )
        select code, coalesce(o.units, 0), coalesce(p.units, 0)::bigint, o.place from ordered o full join parcelled p using (code)
      $$`)
    this.addSql(`
      create or replace function lots_are_sent_once() returns trigger language plpgsql as $$
        begin
          -- Parcels of a line take turns.
          perform from order_items where id = new.item_id for no key update;
          if exists (select from lots_of_line(new.item_id) where parcelled > ordered) then
            raise check_violation using
              message = 'more of a lot in parcels than line ' || new.item_id || ' has', constraint = 'fulfilment_lines_lots_sent_once';
          end if;
          return null;
        end
      $$`)
    this.addSql(`
      create trigger fulfilment_lines_lots_sent_once after insert or update on fulfilment_lines
      for each row when (new.lots <> '[]') execute function lots_are_sent_once()`)
  }
}
