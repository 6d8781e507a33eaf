import { createHash } from 'node:crypto'
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PostgresError } from './errors.ts'
import { findPrograms } from './programs.ts'
import { canEnter, isRoot, ownerOf, refuseForeign, serviceUser, type User } from './user.ts'

export interface Location {
  dataDir: string
  /** The directory that holds bin, lib and share. */
  programs: string
  cluster: string
  user: User
}

export function openDataDir(wanted: string): string {
  mkdirSync(wanted, { recursive: true })
  return realpathSync(wanted)
}

/**
 * PostgreSQL refuses to run as root, so a shop started by root runs it as another user. Where that user may not enter
 * (a checkout under root's home), programs and database are kept in a system directory instead.
 */
export function findPlace(dataDir: string, log: (line: string) => void): Location {
  const here = join(dataDir, 'postgres')
  if (!isRoot()) {
    refuseForeign(here)
    return { dataDir, programs: findPrograms(undefined, () => dataDir), cluster: here, user: undefined }
  }
  const user = ownerOf(here) ?? serviceUser()
  const staged = existingStage(dataDir)
  const reachable = mayEnter(user, dataDir)
  if (existsSync(here) && !reachable) {
    throw new PostgresError(
      `The user ${user.name}, whom PostgreSQL runs as when the shop is started by root, may not enter ${dataDir}: open its parent directories to that user, or set DATA_DIR or DATABASE_URL.`,
    )
  }
  if (reachable && (existsSync(here) || !staged)) {
    return { dataDir, programs: findPrograms(user, systemDir), cluster: here, user }
  }
  const stage = staged ?? makeStage(dataDir, user)
  log(`PostgreSQL runs as the user ${user.name}, who may not enter ${dataDir}; its files are kept in ${stage}.`)
  return {
    dataDir,
    programs: findPrograms(user, systemDir),
    cluster: join(stage, 'postgres'),
    user: ownerOf(join(stage, 'postgres')) ?? user,
  }
}

function mayEnter(user: NonNullable<User>, dataDir: string): boolean {
  if (canEnter(user, dataDir)) return true
  const stats = statSync(dataDir)
  if (stats.uid !== 0 || !canEnter(user, dirname(dataDir))) return false
  // Only the data directory itself is closed, and it belongs to the shop: let PostgreSQL's group through, nobody else.
  chownSync(dataDir, 0, user.gid)
  chmodSync(dataDir, (stats.mode & 0o7777) | 0o010)
  return canEnter(user, dataDir)
}

const SYSTEM_DIRS = ['/var/lib/skein', join(tmpdir(), 'skein')]

function stageOf(root: string, dataDir: string): string {
  return join(root, createHash('sha256').update(dataDir).digest('hex').slice(0, 16))
}

function existingStage(dataDir: string): string | undefined {
  return SYSTEM_DIRS.filter(isRootsOwn)
    .map(root => stageOf(root, dataDir))
    .find(stage => existsSync(join(stage, 'postgres')))
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
      // A read-only file system: try the next directory.
    }
  }
  throw new PostgresError(
    `PostgreSQL cannot run as root from here, and neither ${SYSTEM_DIRS.join(' nor ')} can be used for its files: start the shop as an ordinary user, or set DATABASE_URL.`,
  )
}

/** Whether only root may write to a directory: otherwise somebody else could have put programs there for us to run. */
function isRootsOwn(dir: string): boolean {
  const stats = lstatSync(dir, { throwIfNoEntry: false })
  return stats !== undefined && stats.isDirectory() && stats.uid === 0 && (stats.mode & 0o022) === 0
}
