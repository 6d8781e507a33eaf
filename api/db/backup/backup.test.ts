import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { EntityManager } from '@mikro-orm/postgresql'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest'
import { hashPassword } from '../../account/password.ts'
import { storePicture } from '../../catalog/uploads.ts'
import { storeDownload } from '../../download/download-files.ts'
import { filesOnDisk } from '../../kernel/files.ts'
import type { Sql } from '../../testing/faults/ground.ts'
import { brokenInvariants } from '../../testing/faults/invariants.ts'
import { approvedPayment, capturePaypalOrder, line, placed } from '../../testing/purchase.ts'
import {
  makeKey,
  makeProduct,
  makeUser,
  openShop,
  ownDatabase,
  type Account,
  type TestShop,
} from '../../testing/shop.ts'
import { connect } from '../config.ts'
import { restoreBackup } from './restore-backup.ts'
import { KEPT, LEFT_OUT, SEQUENCES } from './tables.ts'
import { writeBackup } from './write-backup.ts'
import { nth } from '#schema/rules/present'

const PASSWORD = 'the owner knits at midnight'
/** In two parts. */
const PATTERN = `%PDF-1.7${'knit one, purl two '.repeat(60_000)}%%EOF`
const NASTY = `O'Purl \\ "and" ?::text $1 \n\t\u2028 🧶 {"row":1}`

let dir: string
let shop: TestShop
let nell: Account
let image: string
let orderId: string
let pattern: { id: string; bytes: number }
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'skein-backup-'))
  shop = await openShop({ dataDir: join(dir, 'shop') })
  const em = shop.em()
  nell = await makeUser(em, {
    name: NASTY,
    email: 'nell@example.com',
    isAdmin: true,
    passwordHash: await hashPassword(PASSWORD),
  })
  await makeKey(em, nell, ['READ_CATALOGUE'])
  const file = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#a33' } })
    .png()
    .toBuffer()
  const picture = await storePicture(filesOnDisk(join(dir, 'shop')), Readable.from([file]))
  image = picture.image
  const yarn = await makeProduct(em, { name: NASTY, image, countInStock: 100 })
  pattern = await storeDownload(filesOnDisk(join(dir, 'shop')), Readable.from([Buffer.from(PATTERN)]))
  await em.execute('update products set downloads = ? where id = ?', [
    JSON.stringify([{ ...pattern, title: 'Rib hat' }]),
    yarn.id,
  ])
  const order = await placed(shop, nell, [line(yarn, 2)])
  orderId = order.id
  await capturePaypalOrder(shop, nell, order.id, await approvedPayment(shop, nell, order.id))
  await em.execute(
    `insert into newsletter_subscriptions (email_key, email, created_at) values ('purl@example.com', 'purl@example.com', '2026-01-02 03:04:05.678901+05')`,
  )
})
afterAll(async () => {
  await shop?.close()
  await rm(dir, { recursive: true, force: true })
})

const source = () => ({
  databaseUrl: shop.databaseUrl,
  dataDir: join(dir, 'shop'),
  files: filesOnDisk(join(dir, 'shop')),
})
const sqlOf =
  (em: EntityManager): Sql =>
  (query, parameters = []) =>
    em.execute(query, [...parameters])

/** Another place to restore to, with a database of its own. */
async function elsewhere() {
  const { url: databaseUrl, drop } = await ownDatabase()
  onTestFinished(drop)
  const orm = await connect(databaseUrl)
  onTestFinished(() => orm.close())
  const dataDir = await mkdtemp(join(dir, 'restored-'))
  return { databaseUrl, dataDir, files: filesOnDisk(dataDir), orm, em: () => orm.em.fork() }
}

/** Changes a backup, and corrects its checksum. */
async function rewrite(file: string, change: (lines: string[]) => string[]): Promise<void> {
  const body = `${change(
    gunzipSync(await readFile(file))
      .toString()
      .split('\n')
      .slice(0, -2),
  ).join('\n')}\n`
  await writeFile(
    file,
    gzipSync(`${body}${JSON.stringify({ sha256: createHash('sha256').update(body).digest('hex') })}\n`),
  )
}

