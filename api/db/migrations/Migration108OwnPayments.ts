import { Migration } from '@mikro-orm/migrations'

/** Money that the shop takes itself, without PayPal. */
export class Migration108OwnPayments extends Migration {
  override up() {
    this.addSql(`
      alter table payments
        add column method text not null default 'PAYPAL',
        add column note text,
        alter column paypal_order_id drop not null,
        add constraint payments_by_paypal_have_its_id check ((method = 'PAYPAL') = (paypal_order_id is not null))`)
  }
}
