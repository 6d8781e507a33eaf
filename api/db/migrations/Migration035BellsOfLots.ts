import { Migration } from '@mikro-orm/migrations'

/** Who is told when one dye lot of a product is back, rather than any of it. */
export class Migration035BellsOfLots extends Migration {
  override up() {
    this.addSql(`
      alter table bells
        -- Empty: whatever there is of the product.
        add column lot text not null default '' check (char_length(lot) <= 40),
        drop constraint bells_product_id_user_id_key,
        drop constraint bells_product_id_email_key_key,
        add unique (product_id, lot, user_id),
        add unique (product_id, lot, email_key)`)
    this.addSql(`alter table bell_links add column lot text not null default '' check (char_length(lot) <= 40)`)
  }
}
