import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest'
import { filesOnDisk } from '../kernel/files.ts'
import { ADDRESS } from '../testing/purchase.ts'
import { blankDatabase, makeProduct, ownDatabase } from '../testing/shop.ts'
import { restoreBackup } from './backup/restore-backup.ts'
import { writeBackup } from './backup/write-backup.ts'
import { connect, lockMigrations, migrate } from './config.ts'
import { present } from '#schema/rules/present'

const NEWEST = await (async () => {
  const { url, drop } = await ownDatabase()
  const orm = await connect(url)
  const names = (await orm.migrator.getExecuted()).map(({ name }) => name)
  const shape = await shapeOf(orm.em.fork())
  await orm.close()
  await drop()
  return { names, shape }
})()

/** Columns, constraints and indexes of the shop's tables. */
async function shapeOf(em: EntityManager): Promise<unknown[]> {
  return [
    await em.execute(
      `select table_name, column_name, data_type, is_nullable, column_default, collation_name, is_identity, generation_expression from information_schema.columns where table_schema = 'public' order by 1, 2`,
    ),
    await em.execute(
      `select conrelid::regclass::text as table, pg_get_constraintdef(oid) as says from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`,
    ),
    await em.execute(`select indexdef from pg_indexes where schemaname = 'public' order by 1`),
  ]
}

/** People, yarns, orders and reviews, as the first shop had them. Rows of the same word are made once. */
async function populate(em: EntityManager, { word = 'first', people = 50 } = {}): Promise<void> {
  const [their, yarn] = [`.${word}@example.com`, `Yarn ${word}`]
  await em.execute(
    `insert into users (id, name, email, email_key, password_hash, is_admin, created_at)
    select gen_random_uuid(), 'Knitter ' || n, 'Knitter' || n || ?::text, 'knitter' || n || lower(?), 'unusable', n = 1, now() - n * interval '1 hour' from generate_series(1, ?::int) n`,
    [their, their, people],
  )
  await em.execute(`create temporary table new_users on commit drop as select * from users where email like '%' || ?`, [
    their,
  ])
  await em.execute(
    `insert into sessions (token_hash, user_id, created_at, used_at) select md5(email), id, now(), now() from new_users`,
  )
  await em.execute(
    `insert into products (id, name, image, description, weight, length, gauge, knitting_needle, crochet_hook, recommended_care, content, category, price, count_in_stock, created_at, published_at)
    select gen_random_uuid(), ? || ' ' || n, '/images/yarn.webp', 'Soft', '100 g', '210 m', '20 sts', '4 mm', '4 mm', 'Hand wash', 'Wool', 'Worsted', 100 * n, 1000, now(), now() from generate_series(1, 20) n`,
    [yarn],
  )
  await em.execute(
    `create temporary table new_products on commit drop as select id, name from products where name like ? || ' %'`,
    [yarn],
  )
  await em.execute(
    `insert into stock_movements (product_id, delta, reason) select id, 1000 + ?::int / 2, 'initial' from new_products`,
    [people],
  )
  await em.execute(
    `insert into orders (id, user_id, user_name, user_email, shipping_address, payment_method, items_price, shipping_price, tax_price, total_price, paid_at, paypal_order_id, created_at)
    select gen_random_uuid(), u.id, u.name, u.email, ?::jsonb, 'PayPal', 100, 10, 15, 125, case when n % 2 = 0 then now() end, 'PAYPAL-' || u.email || n, now() - n * interval '1 minute'
    from new_users u, generate_series(1, 10) n`,
    [JSON.stringify(ADDRESS)],
  )
  await em.execute(
    `create temporary table new_orders on commit drop as
     select id, number, paid_at, paypal_order_id, row_number() over (order by number) as n from orders where user_id in (select id from new_users)`,
  )
  await em.execute(`with yarns as (select id, name, row_number() over (order by name) - 1 as n from new_products)
    insert into order_items (id, order_id, product_id, position, name, image, price, quantity) select gen_random_uuid(), o.id, y.id, 1, y.name, '/images/yarn.webp', 100, 1 from new_orders o join yarns y on y.n = o.n % 20`)
  await em.execute(
    `insert into stock_movements (product_id, order_id, delta, reason) select product_id, order_id, -1, 'sold' from order_items where order_id in (select id from new_orders)`,
  )
  await em.execute(
    `insert into payments (id, order_id, paypal_order_id, capture_id, amount, created_at) select gen_random_uuid(), id, paypal_order_id, 'CAPTURE-' || number, 125, now() from new_orders where paid_at is not null`,
  )
  await em.execute(
    `insert into reviews (id, product_id, user_id, name, rating, comment, verified_purchase, created_at) select gen_random_uuid(), p.id, u.id, u.name, 5, 'Soft', false, now() from new_products p, new_users u where u.is_admin`,
  )
  await em.execute(`update products set num_reviews = 1, rating_sum = 5 where id in (select id from new_products)`)
  await em.execute(
    `insert into newsletter_subscriptions (email_key, email, created_at) values ('purl' || lower(?), 'Purl' || ?, now())`,
    [their, their],
  )
}

