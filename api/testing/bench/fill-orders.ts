import { addDays } from '../../catalog/count-sales.ts'
import { addUpSales } from '../../dashboard/sales.ts'
import { connect } from '../../db/config.ts'
import { addUpTallies } from '../../query/tallies.ts'

const BATCH = 100_000
/** The tables that orders are written to. Their indexes are built again at the end, which is much faster than keeping them. */
const FILLED = ['users', 'orders', 'order_items', 'payments', 'reviews', 'audit_entries']

/**
 * Adds orders of the last two years, one to three lines each, until there are so many: most of them paid and delivered, one
 * in twenty never paid. A quarter as many customers, reviews and entries of the audit log come with them.
 */
export async function fillOrders(url: string, count: number): Promise<void> {
  // Uses its own connections: the shop's give up on whatever takes longer than a few seconds.
  const own = await connect(url)
  const em = own.em.fork()
  await em.execute(
    `set statement_timeout = 0; set maintenance_work_mem = '512MB'; set work_mem = '64MB'; set synchronous_commit = off`,
  )
  const [{ there }] = (await em.execute(
    `select count(*)::int as there from orders where user_email like 'knitter%'`,
  )) as [{ there: number }]
  const indexes = await em.execute<{ name: string; definition: string }[]>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename = any (?::text[]) and indexname not in (select conname from pg_constraint)`,
    [`{${FILLED.join()}}`],
  )
  for (const { name } of indexes) await em.execute(`drop index ${name}`)
  await em.execute(`create temporary table on_shelves as
    select row_number() over (order by id)::int as row, id, sku, name, image, price from products where archived_at is null`)
  await em.execute('create unique index on on_shelves (row)')
  await em.execute('analyze on_shelves')
  for (let from = there; from < count; from += BATCH) {
    const numbers = [from, Math.min(from + BATCH, count) - 1]
    // In one transaction, so that what follows from an order is counted once.
    await em.transactional(async tx => {
      await tx.execute(
        `insert into users (id, name, email, email_key, created_at, updated_at, email_verified_at)
         select gen_random_uuid(), 'Knitter ' || chr(65 + n % 26) || ' ' || n, 'knitter' || n || '@example.com', 'knitter' || n || '@example.com', at, at, at
         from generate_series(?::int, ?::int) n, lateral (select now() - random() * interval '730 days' + n * interval '0' as at) at
         where n % 4 = 0`,
        numbers,
      )
      // Sorted by time, as orders come in.
      await tx.execute(
        `create temporary table placed on commit drop as
         select gen_random_uuid() as id, n, u.id as user_id, u.name as user_name, u.email as user_email, c.created_at,
           case when n % 20 <> 0 then c.created_at + interval '5 minutes' end as paid_at,
           case when n % 20 <> 0 and age > interval '7 days' then c.created_at + interval '5 days' end as delivered_at,
           case when n % 20 = 0 and age > interval '1 hour' then c.created_at + interval '1 hour' end as lapsed_at
         from generate_series(?::int, ?::int) n
         join users u on u.email_key = 'knitter' || n - n % 4 || '@example.com',
         lateral (select (1 - n::float8 / ?) * interval '730 days' as age) a,
         lateral (select now() - age as created_at) c`,
        [...numbers, count],
      )
      await tx.execute(
        `create temporary table lines on commit drop as
         select gen_random_uuid() as id, placed.id as order_id, p.id as product_id, line - 1 as position, p.sku, p.name, p.image, p.price,
           1 + (n * line) % 4 as quantity
         from placed cross join generate_series(1, 1 + n % 3) line
         join on_shelves p on p.row = 1 + (n::bigint * 7919 + line * 104729) % (select count(*) from on_shelves)`,
      )
      await tx.execute(
        `insert into orders (id, user_id, user_name, user_email, shipping_address, payment_method, items_price, shipping_price, tax_price, total_price,
           paid_at, first_sent_at, sent_at, delivered_at, lapsed_at, cancelled_at, refunded_amount, created_at, updated_at, updated_in)
         select id, user_id, user_name, user_email, '{}', 'PayPal', items, 500, 0, items + 500, paid_at, delivered_at, delivered_at, delivered_at,
           lapsed_at, case when n % 60 = 0 then lapsed_at end, case when n % 50 = 1 then items + 500 else 0 end, created_at,
           coalesce(delivered_at, lapsed_at, paid_at, created_at), pg_current_xact_id()
         from placed join (select order_id, sum(price * quantity) as items from lines group by order_id) l on l.order_id = id order by n`,
      )
      await tx.execute(
        `insert into order_items (id, order_id, product_id, position, sku, name, image, price, quantity)
         select id, order_id, product_id, position, sku, name, image, price, quantity from lines`,
      )
      await tx.execute(
        `insert into payments (id, order_id, paypal_order_id, capture_id, amount, created_at)
         select gen_random_uuid(), o.id, 'PAY-' || n, 'CAP-' || n, o.total_price, o.paid_at
         from placed p join orders o on o.id = p.id where o.paid_at is not null`,
      )
      await tx.execute(
        `insert into reviews (id, product_id, user_id, name, rating, comment, verified_purchase, created_at, updated_at, hidden_at, hidden_reason)
         select gen_random_uuid(), product_id, user_id, user_name, 1 + n % 5, 'Soft, round and even, number ' || n, true, created_at, created_at,
           case when n % 100 = 0 then created_at end, case when n % 100 = 0 then 'Spam' end
         from placed join lines on order_id = placed.id and position = 0 where n % 4 = 0 on conflict do nothing`,
      )
      await tx.execute(
        `insert into audit_entries (at, actor_id, actor_name, entity, entity_id, label, action, changes)
         select created_at, user_id, user_name, 'ORDER', id, '#' || n, 'DELIVERED', '[]' from placed where n % 4 = 0`,
      )
    })
  }
  for (const { definition } of indexes) await em.execute(definition)
  // Days that were added up before have more orders now.
  await em.execute('truncate product_sales, product_sales_totals, product_sales_late')
  await em.execute('update product_sales_state set until = null, counted_since = null, counted_until = null')
  await addDays(em)
  // What products sold in 90 days is made up: counting it anew would change most of them while the shop is measured.
  await em.execute('update product_sales_state set counted_since = current_date - 90, counted_until = until')
  await addUpSales(em)
  await addUpTallies(em)
  // PostgreSQL would do it while the shop is measured.
  await em.execute('vacuum analyze')
  await own.close()
}
