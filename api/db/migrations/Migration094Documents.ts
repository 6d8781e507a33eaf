import { Migration } from '@mikro-orm/migrations'

/**
 * The words of products once more, in rows of their own: whatever a word is in is read from a table of a third of the size, and no sale writes
 * words again. Of products that are not for sale there are none.
 */
export class Migration094Documents extends Migration {
  override up() {
    this.addSql(`
      create table product_documents (
        place integer primary key references products (place) on delete cascade,
        document tsvector not null
      )`)
    this.addSql(`
      create or replace function write_product_document() returns trigger language plpgsql as $$
        begin
          if new.search_document is null then
            delete from product_documents where place = new.place;
          else
            insert into product_documents (place, document) values (new.place, new.search_document)
            on conflict (place) do update set document = excluded.document;
          end if;
          return null;
        end
      $$`)
    this.addSql(`
      create trigger products_document_added after insert on products for each row
      when (new.search_document is not null) execute function write_product_document()`)
    this.addSql(`
      create trigger products_document_changed after update of search_document on products for each row
      when (old.search_document is distinct from new.search_document) execute function write_product_document()`)
    // Nobody writes meanwhile: the triggers have locked the table.
    this.addSql(`
      insert into product_documents (place, document)
      select place, search_document from products where search_document is not null order by place`)
    this.addSql('create index product_documents_words on product_documents using gin (document)')
    this.addSql('drop index products_documents')
    this.addSql('analyze product_documents')
  }
}