/** A fingerprint of every table's rows. */
async function contents(em: EntityManager): Promise<Record<string, unknown>> {
  const tables = await Promise.all(
    KEPT.map(async table => {
      const [row] = await em
        .fork()
        .execute<object[]>(
          `select count(*)::int as rows, md5(string_agg(row::text, ',' order by row::text)) as sum from (select to_jsonb(t) - '{facts_changed,document_changed,updated_in,recorded_in}'::text[] as row from ${table} t) rows`,
        )
      return [table, row] as const
    }),
  )
  return Object.fromEntries(tables)
}

describe('a backup', () => {
  it('has every table, or a reason to leave it out', async () => {
    const tables = await shop
      .em()
      .execute<{ name: string }[]>(
        `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
      )
    expect(tables.map(({ name }) => name).sort()).toEqual([...KEPT, ...LEFT_OUT, 'mikro_orm_migrations'].sort())
    const sequences = await shop
      .em()
      .execute<{ name: string }[]>(
        `select relname as name from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'S' and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i')) order by name`,
      )
    expect(sequences.map(({ name }) => name)).toEqual(SEQUENCES)
  })

  it('brings back every row, and the shop goes on where it was', async () => {
    const file = join(dir, 'all.backup')
    // Waits, because what the shop still does about its first orders would change the rows that are compared.
    await expect.poll(() => shop.em().execute('select id from events where relayed_at is null')).toEqual([])
    const kept = await writeBackup(file, source())
    const there = await elsewhere()
    await shop.em().execute('select nextval(?)', ['orders_number_seq'])
    expect(await restoreBackup(file, { ...there, replace: false })).toMatchObject(kept)
    expect(await contents(there.em())).toEqual(await contents(shop.em()))
    expect(await there.em().execute('select name from mikro_orm_migrations order by id')).toEqual(
      await shop.em().execute('select name from mikro_orm_migrations order by id'),
    )
    expect(await there.em().execute('select 1 from sessions')).toEqual([])
    expect(await brokenInvariants(sqlOf(there.em()), join(there.dataDir, 'uploads'))).toEqual([])
    expect((await readdir(dir)).filter(name => name.startsWith('all.'))).toEqual(['all.backup'])
    expect((await readdir(source().dataDir)).filter(name => name.startsWith('backup-'))).toEqual([])

    const restored = await openShop({ orm: there.orm, dataDir: there.dataDir })
    onTestFinished(() => restored.close())
    expect((await restored.gql('{ viewer { name } }', {}, nell)).errors).toMatchObject([
      { extensions: { reason: 'INVALID_TOKEN' } },
    ])
    const { data } = await restored.gql(
      'mutation($password: String!) { login(email: "nell@example.com", password: $password) { token user { name } } }',
      { password: PASSWORD },
    )
    expect(data.login.user.name).toBe(NASTY)
    const shown = await fetch(restored.url + image)
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(await readFile(join(dir, 'shop', image)))
    const download = await fetch(`${restored.url}/api/orders/${orderId}/downloads/${pattern.id}`, {
      headers: { authorization: `Bearer ${data.login.token}` },
    })
    expect(await download.text()).toBe(PATTERN)
    const yarn = await makeProduct(there.em())
    const before = await there.em().execute<{ number: number }[]>('select max(number) as number from orders')
    const { reference } = await placed(restored, { ...nell, token: data.login.token }, [line(yarn)])
    expect(Number(reference.slice(1))).toBeGreaterThan(nth(before, 0).number)
  })

  it('is of one moment, while orders are placed', async () => {
    const yarn = await makeProduct(shop.em(), { countInStock: 1_000_000 })
    const acknowledged: string[] = []
    for (let round = 0; round < 2; round++) {
      const over = new AbortController()
      const buying = Array.from({ length: 8 }, async () => {
        while (!over.signal.aborted) acknowledged.push((await placed(shop, nell, [line(yarn)])).id)
      })
      await delay(300)
      const before = [...acknowledged]
      const file = join(dir, `busy-${round}.backup`)
      await writeBackup(file, source())
      expect(acknowledged.length).toBeGreaterThan(before.length)
      over.abort()
      await Promise.all(buying)
      const there = await elsewhere()
      await restoreBackup(file, { ...there, replace: false })
      expect(await brokenInvariants(sqlOf(there.em()), join(there.dataDir, 'uploads'))).toEqual([])
      const known = new Set((await there.em().execute<{ id: string }[]>('select id from orders')).map(({ id }) => id))
      expect(before.filter(id => !known.has(id))).toEqual([])
    }
  })

  it('keeps what is still to be done', async () => {
    const file = join(dir, 'jobs.backup')
    await shop
      .em()
      .execute(
        `insert into pgboss.job (name, data, start_after) values ('webhooks', '{"marked": true}', now() + interval '1 hour')`,
      )
    await writeBackup(file, source())
    const there = await elsewhere()
    await restoreBackup(file, { ...there, replace: false })
    expect(await there.em().execute(`select name, state from pgboss.job where data ->> 'marked' = 'true'`)).toEqual([
      { name: 'webhooks', state: 'created' },
    ])
  })

  it('is readable by its owner alone', async () => {
    const file = join(dir, 'private.backup')
    await writeBackup(file, source())
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })
})

