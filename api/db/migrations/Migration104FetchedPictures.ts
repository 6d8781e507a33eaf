import { Migration } from '@mikro-orm/migrations'

/** Pictures that the rows of an import name at another host, and what became of fetching them. */
export class Migration104FetchedPictures extends Migration {
  override up() {
    this.addSql(`
      alter table product_import_rows
        add column picture_from text, add column picture_as text, add column picture_problem text,
        add column picture_tries smallint not null default 0;
      create index product_import_rows_to_fetch on product_import_rows (import_id, line)
        where picture_from is not null and picture_as is null and picture_problem is null;
      create index product_import_rows_not_fetched on product_import_rows (import_id) where picture_problem is not null;
      create index product_import_rows_fetched on product_import_rows (product_id) where picture_as is not null`)
  }
}
