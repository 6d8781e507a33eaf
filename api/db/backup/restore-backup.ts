import type { EntityManager, MikroORM } from '@mikro-orm/postgresql'
import { lastOf, present } from '#schema/rules/present'
import { LISTENER } from '../../event/listen.ts'
import { UPLOADS } from '../../catalog/uploads.ts'
import { DOWNLOADS } from '../../download/download-files.ts'
import { migrateJobs } from '../../jobs/jobs.ts'
import type { Files } from '../../kernel/files.ts'
import { connect, lockMigrations } from '../config.ts'
import { BackupError, readLines, verify, type KeptFile } from './backup-file.ts'
import { FROM_THE_START, JOBS, KEPT, LEFT_OUT, SEQUENCES } from './tables.ts'
import { quoted, type Kept } from './write-backup.ts'

export interface Destination {
  databaseUrl: string
  files: Files
  /** Whether a shop that is there already may be overwritten. */
  replace: boolean
}

const ROWS_AT_ONCE = 1_000

/**
 * Puts a backup's shop in place, all of it or nothing: the tables as they were when it was made, its rows, and then the
 * migrations that came since.
 */
export async function restoreBackup(
  file: string,
  { databaseUrl, files, replace }: Destination,
): Promise<Kept & { takenAt: string }> {
  const { takenAt, migrations } = await verify(file)
  const orm = await connect(databaseUrl)
  try {
    await refuseNewer(orm, file, migrations)
    await refuseInUse(orm.em.fork())
    if (!replace) await refuseNonEmpty(orm.em.fork())
    await migrateJobs(orm)
    const kept = await orm.em.fork().transactional(async em => {
      await lockMigrations(em)
      await clear(em)
      await orm.migrator.up({ to: lastOf(migrations), transaction: present(em.getTransactionContext()) })
      await emptyFilled(em)
      const kept = await fill(em, file, files)
      // No migration can change a table whose rows wait to be compared with others.
      await em.execute('set constraints all immediate')
      await em.execute('set constraints all deferred')
      await orm.migrator.up({ transaction: present(em.getTransactionContext()) })
      return kept
    })
    return { ...kept, takenAt }
  } finally {
    await orm.close()
  }
}

async function refuseNewer(orm: MikroORM, file: string, migrations: string[]): Promise<void> {
  const known = [...(await orm.migrator.getExecuted()), ...(await orm.migrator.getPending())].map(({ name }) => name)
  if (migrations.some(name => !known.includes(name)))
    throw new BackupError(`${file} was made by a newer version of the shop: install that one first.`)
}

/** A shop that runs would write what it remembers over what was restored. */
async function refuseInUse(em: EntityManager): Promise<void> {
  const listening = await em.execute<object[]>(
    `select 1 from pg_stat_activity where datname = current_database() and application_name = '${LISTENER}'`,
  )
  if (listening.length > 0) throw new BackupError('A shop is using this database: stop it first.')
}

async function refuseNonEmpty(em: EntityManager): Promise<void> {
  for (const table of KEPT.filter(each => !FROM_THE_START.includes(each))) {
    if ((await isThere(em, table)) && (await em.execute<object[]>(`select 1 from ${table} limit 1`)).length > 0) {
      throw new BackupError('There is a shop in this database already: add --replace to put the backup in its place.')
    }
  }
}

async function isThere(em: EntityManager, table: string): Promise<boolean> {
  const [{ exists }] = await em.execute<[{ exists: boolean }]>(
    `select to_regclass('public.${table}') is not null as exists`,
  )
  return exists
}

/** What migrations filled makes room for what the backup has of it. */
async function emptyFilled(em: EntityManager): Promise<void> {
  for (const table of FROM_THE_START.toReversed()) {
    if (await isThere(em, table)) await em.execute(`delete from ${table}`)
  }
}

async function clear(em: EntityManager): Promise<void> {
  await em.execute(`drop table if exists ${[...KEPT, ...LEFT_OUT].join(', ')} cascade`)
  await em.execute(`drop sequence if exists ${SEQUENCES.join(', ')}`)
  await em.execute('delete from mikro_orm_migrations')
  for (const { table } of JOBS.toReversed()) await em.execute(`delete from ${table}`)
}

async function fill(em: EntityManager, file: string, files: Files): Promise<Kept> {
  const kept: Kept = { rows: 0, files: 0 }
  let table = { name: '', columns: [] as string[] }
  let rows: string[] = []
  async function store() {
    if (rows.length === 0) return
    const columns = quoted(table.columns)
    await em.execute(
      `insert into ${table.name} (${columns}) overriding system value select ${columns} from jsonb_populate_recordset(null::${table.name}, ?::jsonb)`,
      [`[${rows.join(',')}]`],
    )
    kept.rows += rows.length
    rows = []
  }
  async function storeFile(folder: string, { name, base64 }: KeptFile) {
    if (!/^[\w-]+\.\w+$/.test(name))
      throw new BackupError(`The backup has a file that is called ${JSON.stringify(name)}: the shop made no such name.`)
    await files.write(folder + name, Buffer.from(base64, 'base64'), { personal: folder === DOWNLOADS })
    kept.files++
  }
  for await (const line of readLines(file)) {
    if ('row' in line) {
      rows.push(line.row)
      if (rows.length < ROWS_AT_ONCE) continue
    }
    await store()
    if ('table' in line) table = line.table
    if ('sequence' in line) await em.execute('select setval(?::regclass, ?)', [line.sequence.name, line.sequence.last])
    if ('picture' in line) await storeFile(UPLOADS, line.picture)
    if ('download' in line) await storeFile(DOWNLOADS, line.download)
  }
  return kept
}
