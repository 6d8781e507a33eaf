import { Migration } from '@mikro-orm/migrations'

/** What sells best is told to lists that are in memory, and whether the words of a product changed or only its figures. */
export class Migration067Orders extends Migration {
  override up() {
    this.addSql(`
      -- The transaction that last changed the words that a product is found by. Null when that was before there was this column.
      alter table products add column document_changed xid8`)
    this.addSql(`
      create or replace function note_changed_facts() returns trigger language plpgsql as $$
        begin
          new.facts_changed := pg_current_xact_id();
          if tg_op = 'INSERT' then
            new.document_changed := new.facts_changed;
          elsif new.search_document is distinct from old.search_document then
            new.document_changed := new.facts_changed;
          end if;
          return new;
        end
      $$`)
    this.addSql(`
      create trigger products_sales_counted before update of sold_last_90_days on products for each row
      when (old.sold_last_90_days is distinct from new.sold_last_90_days) execute function note_changed_facts()`)
  }
}