/** A fingerprint of what the first shop stored: later migrations may only add to it. */
async function memory(em: EntityManager): Promise<unknown> {
  const columns = {
    users: 'id, name, email, email_key, password_hash, is_admin, created_at, closed_at',
    products: 'id, name, price, count_in_stock, score, search_text, version, published_at',
    orders: 'id, number, user_id, shipping_address, total_price, paid_at, paypal_order_id, created_at',
    order_items: 'id, order_id, product_id, price, quantity',
    stock_movements: 'id, product_id, order_id, delta, reason',
    payments: 'id, order_id, capture_id, amount',
    reviews: 'id, product_id, user_id, rating, comment',
    newsletter_subscriptions: 'email_key, email, created_at',
  }
  return Promise.all(
    Object.entries(columns).map(async ([table, list]) =>
      em
        .fork()
        .execute(
          `select '${table}' as of, count(*)::int as rows, md5(string_agg(r::text, ',' order by r::text)) as sum from (select ${list} from ${table}) r`,
        ),
    ),
  )
}

async function migrateTo(migration: string, orm: MikroORM): Promise<void> {
  await orm.em.fork().transactional(async em => {
    await lockMigrations(em)
    await orm.migrator.up({ to: migration, transaction: em.getTransactionContext() })
  })
}

/** A database at a migration, with rows in it; a blank one without a migration. */
async function shopAt(migration?: string): Promise<{ url: string; orm: MikroORM; em: () => EntityManager }> {
  const { url, drop } = await blankDatabase()
  onTestFinished(drop)
  const orm = await connect(url)
  onTestFinished(() => orm.close())
  if (migration) {
    await migrateTo(migration, orm)
    await orm.em.fork().transactional(em => populate(em))
  }
  return { url, orm, em: () => orm.em.fork() }
}

const executed = async (orm: MikroORM) => (await orm.migrator.getExecuted()).map(({ name }) => name)

/** From these a shop comes to the newest in one transaction, which does what none of its migrations does alone. */
const SOME = NEWEST.names.filter((_, at) => at % 10 === 0 || at >= NEWEST.names.length - 2)

describe('a shop with data in it', () => {
  /** Goes from one version to the next, and gets new rows in each. */
  let shop: MikroORM
  let drop: () => Promise<void>
  beforeAll(async () => {
    const { url, ...blank } = await blankDatabase()
    drop = blank.drop
    shop = await connect(url)
    await migrateTo(present(NEWEST.names[0]), shop)
    await addRows(present(NEWEST.names[0]))
  })
  afterAll(async () => {
    await shop?.close()
    await drop?.()
  })

  const addRows = (migration: string) =>
    shop.em.fork().transactional(em => populate(em, { word: migration.toLowerCase(), people: 2 }))

  test.each(NEWEST.names.slice(1))('comes to %s from the one before, and forgets nothing', async migration => {
    const before = await memory(shop.em.fork())
    await migrateTo(migration, shop)
    expect(await memory(shop.em.fork())).toEqual(before)
    await addRows(migration)
  })

  it('has the shape of a new one then', async () => {
    expect(await executed(shop)).toEqual(NEWEST.names)
    expect(await shapeOf(shop.em.fork())).toEqual(NEWEST.shape)
  })

  // The last one has nothing to do, as whoever starts a second time.
  test.each(SOME)('comes from %s to the newest at once, and forgets nothing', async migration => {
    const { orm, em } = await shopAt(migration)
    const before = await memory(em())
    await migrate(orm)
    expect(await executed(orm)).toEqual(NEWEST.names)
    expect(await memory(em())).toEqual(before)
    expect(await shapeOf(em())).toEqual(NEWEST.shape)
  })

  it('comes out of a backup that is older than the shop', async () => {
    const old = await shopAt(NEWEST.names[1])
    const before = await memory(old.em())
    const dataDir = await mkdtemp(join(tmpdir(), 'skein-migrate-'))
    onTestFinished(() => rm(dataDir, { recursive: true }))
    const files = filesOnDisk(dataDir)
    await writeBackup(join(dataDir, 'old.backup'), { databaseUrl: old.url, dataDir, files })
    const { url, orm, em } = await shopAt()
    await restoreBackup(join(dataDir, 'old.backup'), { databaseUrl: url, files, replace: false })
    expect(await memory(em())).toEqual(before)
    expect(await executed(orm)).toEqual(NEWEST.names)
    expect(await shapeOf(em())).toEqual(NEWEST.shape)
  })
})

describe('shops that start together', () => {
  test.each([undefined, NEWEST.names[0]])('migrate once, from %s', async migration => {
    const { url, em } = await shopAt(migration)
    const shops = await Promise.all(Array.from({ length: 4 }, () => connect(url)))
    onTestFinished(async () => {
      await Promise.all(shops.map(orm => orm.close()))
    })
    await Promise.all(shops.map(migrate))
    expect(await em().execute('select name from mikro_orm_migrations order by id')).toEqual(
      NEWEST.names.map(name => ({ name })),
    )
    expect(await shapeOf(em())).toEqual(NEWEST.shape)
  })
})

