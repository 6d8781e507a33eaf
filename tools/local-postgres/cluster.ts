import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { failure, PostgresError } from './errors.ts'
import type { Location } from './location.ts'
import { program } from './programs.ts'
import { DATABASE, flags, MAJOR_VERSION, SUPERUSER } from './settings.ts'
import { readText } from './system.ts'
import { chownAll, spawnAs } from './user.ts'

export async function prepareCluster(
  location: Location,
  settings: Readonly<Record<string, string>>,
  log: (line: string) => void,
): Promise<void> {
  setAsideForgotten(location, log)
  const passwordIsNew = ensurePassword(location)
  if (!existsSync(location.cluster)) {
    log(`Creating a database in ${location.cluster} …`)
    await createCluster(location, settings)
    return
  }
  refuseOtherVersion(location.cluster)
  // Files that root copied or restored belong to root.
  if (location.user && statSync(location.cluster).uid === 0) chownAll(location.cluster, location.user)
  if (passwordIsNew)
    await inSingleUserMode(location, settings, `ALTER ROLE ${SUPERUSER} PASSWORD '${passwordOf(location)}'`)
}

/** The password is in the data directory. If it is missing there, somebody emptied the directory to start over. */
function setAsideForgotten({ dataDir, cluster }: Location, log: (line: string) => void): void {
  if (dirname(cluster) === dataDir || !existsSync(cluster) || existsSync(passwordFile(dataDir))) return
  const old = `${cluster}.old`
  rmSync(old, { recursive: true, force: true })
  renameSync(cluster, old)
  log(`${dataDir} was emptied, so a new database is made; the one it had before is kept in ${old}.`)
}

async function createCluster(location: Location, settings: Readonly<Record<string, string>>): Promise<void> {
  removeUnfinished(location.cluster)
  const unfinished = mkdtempSync(`${location.cluster}.new-`)
  try {
    // initdb reads the password as its own user.
    const password = join(unfinished, 'password')
    writeFileSync(password, passwordOf(location), { mode: 0o600 })
    if (location.user) for (const path of [unfinished, password]) chownSync(path, location.user.uid, location.user.gid)
    const cluster = join(unfinished, 'cluster')
    await initialise({ ...location, cluster }, password, settings)
    await inSingleUserMode({ ...location, cluster }, settings, `CREATE DATABASE ${DATABASE}`)
    // The last step: a first start that is cut short leaves nothing that looks like a database.
    renameSync(cluster, location.cluster)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

function removeUnfinished(cluster: string): void {
  const leftovers = readdirSync(dirname(cluster)).filter(name => name.startsWith(`${basename(cluster)}.new-`))
  for (const name of leftovers) rmSync(join(dirname(cluster), name), { recursive: true, force: true })
}

/** Unicode's own order and case rules, the same everywhere; the C library only says what a letter is (for pg_trgm). */
async function initialise(
  location: Location,
  password: string,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const args = [
    '-D',
    location.cluster,
    '-U',
    SUPERUSER,
    `--pwfile=${password}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-instructions',
    ...(settings.fsync === 'off' ? ['--no-sync'] : []),
  ]
  const first = await run(location, 'initdb', [...args, '--lc-ctype=C.UTF-8'])
  // macOS and some Linux systems have no such locale.
  const result = /invalid locale name/.test(first.output) ? await run(location, 'initdb', args) : first
  if (result.code !== 0) throw failure(location, 'could not create a database', result.output)
}

/** Runs a server without a network, for the one statement that has to run before the first start. */
async function inSingleUserMode(
  location: Location,
  settings: Readonly<Record<string, string>>,
  statement: string,
): Promise<void> {
  const { code, output } = await run(
    location,
    'postgres',
    ['--single', '-D', location.cluster, ...flags(settings), 'postgres'],
    `${statement}\n`,
  )
  if (code !== 0 || /^.*(ERROR|FATAL|PANIC): /m.test(output))
    throw failure(location, 'could not prepare the database', output)
}

function refuseOtherVersion(cluster: string): void {
  const version = readText(join(cluster, 'PG_VERSION'))?.trim()
  if (version !== MAJOR_VERSION) {
    throw new PostgresError(
      version
        ? `The database in ${cluster} was made by PostgreSQL ${version} and this shop brings PostgreSQL ${MAJOR_VERSION}: set DATA_DIR to another directory, or DATABASE_URL to a PostgreSQL that can read it.`
        : `${cluster} is not a PostgreSQL database: move it away, or set DATA_DIR to another directory.`,
    )
  }
}

function passwordFile(dataDir: string): string {
  return join(dataDir, 'postgres.password')
}

export function passwordOf({ dataDir }: Location): string {
  return readText(passwordFile(dataDir)) ?? ''
}

function ensurePassword(location: Location): boolean {
  if (passwordOf(location) !== '') return false
  const file = passwordFile(location.dataDir)
  writeFileSync(`${file}.new`, randomBytes(24).toString('base64url'), { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return true
}

function run(
  location: Location,
  name: string,
  args: string[],
  input = '',
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program(location.programs, name), args, {
      ...spawnAs(location.user),
      cwd: dirname(location.cluster),
      windowsHide: true,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.once('error', reject)
    child.once('close', code => resolve({ code, output }))
    // The process may have ended before it read its input.
    child.stdin.on('error', () => {}).end(input)
  })
}
