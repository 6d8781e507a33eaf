import { Migration } from '@mikro-orm/migrations'

/**
 * What is looked for at each start, and mostly not there: products that are not indexed for search in today's way, and whose pictures nobody has
 * looked at in today's way. Where the way changes, an index for it takes the place of the one here.
 */
export class Migration092Unfinished extends Migration {
  override up() {
    this.addSql('create index products_unindexed on products (id) where search_format is null or search_format < 4')
    this.addSql(`
      create index products_unseen on products (id) where archived_at is null and image ~ '^/[a-z]+/'
        and (picture_colours is null or picture_colours ->> 'image' <> image or (picture_colours ->> 'reading')::int < 2)`)
  }
}
