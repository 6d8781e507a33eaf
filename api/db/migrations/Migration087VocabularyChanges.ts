import { Migration } from '@mikro-orm/migrations'

/**
 * Tells which transactions changed the words or the synonyms of the shop, so that what keywords were read as is kept until then. Each
 * has a row of its own, so that nobody waits for anybody.
 */
export class Migration087VocabularyChanges extends Migration {
  override up() {
    this.addSql('create table vocabulary_changes (changed_in xid8 primary key)')
    this.addSql(`
      create or replace function note_vocabulary_change() returns trigger language plpgsql as $$
        begin
          insert into vocabulary_changes values (pg_current_xact_id()) on conflict do nothing;
          return null;
        end
      $$`)
    for (const table of ['search_words', 'search_synonyms'])
      this.addSql(`
        create trigger ${table}_changed after insert or update or delete on ${table} for each row
        execute function note_vocabulary_change()`)
  }
}
