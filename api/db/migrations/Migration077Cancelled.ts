import { Migration } from '@mikro-orm/migrations'

/** Cancelled orders have their own index: among all that lapsed they are read past those nobody cancelled. */
export class Migration077Cancelled extends Migration {
  override up() {
    this.addSql(`
      create index orders_cancelled on orders (created_at desc, id desc)
      where paid_at is null and lapsed_at is not null and cancelled_at is not null`)
  }
}
