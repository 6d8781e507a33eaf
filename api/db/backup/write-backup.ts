import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Client } from 'pg'
import { nth } from '#schema/rules/present'
import type { Files } from '../../kernel/files.ts'
import { UPLOADS } from '../../catalog/uploads.ts'
import { DOWNLOADS } from '../../download/download-files.ts'
import { writeLines, type Line } from './backup-file.ts'
import { JOBS, KEPT, SEQUENCES } from './tables.ts'

export interface Kept {
  rows: number
  files: number
}

/** Where the files of a kind are. */
const FOLDERS = { picture: UPLOADS, download: DOWNLOADS } as const
const KINDS = Object.keys(FOLDERS) as (keyof typeof FOLDERS)[]

const ROWS_AT_ONCE = 1_000

/**
 * Writes everything the shop knows to one file, as it was at one moment; the shop may go on selling meanwhile. Not kept
 * are sessions, links to choose a new password, and jobs that are done.
 */
export async function writeBackup(
  file: string,
  { databaseUrl, dataDir, files }: { databaseUrl: string; dataDir: string; files: Files },
): Promise<Kept> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'skein backup', keepAlive: true })
  const held = await mkdtemp(join(dataDir, 'backup-'))
  const kept: Kept = { rows: 0, files: 0 }
  try {
    for (const kind of KINDS) await mkdir(join(held, kind))
    await client.connect()
    await client.query('begin isolation level repeatable read read only')
    await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
    // Before the moment that is kept, and after it: whatever its products show is among them, though it be replaced soon.
    await hold(files, held)
    const first = await header(client)
    await hold(files, held)
    await writeLines(file, everything(client, first, held, kept))
    return kept
  } finally {
    await client.end()
    await rm(held, { recursive: true, force: true })
  }
}

/** A file never changes under its name, so a second name is as good as a copy. */
async function hold(files: Files, held: string): Promise<void> {
  for (const kind of KINDS) {
    const known = new Set(await readdir(join(held, kind)))
    for await (const some of files.list(FOLDERS[kind]))
      for (const { name } of some)
        if (!known.has(basename(name))) await files.copyOut(name, join(held, kind, basename(name)))
  }
}

async function header(client: Client): Promise<Line> {
  const { rows } = await client.query<{ now: Date; name: string }>(
    'select now(), name from mikro_orm_migrations order by id',
  )
  return { backup: { format: 1, takenAt: nth(rows, 0).now.toISOString(), migrations: rows.map(({ name }) => name) } }
}

async function* everything(client: Client, first: Line, held: string, kept: Kept): AsyncGenerator<Line> {
  yield first
  for (const table of KEPT) yield* rowsOf(client, `public.${table}`, 'true', kept)
  for (const { table, only } of JOBS) yield* rowsOf(client, table, only, kept)
  // After the rows: a sequence knows no snapshots, and must not be behind them.
  yield* sequences(client)
  for (const kind of KINDS)
    for (const name of await readdir(join(held, kind))) {
      const file = { name, base64: await readFile(join(held, kind, name), 'base64') }
      yield kind === 'picture' ? { picture: file } : { download: file }
      kept.files++
    }
}

async function* rowsOf(client: Client, table: string, only: string, kept: Kept): AsyncGenerator<Line> {
  const columns = await columnsOf(client, table)
  // An older shop has fewer tables.
  if (columns.length === 0) return
  yield { table: { name: table, columns } }
  await client.query(
    `declare kept no scroll cursor for select to_jsonb(kept)::text as row from (select ${quoted(columns)} from ${table} where ${only}) kept`,
  )
  for (;;) {
    const { rows } = await client.query<{ row: string }>(`fetch ${ROWS_AT_ONCE} from kept`)
    yield* rows
    kept.rows += rows.length
    if (rows.length < ROWS_AT_ONCE) break
  }
  await client.query('close kept')
}

/** Without those that PostgreSQL computes itself. */
async function columnsOf(client: Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = to_regclass($1) and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  )
  return rows.map(({ name }) => name)
}

export const quoted = (columns: readonly string[]) => columns.map(name => `"${name}"`).join(', ')

async function* sequences(client: Client): AsyncGenerator<Line> {
  const { rows } = await client.query<{ name: string; last: string | null }>(
    `select s.schemaname || '.' || s.sequencename as name, s.last_value as last from pg_sequences s
       left join pg_depend d on d.objid = format('%I.%I', s.schemaname, s.sequencename)::regclass and d.deptype in ('a', 'i') and d.refclassid = 'pg_class'::regclass
     where s.schemaname = 'public' and (s.sequencename = any($1) or d.refobjid::regclass::text = any($2))`,
    [SEQUENCES, KEPT],
  )
  for (const { name, last } of rows) if (last !== null) yield { sequence: { name, last } }
}
