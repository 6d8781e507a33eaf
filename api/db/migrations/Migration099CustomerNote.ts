import { Migration } from '@mikro-orm/migrations'

/** What a shopper wants the shop to know about an order. */
export class Migration099CustomerNote extends Migration {
  override up() {
    this.addSql('alter table orders add column customer_note text check (char_length(customer_note) between 1 and 500)')
  }
}
