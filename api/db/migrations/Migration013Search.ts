import { Migration } from '@mikro-orm/migrations'
import { SYNONYMS } from '../../catalog/search/synonyms.ts'

/** What products are found by: a document of weighted words each, the vocabulary of all, and words that mean the same. */
export class Migration013Search extends Migration {
  override up() {
    this.addSql(`
      alter table products
        -- Null until index-products.ts wrote it, and of what is not for sale.
        add column search_document tsvector,
        -- How it was written; a product indexed in an older way is indexed again.
        add column search_format integer,
        add column kind text,
        add column weight_class smallint,
        add column fibres text[] not null default '{}',
        add column colours text[] not null default '{}',
        add column needle_mm double precision[] not null default '{}',
        add column hook_mm double precision[] not null default '{}',
        add column superwash boolean,
        add column metres double precision,
        add column price_per_100_m double precision generated always as (price * 100 / nullif(metres, 0)) stored`)
    this.addSql('create index products_documents on products using gin (search_document)')
    // Nothing looks into this text for shoppers any more.
    this.addSql('drop index products_search')

    // A word without its endings, as in search documents.
    this.addSql(`
      create or replace function search_stem(words text) returns text language sql immutable strict parallel safe as $$
        select coalesce(string_agg(coalesce((ts_lexize('english_stem', word))[1], word), ' ' order by place), '')
        from unnest(string_to_array(words, ' ')) with ordinality as w(word, place)
      $$`)
    this.addSql(
      `create table search_words (word text collate "C" primary key, stem text not null generated always as (search_stem(word)) stored)`,
    )
    this.addSql('create index search_words_stem on search_words (stem)')
    this.addSql('create index search_words_alike on search_words using gist (word gist_trgm_ops)')
    this.addSql(`
      create table search_synonyms (
        meaning integer not null,
        words text not null,
        stem text not null generated always as (search_stem(words)) stored,
        primary key (meaning, words)
      )`)
    this.addSql('create index search_synonyms_stem on search_synonyms (stem)')
    const rows = SYNONYMS.flatMap((alike, meaning) => alike.map(words => `(${meaning + 1}, '${words}')`))
    this.addSql(`insert into search_synonyms (meaning, words) values ${rows.join(', ')}`)
  }
}
