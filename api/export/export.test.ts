import { readdirSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startJobs } from '../jobs/jobs.ts'
import { ask, auditOf } from '../testing/admin.ts'
import { S3_KEYS, startBucket } from '../testing/bucket.ts'
import { bought, line } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { filesOnDisk } from '../kernel/files.ts'
import { filesInBucket } from '../kernel/s3-files.ts'
import { sweepExports } from './manage-exports.ts'
import { EXPORT_QUEUE } from './write-export.ts'
import { lastOf, nth, present } from '#schema/rules/present'

let shop: TestShop
let dataDir: string
let nell: Account
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'skein-exports-'))
  shop = await openShop({ dataDir })
  nell = await makeUser(shop.em(), { name: 'Nell' })
})
afterAll(async () => {
  await shop?.close()
  await rm(dataDir, { recursive: true, force: true })
})

const partsOf = (id: string) => readdirSync(join(dataDir, 'exports')).filter(name => name.startsWith(id))

const EXPORT = 'id connection status rows total bytes problem endedAt keptUntil'
const start = async (as: Account, query: string) =>
  (
    await ask(
      shop,
      as,
      `mutation($query: String!) { startExport(query: $query) { export { ${EXPORT} } userErrors { code message field } } }`,
      { query },
    )
  ).startExport
const read = async (as: Account, id: string) =>
  (await ask(shop, as, `query($id: ID!) { export(id: $id) { ${EXPORT} } }`, { id })).export
const cancel = async (as: Account, id: string) =>
  (
    await ask(
      shop,
      as,
      'mutation($id: ID!) { cancelExport(id: $id) { export { status } userErrors { code message } } }',
      { id },
    )
  ).cancelExport
const linkTo = async (as: Account, id: string) =>
  (await ask(shop, as, 'mutation($id: ID!) { linkExport(id: $id) { path until userErrors { code message } } }', { id }))
    .linkExport
const done = (as: Account, id: string) =>
  vi.waitFor(
    async () => {
      const made = await read(as, id)
      expect(made.status).not.toBe('RUNNING')
      return made
    },
    { timeout: 60_000, interval: 100 },
  )
const fetchLines = async (path: string) =>
  (await (await fetch(shop.url + path)).text())
    .split('\n')
    .filter(Boolean)
    .map(text => JSON.parse(text))
const NOBODY = '{ usersConnection(filter: { search: "nobody" }) { edges { node { name } } } }'
const KNITTERS = '{ usersConnection(filter: { search: "knitter" }) { edges { node { id } } } }'
const owner = () => makeUser(shop.em(), { name: 'Ada', isAdmin: true })

/** Makes so many accounts, each with a name of its own. */
async function makeAccounts(count: number, name: string): Promise<void> {
  for (let from = 1; from <= count; from += 5_000)
    await shop.em().execute(
      `insert into users (id, name, email, email_key, password_hash, created_at)
       select gen_random_uuid(), ? || n, ? || n || '@example.com', ? || n || '@example.com', '', now() from generate_series(?, ?) n`,
      [name, name, name, from, Math.min(count, from + 4_999)],
    )
}

