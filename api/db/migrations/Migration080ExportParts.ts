import { Migration } from '@mikro-orm/migrations'

/** An export is written in parts, which every process can read. What was written into one file has to be asked for again. */
export class Migration080ExportParts extends Migration {
  override up() {
    this.addSql(`alter table exports add column parts text[] not null default '{}'`)
    this.addSql(`
      update exports set state = 'FAILED', ended_at = now(), row_count = 0, bytes = 0, cursor = null,
        problem = 'The shop was updated meanwhile: export it again.'
      where state in ('RUNNING', 'DONE')`)
    this.addSql('update exports set bytes = 0')
    // A process that knows no parts yet leaves what was begun to one that does.
    this.addSql(`alter table exports add check ((bytes = 0) = (parts = '{}'))`)
  }
}
