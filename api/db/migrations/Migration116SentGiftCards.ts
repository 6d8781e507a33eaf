import { Migration } from '@mikro-orm/migrations'

/** Gift cards that their buyer sends to somebody. */
export class Migration116SentGiftCards extends Migration {
  override up() {
    this.addSql(`alter table gift_cards add column sends integer not null default 0,
      add constraint gift_cards_are_sent_seldom check (sends between 0 and 3)`)
  }
}
