import { Migration } from '@mikro-orm/migrations'

/** Typing errors are mended among words of letters alone: with SKUs the vocabulary grows as the catalogue does. */
export class Migration044Vocabulary extends Migration {
  override up() {
    this.addSql('drop index search_words_alike')
    this.addSql(
      `create index search_words_alike on search_words using gist (word gist_trgm_ops) where word !~ '[0-9]' and length(word) >= 3`,
    )
  }
}
