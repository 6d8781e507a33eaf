import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Location } from './location.ts'
import { readPidFile, shutDown } from './server.ts'
import { commandOf, isAlive } from './system.ts'

/** Stops the server of a shop that was killed. We hold the lock, so nobody else needs that server. */
export async function stopOrphan(location: Location, log: (line: string) => void): Promise<void> {
  const { pid } = readPidFile(location.cluster)
  if (pid === undefined || !isAlive(pid)) return
  if (isServerOf(pid, location.cluster)) {
    log(`Stopping the PostgreSQL (process ${pid}) that an interrupted shop left behind …`)
    return shutDown(location, pid, () => isAlive(pid) && isServerOf(pid, location.cluster))
  }
  // After a reboot another program has the process id, and PostgreSQL would take it for its own server. Only the id is
  // replaced, by one that no process has: the rest of the file guards against processes still using the data.
  const file = join(location.cluster, 'postmaster.pid')
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, '2147483647'))
}

function isServerOf(pid: number, cluster: string): boolean {
  const command = commandOf(pid)
  // Windows does not show the arguments.
  return command.includes('postgres') && (process.platform === 'win32' || command.includes(`${cluster} `))
}
