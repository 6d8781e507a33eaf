import { Migration } from '@mikro-orm/migrations'

/** Money that the shop takes itself, without PayPal. */
export class Migration108OwnPayments extends Migration {
  override up() {
    this.addSql(`
      alter table payments
        add column method text not null default 'PAYPAL',
        add column note text,
        add constraint payments_have_ids_of_their_kind check ((method = 'PAYPAL') = (capture_id not like 'shop:%'))`)
  }
}
