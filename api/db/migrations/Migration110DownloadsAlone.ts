import { Migration } from '@mikro-orm/migrations'

/** Products of which nothing is sent, and what is ordered of them. */
export class Migration110DownloadsAlone extends Migration {
  override up() {
    this.addSql(`
      alter table products add column is_download boolean not null default false,
        add constraint downloads_have_no_lots check (not (is_download and kept_by_lot))`)
    this.addSql(`
      alter table order_items add column is_download boolean not null default false,
        add constraint downloads_wait_for_no_parcel check (not is_download or fulfilled_quantity = quantity)`)
    this.addSql('alter table orders add column is_download boolean not null default false')
  }
}