describe('a shop that is there already', () => {
  it('is overwritten only when told to, and not while it runs', async () => {
    const file = join(dir, 'over.backup')
    await writeBackup(file, source())
    const there = await elsewhere()
    const other = await makeUser(there.em(), { email: 'somebody@example.com' })
    const before = await contents(there.em())
    await expect(restoreBackup(file, { ...there, replace: false })).rejects.toThrow(
      'There is a shop in this database already: add --replace to put the backup in its place.',
    )
    expect(await contents(there.em())).toEqual(before)

    const running = await openShop({ orm: there.orm, dataDir: there.dataDir })
    await expect(restoreBackup(file, { ...there, replace: true })).rejects.toThrow(
      'A shop is using this database: stop it first.',
    )
    await running.close()
    await restoreBackup(file, { ...there, replace: true })
    expect(await contents(there.em())).toEqual(await contents(shop.em()))
    expect(await there.em().execute('select 1 from users where id = ?', [other.id])).toEqual([])
  })

  it('is as it was when restoring fails in the middle', async () => {
    const file = join(dir, 'failing.backup')
    await writeBackup(file, source())
    // The same row twice.
    await rewrite(file, lines => {
      const row = lines.findIndex(text => text.includes('"email_key"') && text.startsWith('{"row"'))
      return lines.toSpliced(row, 0, nth(lines, row))
    })
    const there = await elsewhere()
    await makeUser(there.em(), { email: 'somebody@example.com' })
    const before = await contents(there.em())
    await expect(restoreBackup(file, { ...there, replace: true })).rejects.toThrow(/duplicate key/)
    expect(await contents(there.em())).toEqual(before)
    expect(await there.em().execute('select count(*)::int as n from sessions')).toEqual([{ n: 1 }])
  })

  test.each([
    ['picture', []],
    ['download', ['uploads']],
  ])('is asked to write no %s to other places', async (kind, left) => {
    const file = join(dir, `hostile-${kind}.backup`)
    await writeBackup(file, source())
    const start = `{"${kind}":{"name":"`
    await rewrite(file, lines =>
      lines.map(text => (text.startsWith(start) ? text.replace(start, `${start}../`) : text)),
    )
    const there = await elsewhere()
    await expect(restoreBackup(file, { ...there, replace: false })).rejects.toThrow('the shop made no such name')
    expect(await readdir(there.dataDir)).toEqual(left)
  })

  test.each([
    ['cut short', (whole: Buffer) => whole.subarray(0, whole.length - 100)],
    [
      'changed in one place',
      (whole: Buffer) => gzipSync(gunzipSync(whole).toString().replace('nell@example.com', 'mell@example.com')),
    ],
    [
      'without its last line',
      (whole: Buffer) => gzipSync(gunzipSync(whole).toString().trimEnd().split('\n').slice(0, -1).join('\n')),
    ],
    ['of something else', () => Buffer.from('hello')],
    ['empty', () => Buffer.alloc(0)],
  ])('is not touched by a file that is %s', async (_what, spoil) => {
    const file = join(dir, 'whole.backup')
    await writeBackup(file, source())
    await writeFile(file, spoil(await readFile(file)))
    const there = await elsewhere()
    await makeUser(there.em(), { email: 'somebody@example.com' })
    const before = await contents(there.em())
    await expect(restoreBackup(file, { ...there, replace: true })).rejects.toThrow(
      `${file} is damaged or is no backup of a shop: nothing was changed.`,
    )
    expect(await contents(there.em())).toEqual(before)
  })
})
