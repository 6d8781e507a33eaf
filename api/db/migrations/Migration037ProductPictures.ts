import { Migration } from '@mikro-orm/migrations'

/** Several pictures a product: with its row, as they are read with it and never without. */
export class Migration037ProductPictures extends Migration {
  override up() {
    this.addSql(`
      alter table products add column pictures jsonb not null default '[]'
        constraint products_have_a_list_of_pictures check (jsonb_typeof(pictures) = 'array')`)
    // Whether a file is still shown is asked for every file that may be cleared away.
    this.addSql(`
      create index products_by_picture on products using gin (pictures jsonb_path_ops)
      where pictures <> '[]' and archived_at is null`)
  }
}
