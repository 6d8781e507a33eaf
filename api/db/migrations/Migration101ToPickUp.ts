import { Migration } from '@mikro-orm/migrations'

/** Orders that lie ready at the shop, newest first. */
export class Migration101ToPickUp extends Migration {
  override up() {
    this.addSql(`
      create index orders_to_pick_up on orders (created_at desc, id desc)
      where paid_at is not null and delivered_at is null and first_sent_at is not null and shipping_address -> 'isPickup' = 'true'`)
  }
}
