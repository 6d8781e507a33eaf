import { Migration } from '@mikro-orm/migrations'

/** What the owner needs to run the shop: SKUs, lists that sort and search, hidden reviews, imports, the audit log. */
export class Migration002Admin extends Migration {
  override up() {
    this.products()
    this.orders()
    this.users()
    this.reviews()
    this.imports()
    this.audit()
  }

  private products() {
    // The database makes the SKU of a product that comes without one, so that no two processes make the same.
    this.addSql('create sequence product_skus start with 1001')
    this.addSql(
      `alter table products add column sku text not null default 'SKN-' || nextval('product_skus') check (sku ~ '^[A-Z0-9][A-Z0-9._-]{0,63}$')`,
    )
    // An archived product gives its SKU free: an import that was undone can be imported again.
    this.addSql('create unique index products_sku on products (sku) where archived_at is null')

    const there = 'where archived_at is null'
    this.addSql(`create index products_admin_search on products using gin (search_text gin_trgm_ops) ${there}`)
    this.addSql(`create index products_sku_search on products using gin (lower(sku) gin_trgm_ops) ${there}`)
    this.addSql(`create index products_by_name on products (lower(name), id) ${there}`)
    this.addSql(`create index products_by_price on products (price, id) ${there}`)
    this.addSql(`create index products_by_stock on products (count_in_stock, id) ${there}`)
    this.addSql(`create index products_by_category on products (lower(category), id) ${there}`)
    this.addSql(`create index products_category on products (category, created_at desc, id desc) ${there}`)
    this.addSql(
      `create index products_drafts on products (created_at desc, id desc) where archived_at is null and published_at is null`,
    )
    this.addSql(
      `create index products_by_rating on products ((rating_sum::float8 / greatest(num_reviews, 1)), id) ${there}`,
    )
    // Who still shows an uploaded picture.
    this.addSql(`create index products_uploads on products (image) where image like '/uploads/%'`)
    this.addSql(`create index order_items_uploads on order_items (image) where image like '/uploads/%'`)
  }

  private orders() {
    this.addSql(`create index orders_search on orders using gin (lower(user_name || ' ' || user_email) gin_trgm_ops)`)
    this.addSql('create index orders_by_total on orders (total_price, id)')
    this.addSql('create index orders_by_name on orders (lower(user_name), id)')
    // Null comes last in both directions, which one index cannot give.
    for (const column of ['paid_at', 'delivered_at']) {
      this.addSql(`create index orders_${column}_first on orders (${column}, id)`)
      this.addSql(`create index orders_${column}_last on orders (${column} desc nulls last, id desc)`)
    }
    const newest = '(created_at desc, id desc)'
    this.addSql(`create index orders_unpaid on orders ${newest} where paid_at is null and lapsed_at is null`)
    this.addSql(`create index orders_lapsed on orders ${newest} where paid_at is null and lapsed_at is not null`)
    this.addSql(`create index orders_paid on orders ${newest} where paid_at is not null`)
    this.addSql(
      `create index orders_to_deliver on orders (paid_at, id) where paid_at is not null and delivered_at is null`,
    )
    this.addSql(`create index orders_delivered on orders ${newest} where delivered_at is not null`)
    this.addSql(`create index orders_attention on orders ${newest} where attention is not null`)
  }

  private users() {
    const open = 'where closed_at is null'
    this.addSql(`create index users_search on users using gin (lower(name || ' ' || email) gin_trgm_ops) ${open}`)
    this.addSql(`create index users_by_name on users (lower(name), id) ${open}`)
    this.addSql(`create index users_by_email on users (lower(email), id) ${open}`)
    this.addSql(`create index users_by_role on users (is_admin, id) ${open}`)
    this.addSql(`create index users_admins on users (created_at desc, id desc) where closed_at is null and is_admin`)
  }

