import { spawnSync } from 'node:child_process'
import { chownSync, lchownSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { PostgresError } from './errors.ts'

/** The user PostgreSQL runs as; undefined means the user who runs the shop. */
export type User = { uid: number; gid: number; name: string } | undefined

export function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** The user who made the database stays its owner, so that an occasional start by root does not lock them out. */
export function ownerOf(cluster: string): NonNullable<User> | undefined {
  const stats = statSync(cluster, { throwIfNoEntry: false })
  return stats && stats.uid !== 0 ? { uid: stats.uid, gid: stats.gid, name: `of ${cluster}` } : undefined
}

export function refuseForeign(cluster: string): void {
  const stats = statSync(cluster, { throwIfNoEntry: false })
  if (stats && process.getuid && stats.uid !== process.getuid()) {
    throw new PostgresError(
      `The database in ${cluster} belongs to another user: start the shop as that user, or set DATA_DIR to another directory.`,
    )
  }
}

/** initdb needs a user with an entry in the user list. */
export function serviceUser(): NonNullable<User> {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map(line => line.split(':'))
  for (const name of ['postgres', 'nobody']) {
    const entry = users.find(fields => fields[0] === name)
    // macOS writes the highest ids as negative numbers.
    if (entry) return { name, uid: Number(entry[2]) >>> 0, gid: Number(entry[3]) >>> 0 }
  }
  throw new PostgresError(
    'PostgreSQL does not run as root and there is no user postgres or nobody: start the shop as an ordinary user, or set DATABASE_URL.',
  )
}

/** Tries it instead of computing it from modes, because access lists and security modules decide too. */
export function canEnter(user: NonNullable<User>, dir: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$0"', dir], { ...spawnAs(user), cwd: '/', stdio: 'ignore' }).status === 0
}

/** PostgreSQL gets nothing of the shop's own environment, which holds secrets. */
export function spawnAs(user: User): { uid?: number; gid?: number; env: NodeJS.ProcessEnv } {
  const env = { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot, LC_ALL: 'C' }
  return user ? { uid: user.uid, gid: user.gid, env } : { env }
}

export function chownAll(dir: string, { uid, gid }: NonNullable<User>): void {
  chownSync(dir, uid, gid)
  for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) lchownSync(join(dir, name), uid, gid)
}
