import { Migration } from '@mikro-orm/migrations'

/** What an administrator has to look at is a list: one text would forget the first incident at the second. */
export class Migration012Incidents extends Migration {
  override up() {
    this.addSql(`
      create table order_incidents (
        id uuid primary key,
        order_id uuid not null references orders (id),
        code text not null,
        data jsonb not null,
        at timestamptz not null,
        resolved_at timestamptz,
        resolved_by_id uuid references users (id),
        resolved_by_name text,
        constraint order_incidents_once unique (order_id, code, data),
        constraint order_incidents_resolved_by_someone check ((resolved_at is null) = (resolved_by_name is null))
      )`)
    this.addSql('create index order_incidents_open on order_incidents (order_id) where resolved_at is null')
    this.addSql(`
      insert into order_incidents (id, order_id, code, data, at)
      select gen_random_uuid(), id, 'NOTED', jsonb_build_object('text', attention), now() from orders where attention is not null`)
    // Takes its index along.
    this.addSql('alter table orders drop column attention')
  }
}
