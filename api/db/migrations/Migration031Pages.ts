import { Migration } from '@mikro-orm/migrations'

/** Pages about the shop, which its owner can change. */
export class Migration031Pages extends Migration {
  override up() {
    this.addSql(`
      create table pages (
        id uuid primary key,
        slug text not null unique,
        -- Null while it is the text the shop comes with.
        title text,
        markdown text,
        version integer not null default 1,
        updated_at timestamptz,
        constraint pages_changed_as_a_whole check ((title is null) = (markdown is null) and (title is null) = (updated_at is null))
      )`)
    this.addSql(`
      insert into pages (id, slug) values
        ('019ab000-0000-7000-8000-000000000031', 'shipping-and-returns'),
        ('019ab000-0000-7000-8000-000000000032', 'contact'),
        ('019ab000-0000-7000-8000-000000000033', 'about'),
        ('019ab000-0000-7000-8000-000000000034', 'privacy'),
        ('019ab000-0000-7000-8000-000000000035', 'terms'),
        ('019ab000-0000-7000-8000-000000000036', 'accessibility')`)
    // The contract says which things have a history.
    this.addSql('alter table audit_entries drop constraint if exists audit_entries_entity_check')
  }
}
