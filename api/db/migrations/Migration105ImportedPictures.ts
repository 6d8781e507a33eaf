import { Migration } from '@mikro-orm/migrations'

/** All pictures of an imported product at another host, and no longer its first one alone, which stood in its row. */
export class Migration105ImportedPictures extends Migration {
  override up() {
    this.addSql(`
      create table product_import_pictures (
        import_id uuid not null,
        line integer not null,
        -- 0 for the product's first.
        place smallint not null,
        product_id uuid not null,
        address text not null,
        alt text not null default '',
        -- The shop's own copy, and whether the product was given it.
        stored_as text,
        is_given boolean not null default false,
        problem text,
        tries smallint not null default 0,
        primary key (import_id, line, place),
        foreign key (import_id, line) references product_import_rows (import_id, line) on delete cascade
      );
      create index product_import_pictures_to_fetch on product_import_pictures (import_id, line, place)
        where not is_given and problem is null;
      create index product_import_pictures_not_fetched on product_import_pictures (import_id, line) where problem is not null;
      create index product_import_pictures_stored on product_import_pictures (stored_as) where stored_as is not null and not is_given;
      create index product_import_pictures_given on product_import_pictures (product_id) where is_given`)
    this.addSql(`
      insert into product_import_pictures (import_id, line, place, product_id, address, stored_as, is_given, problem, tries)
      select import_id, line, 0, product_id, picture_from, picture_as, picture_as is not null, picture_problem, picture_tries
      from product_import_rows where picture_from is not null and product_id is not null`)
    // The columns of before go with a later release.
    this.addSql('drop index product_import_rows_to_fetch, product_import_rows_not_fetched, product_import_rows_fetched')
  }
}