describe('an export', () => {
  it('has every line once, in the order and with the fields of its query', async () => {
    const admin = await owner()
    await makeAccounts(2_345, 'knitter')
    const { export: begun, userErrors } = await start(
      admin,
      '{ usersConnection(filter: { search: "knitter" }, sort: { direction: ASC }) { edges { node { name ...Rest } } } } fragment Rest on User { id isAdmin }',
    )
    expect(userErrors).toEqual([])
    expect(begun).toMatchObject({ connection: 'usersConnection', status: 'RUNNING', keptUntil: null })
    const made = await done(admin, begun.id)
    expect(made).toMatchObject({
      status: 'DONE',
      rows: 2_345,
      total: 2_345,
      problem: null,
      keptUntil: expect.any(String),
    })

    const { path, until } = await linkTo(admin, begun.id)
    expect(Date.parse(until) - Date.parse(made.endedAt)).toBe(24 * 3_600_000)
    const response = await fetch(shop.url + path, { headers: { 'accept-encoding': 'identity' } })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/jsonl; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; filename="skein-users-\d{4}-\d\d-\d\d\.jsonl"$/),
      'content-length': String(made.bytes),
      'cache-control': 'private, no-store',
    })
    expect(Buffer.byteLength(await response.text())).toBe(made.bytes)
    const lines = await fetchLines(path)
    expect(lines[0]).toEqual({ name: expect.stringMatching(/^knitter\d+$/), id: expect.any(String), isAdmin: false })
    expect(new Set(lines.map(({ name }) => name)).size).toBe(2_345)
  })

  it('says how many lines there will be, however many', async () => {
    const admin = await owner()
    await makeAccounts(10_100, 'weaver')
    const { export: begun } = await start(
      admin,
      '{ usersConnection(filter: { search: "weaver" }) { edges { node { id } } } }',
    )
    await vi.waitFor(async () => expect((await read(admin, begun.id)).total).toBe(10_100), 20_000)
    await cancel(admin, begun.id)
  })

  it('is in the audit log when it begins and when its file is fetched, once for each link', async () => {
    const admin = await owner()
    const { id } = (await start(admin, NOBODY)).export
    await done(admin, id)
    const entries = async (entityId: string) => (await auditOf(shop, admin, entityId)).map(({ action }) => action)
    const { path } = await linkTo(admin, id)
    for (let time = 0; time < 3; time++) await fetchLines(path)
    expect(await auditOf(shop, admin, id)).toMatchObject([
      { action: 'DOWNLOADED', label: 'usersConnection' },
      { action: 'CREATED', label: 'usersConnection', changes: [] },
    ])
    await fetchLines((await linkTo(admin, id)).path)
    expect(await entries(id)).toEqual(['DOWNLOADED', 'DOWNLOADED', 'CREATED'])
  })

  it.each([
    [
      'productsConnection',
      '{ productsConnection(keyword: "Exported") { edges { node { sku facts { fibres { fibre } } } } } }',
    ],
    [
      'ordersConnection',
      '{ ordersConnection(filter: { status: PAID }) { edges { node { reference items { sku } } } } }',
    ],
    ['reviewsConnection', '{ reviewsConnection(filter: { rating: 5 }) { edges { node { rating } } } }'],
  ])('is of %s as well, with its filter', async (connection, query) => {
    const admin = await owner()
    const product = await makeProduct(shop.em(), { name: 'Exported Merino' })
    await bought(shop, nell, [line(product)])
    const { export: begun, userErrors } = await start(admin, query)
    expect(userErrors).toEqual([])
    expect(await done(admin, begun.id)).toMatchObject({ connection, status: 'DONE', problem: null })
    const lines = await fetchLines((await linkTo(admin, begun.id)).path)
    const asked = (await ask(shop, admin, query, {})) as Record<string, { edges: { node: object }[] }>
    expect(lines).toEqual(present(asked[connection]).edges.map(({ node }) => node))
  })

  it.each([
    ['what cannot be read', '{ usersConnection {', /Syntax Error/],
    ['what the contract does not have', '{ usersConnection { edges { node { shoeSize } } } }', /shoeSize/],
    ['something else than a connection', '{ shop { name } }', /one connection/],
    ['two of them', '{ a: shop { name } usersConnection { edges { node { id } } } }', /one connection/],
    ['pages of its own', '{ usersConnection(first: 5) { edges { node { id } } } }', /turns the pages/],
    ['cursors', '{ usersConnection { edges { cursor node { id } } } }', /edges/],
    [
      'variables',
      'query($f: UserFilter) { usersConnection(filter: $f) { edges { node { id } } } }',
      /without variables/,
    ],
    ['a change', 'mutation { logout }', /query/],
  ])('is not made of %s', async (_what, query, message) => {
    expect((await start(await owner(), query)).userErrors).toEqual([
      { code: 'INVALID', message: expect.stringMatching(message), field: ['query'] },
    ])
  })

  it('is one at a time for an account, however many are asked for at once', async () => {
    const admin = await owner()
    const asked = await Promise.all(
      Array.from({ length: 5 }, () =>
        start(admin, '{ usersConnection(filter: { search: "weaver" }) { edges { node { id } } } }'),
      ),
    )
    expect(asked.filter(({ userErrors }) => userErrors.length === 0)).toHaveLength(1)
    expect(asked.flatMap(({ userErrors }) => userErrors.map(({ code }: { code: string }) => code))).toEqual(
      Array(4).fill('EXPORT_RUNNING'),
    )
    await done(admin, present(asked.find(({ userErrors }) => userErrors.length === 0)).export.id)
    expect((await start(admin, NOBODY)).userErrors).toEqual([])
  })

  it('is nobody else’s', async () => {
    const [admin, other] = [await owner(), await owner()]
    const { export: begun } = await start(admin, KNITTERS)
    await done(admin, begun.id)
    const parts = partsOf(begun.id)
    expect(parts).not.toEqual([])
    for (const name of parts) expect(statSync(join(dataDir, 'exports', name)).mode & 0o077).toBe(0)
    expect(await read(other, begun.id)).toBeNull()
    expect((await cancel(other, begun.id)).userErrors).toMatchObject([{ code: 'NOT_FOUND' }])
    expect((await linkTo(other, begun.id)).userErrors).toMatchObject([{ code: 'NOT_FOUND' }])
    for (const path of ['/exports/x', `/exports/${begun.id}`]) expect((await fetch(shop.url + path)).status).toBe(404)
  })

  it('is no more than a key may ask for', async () => {
    const admin = await owner()
    const keyWith = async (scopes: string[]) => {
      const { createApiKey } = await ask(
        shop,
        admin,
        'mutation($input: ApiKeyInput!) { createApiKey(input: $input) { secret userErrors { message } } }',
        { input: { name: 'Warehouse', scopes, accountId: admin.id } },
      )
      expect(createApiKey.userErrors).toEqual([])
      return { ...admin, token: present(createApiKey.secret) }
    }
    const key = await keyWith(['READ_CATALOGUE'])
    const query = '{ usersConnection(filter: { search: "nobody" }) { edges { node { email } } } }'
    const { errors } = await shop.gql(
      'mutation($query: String!) { startExport(query: $query) { export { id } } }',
      { query },
      key,
    )
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'FORBIDDEN', missing: ['READ_CUSTOMERS'] } })

    // Nor can the key get the file of an export that its account started otherwise.
    const { export: begun } = await start(admin, query)
    await done(admin, begun.id)
    const linked = await shop.gql('mutation($id: ID!) { linkExport(id: $id) { path } }', { id: begun.id }, key)
    expect(linked.errors?.[0]).toMatchObject({ extensions: { code: 'FORBIDDEN', missing: ['READ_CUSTOMERS'] } })

    // A field that needs more is refused when it is read.
    const { export: tooMuch } = await start(key, '{ productsConnection { edges { node { bellsWaiting } } } }')
    expect(await done(key, tooMuch.id)).toMatchObject({
      status: 'FAILED',
      problem: 'This key lacks the scope WRITE_PRODUCTS.',
      keptUntil: null,
    })
  })

  it('can be cancelled, and leaves no file', async () => {
    const admin = await owner()
    await makeAccounts(20_000, 'many')
    const { export: begun } = await start(admin, '{ usersConnection { edges { node { id name email createdAt } } } }')
    await vi.waitFor(async () => expect((await read(admin, begun.id)).rows).toBeGreaterThan(0), { timeout: 10_000 })
    for (let round = 0; round < 2; round++)
      expect(await cancel(admin, begun.id)).toEqual({ export: { status: 'CANCELLED' }, userErrors: [] })
    await vi.waitFor(() => expect(partsOf(begun.id)).toEqual([]), { timeout: 10_000 })
    expect((await linkTo(admin, begun.id)).userErrors).toMatchObject([{ code: 'EXPORT_STATE' }])
  })

  it('can be taken away when it is done', async () => {
    const admin = await owner()
    const { export: begun } = await start(admin, '{ reviewsConnection { edges { node { id } } } }')
    await done(admin, begun.id)
    const { path } = await linkTo(admin, begun.id)
    expect((await cancel(admin, begun.id)).export).toEqual({ status: 'CANCELLED' })
    expect((await fetch(shop.url + path)).status).toBe(404)
    await sweepExports(shop.em(), filesOnDisk(dataDir))
    expect(partsOf(begun.id)).toEqual([])
  })

  it('goes on where it was left, without a line twice', async () => {
    const admin = await owner()
    const { export: begun } = await start(admin, KNITTERS)
    const whole = await done(admin, begun.id)
    const lines = await fetchLines((await linkTo(admin, begun.id)).path)
    // As if a process had died halfway, after it wrote another part without recording it.
    const half = Math.floor(lines.length / 200) * 100
    const [last] = await shop
      .em()
      .execute(`select (created_at)::text as at from users where id = ?`, [lines[half - 1].id])
    const cursor = Buffer.from(JSON.stringify(['created_at desc', present(last).at, lines[half - 1].id])).toString(
      'base64url',
    )
    const [written, unnoted] = [lines.slice(0, half), lines.slice(half, half + 10)].map(part =>
      Buffer.from(part.map(each => `${JSON.stringify(each)}\n`).join('')),
    )
    const files = filesOnDisk(dataDir)
    await files.write(`exports/${begun.id}.noted.jsonl`, present(written))
    await files.write(`exports/${begun.id}.unnoted.jsonl`, present(unnoted))
    await shop
      .em()
      .execute(
        `update exports set state = 'RUNNING', ended_at = null, row_count = ?, bytes = ?, cursor = ?, parts = '{noted}' where id = ?`,
        [half, present(written).length, cursor, begun.id],
      )
    const jobs = await startJobs(shop.orm, shop.log)
    await jobs.add(shop.em(), EXPORT_QUEUE, { exportId: begun.id })
    const again = await done(admin, begun.id)
    await jobs.stop()
    expect(again).toMatchObject({ status: 'DONE', rows: whole.rows, bytes: whole.bytes })
    expect(await fetchLines((await linkTo(admin, begun.id)).path)).toEqual(lines)
  })

  it('is written by one machine and fetched from another, where both keep files in a bucket', async () => {
    for (const [name, value] of Object.entries(S3_KEYS)) vi.stubEnv(name, value)
    const storage = await startBucket()
    const [here, there] = await Promise.all(['here', 'there'].map(name => mkdtemp(join(tmpdir(), `skein-${name}-`))))
    const one = await openShop({ dataDir: present(here), files: filesInBucket(storage.bucket) })
    const other = await openShop({
      database: one.databaseUrl,
      dataDir: present(there),
      files: filesInBucket(storage.bucket),
    })
    onTestFinished(async () => {
      await other.close()
      await one.close()
      await storage.stop()
      vi.unstubAllEnvs()
      await Promise.all(
        [present(here), present(there)].map(directory => rm(directory, { recursive: true, force: true })),
      )
    })
    const admin = await makeUser(one.em(), { name: 'Ada', isAdmin: true })
    const { startExport } = await ask(
      one,
      admin,
      'mutation { startExport(query: "{ usersConnection { edges { node { name } } } }") { export { id } } }',
    )
    const { id } = present(startExport.export)
    await vi.waitFor(
      async () => {
        const { export: made } = await ask(other, admin, 'query($id: ID!) { export(id: $id) { status } }', { id })
        expect(present(made).status).toBe('DONE')
      },
      { timeout: 20_000, interval: 100 },
    )
    for (const shop of [one, other]) {
      const link = 'mutation($id: ID!) { linkExport(id: $id) { path } }'
      const { path } = (await ask(shop, admin, link, { id })).linkExport
      for (const from of [one, other]) expect(await (await fetch(from.url + path)).text()).toBe('{"name":"Ada"}\n')
    }
    for (const directory of [present(here), present(there)]) expect(readdirSync(directory)).not.toContain('exports')

    await one.em().execute(`update exports set ended_at = now() - interval '25 hours'`)
    const files = filesInBucket(storage.bucket)
    await sweepExports(one.em(), files)
    for await (const left of files.list('exports/')) expect(left).toEqual([])
  })

  it('has a link for a day, the newest alone, and then the file is gone', async () => {
    const admin = await owner()
    const { export: begun } = await start(admin, '{ reviewsConnection { edges { node { id } } } }')
    await done(admin, begun.id)
    const [first, second] = [await linkTo(admin, begun.id), await linkTo(admin, begun.id)]
    expect((await fetch(shop.url + first.path)).status).toBe(404)
    expect((await fetch(shop.url + second.path)).status).toBe(200)
    expect(JSON.stringify(await shop.em().execute('select * from exports where id = ?', [begun.id]))).not.toContain(
      second.path.split('/').at(-1),
    )
    await shop.em().execute(`update exports set ended_at = now() - interval '25 hours' where id = ?`, [begun.id])
    expect((await fetch(shop.url + second.path)).status).toBe(404)
    expect((await linkTo(admin, begun.id)).userErrors).toEqual([
      { code: 'EXPORT_STATE', message: 'The file is not kept any more.' },
    ])
    await sweepExports(shop.em(), filesOnDisk(dataDir))
    expect(partsOf(begun.id)).toEqual([])
  })

  // With EXPORT_ROWS=100000, prints how long so many rows take.
  it('takes no more memory for many things than for few', async () => {
    const rows = Number(process.env['EXPORT_ROWS'] ?? 15_000)
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const admin = await owner()
    await makeAccounts(rows, 'crowd')
    const { export: begun } = await start(
      admin,
      '{ usersConnection(filter: { search: "crowd" }) { edges { node { id name email isAdmin createdAt updatedAt } } } }',
    )
    const seen: [rows: number, megabytes: number][] = []
    const since = performance.now()
    for (;;) {
      const made = await read(admin, begun.id)
      const isOver = made.status !== 'RUNNING'
      // Measures once when it is well under way, and once at the end: measuring takes longer than writing some lines.
      if (isOver || (seen.length === 0 && made.rows > rows / 10)) {
        collect()
        seen.push([made.rows, process.memoryUsage().heapUsed / 1e6])
      }
      if (isOver) break
      await sleep(rows / 50)
    }
    const seconds = (performance.now() - since) / 1_000
    const [early, late] = [nth(seen, 0), lastOf(seen)]
    console.log(
      `${late[0]} lines, ${((await read(admin, begun.id)).bytes / 1e6).toFixed(1)} MB, in ${seconds.toFixed(1)} s; heap ${early[1].toFixed(1)} MB at ${early[0]} lines, ${late[1].toFixed(1)} MB at the end`,
    )
    expect(late[0]).toBe(rows)
    expect(late[1] - early[1]).toBeLessThan(8)
  }, 300_000)
})
