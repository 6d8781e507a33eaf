import { Migration } from '@mikro-orm/migrations'

/** Columns that nobody outside is shown, or that follow from others: their changes are no change of the thing. */
const INTERNAL = {
  products: [
    'place',
    'facts_changed',
    'sold_last_90_days',
    'search_document',
    'search_text',
    'score',
    'price_per_100_m',
    'metres_per_100_g',
    'colour_family',
  ],
  orders: [
    'paypal_order_id',
    'paypal_watched_from',
    'paypal_checked_at',
    'payment_attempt',
    'payment_started_at',
    'placed_from',
  ],
  reviews: [],
  users: ['password_hash', 'email_key'],
}

/** When each thing last changed, and in which transaction: what partners read changes by. */
export class Migration032Changes extends Migration {
  override up() {
    // Transactions are numbered by the database cluster, so a number means nothing in another database.
    this.addSql(`
      do $$ begin
        execute format('create or replace function change_epoch() returns text language sql immutable parallel safe as %L',
          format('select %L::text', gen_random_uuid()::text));
      end $$`)
    for (const [table, internal] of Object.entries(INTERNAL)) this.noteChanges(table, internal)
    this.noteChildren()
    this.addSql(`
      alter table events
        -- The transaction that wrote it down. All events of earlier ones are there once none of those is under way.
        add column recorded_in xid8 not null default pg_current_xact_id()`)
    this.addSql('create index events_in_order on events (recorded_in, id)')
    this.addSql(`
      create or replace function note_recording() returns trigger language plpgsql as $$
        begin
          new.recorded_in := pg_current_xact_id();
          return new;
        end
      $$`)
    this.addSql('create trigger events_recorded before insert on events for each row execute function note_recording()')
  }

  private noteChanges(table: string, internal: readonly string[]) {
    this.addSql(`
      alter table ${table}
        add column updated_at timestamptz,
        add column updated_in xid8 not null default pg_current_xact_id()`)
    this.addSql(`update ${table} set updated_at = created_at`)
    this.addSql(
      `alter table ${table} alter column updated_at set not null, alter column updated_at set default clock_timestamp()`,
    )
    this.addSql(`create index ${table}_updated on ${table} (updated_in, id)`)
    // Whatever column is added later counts as shown: one change too many told is better than one too few.
    this.addSql(`
      create or replace function note_change_of_${table}() returns trigger language plpgsql as $$
        declare
          seen ${table};
        begin
          if tg_op = 'INSERT' then
            new.updated_in := pg_current_xact_id();
            return new;
          end if;
          seen := old;
          ${['updated_in', ...internal].map(column => `seen.${column} := new.${column};`).join('\n          ')}
          if not (seen *= new) then
            new.updated_at := clock_timestamp();
            new.updated_in := pg_current_xact_id();
          end if;
          return new;
        end
      $$`)
    this.addSql(
      `create trigger ${table}_updated before insert or update on ${table} for each row execute function note_change_of_${table}()`,
    )
  }

  /** What is shown with a thing and lies in a table of its own. At the end of the transaction, so that no row is locked early. */
  private noteChildren() {
    for (const [parent, column] of [
      ['orders', 'order_id'],
      ['users', 'account_id'],
    ] as const)
      this.addSql(`
        create or replace function note_change_within_${parent}() returns trigger language plpgsql as $$
          begin
            update ${parent} set updated_at = clock_timestamp() where id = new.${column} and updated_in <> pg_current_xact_id();
            return null;
          end
        $$`)
    for (const [table, parent] of [
      ['refunds', 'orders'],
      ['order_incidents', 'orders'],
      ['payments', 'orders'],
    ] as const)
      this.addSql(`
        create constraint trigger ${table}_change_order after insert or update on ${table}
        deferrable initially deferred for each row execute function note_change_within_${parent}()`)
    this.addSql(`
      create constraint trigger payment_attempts_begun after insert on payment_attempts
      deferrable initially deferred for each row execute function note_change_within_orders()`)
    this.addSql(`
      create constraint trigger payment_attempts_went_on after update on payment_attempts
      deferrable initially deferred for each row when (old.state is distinct from new.state)
      execute function note_change_within_orders()`)
    this.addSql(`
      create constraint trigger api_keys_made after insert on api_keys
      deferrable initially deferred for each row execute function note_change_within_users()`)
    this.addSql(`
      create constraint trigger api_keys_revoked after update on api_keys
      deferrable initially deferred for each row
      when (old.revoked_at is distinct from new.revoked_at or old.name is distinct from new.name)
      execute function note_change_within_users()`)
  }
}