  private reviews() {
    this.addSql(`
      alter table reviews
        add column hidden_at timestamptz,
        add column hidden_reason text check (length(hidden_reason) between 1 and 500),
        add check ((hidden_at is null) = (hidden_reason is null))`)
    this.addSql('drop index reviews_newest')
    this.addSql('create index reviews_shown on reviews (product_id, created_at desc, id desc) where hidden_at is null')
    this.addSql('create index reviews_newest on reviews (created_at desc, id desc)')
    this.addSql('create index reviews_hidden on reviews (created_at desc, id desc) where hidden_at is not null')
    this.addSql('create index reviews_by_rating on reviews (rating, created_at desc, id desc)')
    this.addSql(`create index reviews_search on reviews using gin (lower(name || ' ' || comment) gin_trgm_ops)`)
    this.addSql('create index newsletter_newest on newsletter_subscriptions (created_at)')
  }

  private imports() {
    this.addSql(`
      create table product_imports (
        id uuid primary key,
        file_name text not null,
        status text not null check (status in ('READY', 'APPLYING', 'APPLIED', 'UNDOING', 'UNDONE')),
        created_at timestamptz not null,
        created_by uuid not null references users (id),
        created_by_name text not null,
        applied_at timestamptz,
        undone_at timestamptz,
        total_rows integer not null,
        creates integer not null,
        updates integer not null,
        unchanged integer not null,
        refused integer not null,
        applied_rows integer not null default 0,
        -- Grows while the import is being applied or undone; one that stopped growing was cut off by a crash.
        progress_at timestamptz
      )`)
    this.addSql('create index product_imports_newest on product_imports (created_at desc, id desc)')
    this.addSql(`create index product_imports_applied on product_imports (applied_at desc) where status = 'APPLIED'`)
    this.addSql(`
      create table product_import_rows (
        import_id uuid not null references product_imports (id) on delete cascade,
        line integer not null,
        action text not null check (action in ('CREATE', 'UPDATE', 'UNCHANGED', 'REFUSED')),
        sku text,
        name text not null,
        -- The product to update or to create. Null when refused.
        product_id uuid,
        -- The product's version the preview was made from, and the one applying it left.
        version integer,
        applied_version integer,
        -- What the given columns are to become, by column, and what they were.
        fields jsonb not null default '{}',
        before jsonb not null default '{}',
        -- Units to add to the stock, and those that were.
        stock_delta integer not null default 0,
        stock_moved integer not null default 0,
        -- What people are shown: [{ field, before, after }].
        changes jsonb not null default '[]',
        reasons jsonb not null default '[]',
        primary key (import_id, line)
      )`)
    this.addSql('create index product_import_rows_action on product_import_rows (import_id, action, line)')
    this.addSql(
      `create index product_import_rows_product on product_import_rows (import_id, product_id) where action in ('CREATE', 'UPDATE')`,
    )
    this.addSql(
      `create index product_import_rows_pictures on product_import_rows ((before ->> 'image')) where before ->> 'image' like '/uploads/%'`,
    )
  }

  private audit() {
    this.addSql(`
      create table audit_entries (
        id bigint primary key generated always as identity,
        at timestamptz not null default now(),
        actor_id uuid not null references users (id),
        actor_name text not null,
        entity text not null check (entity in ('PRODUCT', 'USER', 'ORDER', 'REVIEW', 'IMPORT')),
        entity_id uuid not null,
        label text not null,
        action text not null,
        -- [{ field, before, after }], only what changed, as text.
        changes jsonb not null,
        import_id uuid references product_imports (id)
      )`)
    this.addSql('create index audit_newest on audit_entries (at desc, id desc)')
    this.addSql('create index audit_entity on audit_entries (entity, at desc, id desc)')
    this.addSql('create index audit_entity_id on audit_entries (entity_id, at desc, id desc)')
    this.addSql('create index audit_actor on audit_entries (actor_id, at desc, id desc)')
    this.addSql('create index audit_action on audit_entries (action, at desc, id desc)')
    this.addSql('create index audit_actor_name on audit_entries using gin (lower(actor_name) gin_trgm_ops)')
  }
}
