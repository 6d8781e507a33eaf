import { Migration } from '@mikro-orm/migrations'

/** Letters tell the hour by the clock of whoever reads them. */
export class Migration039TimeZones extends Migration {
  override up() {
    this.addSql('alter table orders add column time_zone text check (length(time_zone) <= 64)')
    this.addSql('alter table users add column time_zone text check (length(time_zone) <= 64)')
  }
}
