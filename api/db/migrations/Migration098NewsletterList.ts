import { Migration } from '@mikro-orm/migrations'

/** The list is read in the order in which addresses were confirmed. */
export class Migration098NewsletterList extends Migration {
  override up() {
    this.addSql('alter table newsletter_subscriptions add column id uuid not null default gen_random_uuid() unique')
    this.addSql(`
      create index newsletter_list on newsletter_subscriptions (confirmed_at, id)
        where confirmed_at is not null and unsubscribed_at is null`)
  }
}
