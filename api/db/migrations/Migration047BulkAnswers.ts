import { Migration } from '@mikro-orm/migrations'

/** What changes in bulk were answered, so that one that is sent again is not made again. */
export class Migration047BulkAnswers extends Migration {
  override up() {
    this.addSql(`
      create table bulk_answers (
        user_id uuid not null references users (id),
        key text not null check (char_length(key) between 1 and 255),
        -- SHA-256 of what was asked, hex.
        hash text not null,
        -- Null only within the transaction that makes the change.
        answer jsonb,
        created_at timestamptz not null default now(),
        primary key (user_id, key)
      )`)
    this.addSql('create index bulk_answers_by_age on bulk_answers (created_at)')
  }
}
