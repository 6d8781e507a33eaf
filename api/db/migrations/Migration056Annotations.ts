import { Migration } from '@mikro-orm/migrations'

const THINGS = { orders: 'order_id', products: 'product_id', users: 'user_id' } as const

/** Notes, tags and external ids of orders, products and accounts. */
export class Migration056Annotations extends Migration {
  override up() {
    const [references, of, once] = [
      Object.entries(THINGS).map(([table, column]) => `${column} uuid references ${table} (id)`),
      `num_nonnulls(${Object.values(THINGS).join(', ')}) = 1`,
      Object.values(THINGS).map(column => `unique (${column}, namespace)`),
    ]
    this.addSql(`
      create table annotations (
        ${references.map(reference => `${reference} unique`).join(',\n        ')},
        note text not null check (char_length(note) <= 5000),
        tags text[] not null check (cardinality(tags) <= 20),
        -- In small letters.
        tag_keys text[] not null check (cardinality(tag_keys) = cardinality(tags)),
        constraint annotations_of_one_thing check (${of})
      )`)
    this.addSql('create index annotations_by_tag on annotations using gin (tag_keys)')
    this.addSql(`
      create table external_ids (
        ${references.join(',\n        ')},
        namespace text not null check (namespace ~ '^[a-z0-9_.-]{1,50}$'),
        value text not null check (char_length(value) between 1 and 200),
        constraint external_ids_of_one_thing check (${of}),
        ${once.join(',\n        ')}
      )`)
    for (const [table, column] of Object.entries(THINGS))
      this.addSql(
        `create unique index external_ids_of_${table} on external_ids (namespace, value) where ${column} is not null`,
      )
    // What administrators look for by its value alone.
    this.addSql(
      'create index external_ids_of_orders_by_value on external_ids (lower(value)) where order_id is not null',
    )
  }
}
