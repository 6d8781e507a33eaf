import { Migration } from '@mikro-orm/migrations'

/**
 * What lists and connections hold is known in memory, so nothing looks for products by what they have any more, but for tools of a size. Each
 * sale writes its product anew in every index.
 */
export class Migration093FewerIndexes extends Migration {
  override up() {
    this.addSql(`
      create index products_tools on products using gin (needle_mm, hook_mm)
      where kind in ('NEEDLES', 'HOOK') and published_at is not null and archived_at is null`)
    for (const index of ['lists', 'kind', 'weight_class', 'metres', 'per_100_m'])
      this.addSql(`drop index products_${index}`)
  }
}
