import { Migration } from '@mikro-orm/migrations'

/** What a webhook hears of can be narrowed to some products, and to what has some tags. */
export class Migration069WebhookFilters extends Migration {
  override up() {
    this.addSql(`
      alter table webhooks
        -- All when empty, both.
        add column skus text[] not null default '{}',
        add column tags text[] not null default '{}'`)
  }
}
