import { Migration } from '@mikro-orm/migrations'

/**
 * A review keeps what its product is called, so that one index finds words of both: a search in two tables reads every review.
 * Whoever writes a review has changed its product's row before (write-review.ts), so no other name comes between.
 */
export class Migration076ReviewSearch extends Migration {
  override up() {
    this.addSql(`alter table reviews add column product_name text not null default ''`)
    // As in Migration032Changes, but that a renamed product is no change of its reviews.
    this.addSql(`
      create or replace function note_change_of_reviews() returns trigger language plpgsql as $$
        declare
          seen reviews;
        begin
          if tg_op = 'INSERT' then
            new.updated_in := pg_current_xact_id();
            return new;
          end if;
          seen := old;
          seen.updated_in := new.updated_in;
          seen.product_name := new.product_name;
          if not (seen *= new) then
            new.updated_at := clock_timestamp();
            new.updated_in := pg_current_xact_id();
          end if;
          return new;
        end
      $$`)
    this.addSql(`
      create or replace function name_product_of_review() returns trigger language plpgsql as $$
        begin
          new.product_name := coalesce((select name from products where id = new.product_id), '');
          return new;
        end
      $$`)
    this.addSql(`
      create trigger reviews_product_named before insert on reviews for each row execute function name_product_of_review()`)
    this.addSql(`
      create or replace function rename_product_in_reviews() returns trigger language plpgsql as $$
        begin
          update reviews set product_name = new.name where product_id = new.id;
          return null;
        end
      $$`)
    this.addSql(`
      create trigger products_renamed after update of name on products for each row
      when (old.name is distinct from new.name) execute function rename_product_in_reviews()`)
    this.addSql('drop index reviews_search')
    this.addSql('update reviews set product_name = p.name from products p where p.id = product_id')
    this.addSql(
      `create index reviews_search on reviews using gin (lower(name || ' ' || comment || ' ' || product_name) gin_trgm_ops)`,
    )
  }
}
