import { Migration } from '@mikro-orm/migrations'

/**
 * What is searched stays in a product's row, as far as that has room for it, from when it is next written: ranking reads it of up
 * to a thousand products, which took twice as long where each had to be fetched from beside the table.
 */
export class Migration071Documents extends Migration {
  override up() {
    this.addSql('alter table products set (toast_tuple_target = 4080)')
  }
}