describe('a shop that is killed while it migrates', () => {
  it('leaves the database as it was, and the next one finishes', async () => {
    const { url, orm, em } = await shopAt(NEWEST.names[0])
    const before = [await memory(em()), await shapeOf(em())]
    const dataDir = await mkdtemp(join(tmpdir(), 'skein-migrate-'))
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
    // Locks reviews by reading them: the migration can change products and orders, but has to wait for this table.
    await em().transactional(async reader => {
      await reader.execute('select 1 from reviews limit 1')
      await reader.execute('set local idle_in_transaction_session_timeout = 0')
      const shop = spawn(process.execPath, ['dist/api/main.js'], {
        cwd: fileURLToPath(new URL('../..', import.meta.url)),
        env: {
          PATH: process.env['PATH'],
          DATABASE_URL: url,
          DATA_DIR: dataDir,
          SEED: 'none',
          PORT: '1',
          PAYPAL_SIMULATOR_URL: 'http://127.0.0.1:2',
        },
        stdio: 'ignore',
      })
      onTestFinished(() => void shop.kill('SIGKILL'))
      const waiting = () =>
        em().execute<{ query: string }[]>(
          `select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
      await expect
        .poll(async () => JSON.stringify(await waiting()), { timeout: 60_000 })
        .toContain('alter table reviews')
      shop.kill('SIGKILL')
      await once(shop, 'exit')
    })
    await expect
      .poll(
        () =>
          em().execute(
            `select 1 from pg_stat_activity where datname = current_database() and query like '%alter table reviews%' and pid <> pg_backend_pid()`,
          ),
        { timeout: 10_000 },
      )
      .toEqual([])
    expect([await memory(em()), await shapeOf(em())]).toEqual(before)
    expect(await executed(orm)).toEqual([NEWEST.names[0]])
    await migrate(orm)
    expect(await memory(em())).toEqual(before[0])
    expect(await shapeOf(em())).toEqual(NEWEST.shape)
  })
})

/** Checks start at this migration. When the earlier ones were made, no shop ran on more than one machine. */
const FIRST_SAFE = 71
const migrations = fileURLToPath(new URL('./migrations', import.meta.url))

/** What the previous version of the shop would miss, or fail at. */
const BREAKS = [
  /\bdrop\s+(?:table|column|schema|type|view)\b/i,
  /\brename\s+(?:to|column|constraint)\b/i,
  /\balter\s+column\s+\w+\s+(?:set\s+data\s+)?type\b/i,
  /\balter\s+column\s+\w+\s+(?:set\s+not\s+null|drop\s+default)\b/i,
  /\badd\s+column\s+(?:if\s+not\s+exists\s+)?\w+(?![^,;`]*\b(?:default|generated)\b)[^,;`]*\bnot\s+null\b/i,
]
const breaks = (text: string) => !text.includes('contract: Migration') && BREAKS.some(each => each.test(text))

test('a migration leaves the last version of the shop what it reads and writes', () => {
  const newer = readdirSync(migrations).filter(name => Number(/\d+/.exec(name)) >= FIRST_SAFE)
  expect(newer.length).toBeGreaterThan(0)
  expect(newer.filter(name => breaks(readFileSync(join(migrations, name), 'utf8')))).toEqual([])
})

test('the last version of the shop starts on a database that the next one has changed', async () => {
  const { url, drop } = await ownDatabase()
  onTestFinished(drop)
  const orm = await connect(url)
  onTestFinished(() => orm.close())
  await orm.em.fork().execute(`insert into mikro_orm_migrations (name, executed_at) values ('Migration999Next', now())`)
  await orm.em.fork().execute(`alter table products add column plies int not null default 0`)
  await migrate(orm)
  const { id } = await makeProduct(orm.em.fork())
  expect(await orm.em.fork().execute('select plies from products where id = ?', [id])).toEqual([{ plies: 0 }])
})

test.each([
  'alter table products drop column weight',
  'drop table stash_items',
  'alter table orders rename column total to total_price',
  'alter table products alter column price type smallint',
  'alter table products alter column sku set not null',
  'alter table products add column maker text not null',
  'alter table products add column maker text default $$none$$, add column plies int not null',
])('one that says "%s" does not', text => {
  expect(breaks(text)).toBe(true)
  expect(breaks(`// contract: Migration071Documents\n${text}`)).toBe(false)
})

test.each([
  `alter table webhooks add column skus text[] not null default '{}', add column tags text[]`,
  'create table if not exists makers (id uuid primary key, name text not null)',
  'alter table products add column price_per_gram int generated always as (price / 100) stored not null',
  'drop index products_by_name',
])('one that says "%s" does', text => {
  expect(breaks(text)).toBe(false)
})
