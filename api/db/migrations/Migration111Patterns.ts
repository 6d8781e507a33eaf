import { Migration } from '@mikro-orm/migrations'

/** Products that are not indexed for search in today's way, which tells patterns from notions. */
export class Migration111Patterns extends Migration {
  override up() {
    this.addSql('drop index products_unindexed')
    this.addSql('create index products_unindexed on products (id) where search_format is null or search_format < 5')
  }
}
