import { Migration } from '@mikro-orm/migrations'

/** What agents have said of a cart that is being ordered, and the order it became. */
export class Migration059AgentCheckouts extends Migration {
  override up() {
    this.addSql(`
      create table agent_checkouts (
        token_hash text primary key references carts (token_hash) on delete cascade,
        buyer jsonb not null,
        order_id uuid references orders (id),
        cancelled_at timestamptz
      )`)
  }
}
