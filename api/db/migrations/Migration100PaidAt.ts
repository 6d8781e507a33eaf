import { Migration } from '@mikro-orm/migrations'

/** `orders_paid_at_first` begins with the same column and is asked all that this one was. */
export class Migration100PaidAt extends Migration {
  override up() {
    this.addSql('drop index orders_paid_at')
  }
}
