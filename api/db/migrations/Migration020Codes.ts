import { Migration } from '@mikro-orm/migrations'

/** Discount codes, who used them, and what they took off orders. */
export class Migration020Codes extends Migration {
  override up() {
    this.addSql(`
      create table discount_codes (
        id uuid primary key,
        code text not null unique check (code ~ '^[A-Z0-9][A-Z0-9-]{2,23}$'),
        -- The code itself does not work, only those of series_codes.
        is_series boolean not null default false,
        kind text not null,
        basis_points integer not null default 0,
        amount integer not null default 0,
        minimum integer not null default 0 check (minimum >= 0),
        product_ids uuid[] not null default '{}',
        categories text[] not null default '{}',
        starts_at timestamptz,
        ends_at timestamptz,
        max_uses integer check (max_uses > 0),
        max_uses_per_person integer check (max_uses_per_person > 0),
        is_for_first_order boolean not null default false,
        paused_at timestamptz,
        created_at timestamptz not null,
        constraint discount_codes_give_one_thing check (
          (kind = 'PERCENT' and basis_points between 1 and 10000 and amount = 0) or
          (kind = 'AMOUNT' and amount > 0 and basis_points = 0) or
          (kind = 'FREE_SHIPPING' and amount = 0 and basis_points = 0)),
        constraint discount_codes_begin_before_they_end check (starts_at < ends_at)
      )`)
    this.addSql(`
      create table series_codes (
        code text primary key,
        discount_code_id uuid not null references discount_codes (id),
        created_at timestamptz not null
      )`)
    this.addSql(`
      create table code_uses (
        order_id uuid primary key references orders (id),
        discount_code_id uuid not null references discount_codes (id),
        -- Null for a code that is no series.
        series_code text references series_codes (code),
        user_id uuid not null references users (id),
        -- Off the items, and shipping that was not charged.
        saved integer not null check (saved >= 0),
        taken_at timestamptz not null,
        -- When the order lapsed or was cancelled: the use is free for another.
        given_back_at timestamptz
      )`)
    this.addSql('create unique index code_uses_once on code_uses (series_code) where given_back_at is null')
    this.addSql('create index code_uses_of_person on code_uses (discount_code_id, user_id)')

    this.addSql(`
      alter table orders
        add column discount_code text,
        add column discount integer not null default 0,
        drop constraint orders_check,
        add constraint orders_total_of_parts check (total_price = items_price - discount + shipping_price + tax_price),
        add constraint orders_discount_of_items check (discount between 0 and items_price),
        add constraint orders_discount_by_code check (discount = 0 or discount_code is not null)`)
    this.addSql(`
      alter table order_items
        add column discount integer not null default 0,
        add constraint order_items_discount_of_line check (discount >= 0 and discount <= price::bigint * quantity)`)

    this.addSql('alter table audit_entries drop constraint audit_entries_entity_check')
    this.addSql(`
      alter table audit_entries add constraint audit_entries_entity_check
        check (entity in ('PRODUCT', 'USER', 'ORDER', 'REVIEW', 'IMPORT', 'API_KEY', 'WEBHOOK', 'DISCOUNT_CODE'))`)

    // The code of the sign-up box, and a series to hand out codes of.
    this.addSql(`
      insert into discount_codes (id, code, is_series, kind, basis_points, max_uses_per_person, is_for_first_order, created_at) values
        ('019ab000-0000-7000-8000-000000000015', 'CASTON15', false, 'PERCENT', 1500, 1, true, now()),
        ('019ab000-0000-7000-8000-000000000016', 'WELCOME', true, 'PERCENT', 1500, 1, false, now())`)
  }
}
