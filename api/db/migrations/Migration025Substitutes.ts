import { Migration } from '@mikro-orm/migrations'

/** Yarns in stock by how thick and how thin they are, so that the closest ones are found without reading all. */
export class Migration025Substitutes extends Migration {
  override up() {
    this.addSql(`
      alter table products
        add column metres_per_100_g double precision generated always as ((facts ->> 'metresPer100g')::double precision) stored`)
    this.addSql(`
      create index products_alike on products (weight_class, metres_per_100_g, id)
      where kind = 'YARN' and count_in_stock > 0 and published_at is not null and archived_at is null`)
  }
}
