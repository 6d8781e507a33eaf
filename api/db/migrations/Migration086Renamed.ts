import { Migration } from '@mikro-orm/migrations'

/** A new name is told to the order of names that is in memory, even if it has the same words. */
export class Migration086Renamed extends Migration {
  override up() {
    this.addSql(`
      create trigger products_name_changed before update of name on products for each row
      when (old.name is distinct from new.name) execute function note_changed_facts()`)
  }
}
