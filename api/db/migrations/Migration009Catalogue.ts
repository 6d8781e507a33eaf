import { Migration } from '@mikro-orm/migrations'

/** Orders of all that is in stock, the best by plain rating, pictures under one address each. */
export class Migration009Catalogue extends Migration {
  override up() {
    this.addSql('alter table order_items drop constraint order_items_quantity_check')
    this.addSql(
      'alter table order_items add constraint order_items_quantity_check check (quantity between 1 and 1000000)',
    )
    this.addSql(`
      create index products_best_rated on products ((rating_sum::float8 / greatest(num_reviews, 1)) desc, num_reviews desc, id desc)
      where published_at is not null and archived_at is null`)
    for (const table of ['products', 'order_items']) {
      this.addSql(
        `update ${table} set image = regexp_replace(image, '^/+(backend/+)?', '/') where image ~ '^/+(/|backend/)'`,
      )
    }
  }
}
