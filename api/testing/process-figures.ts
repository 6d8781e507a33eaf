import { readdirSync, readFileSync } from 'node:fs'

/** Of a clock tick, in which Linux counts processor time. */
const TICK_MS = 10

interface Process {
  parent: number
  /** Its own processor time and that of children that have ended, in milliseconds. */
  own: number
  ended: number
}

/** Null for one that is no more, and where there is no /proc. */
function look(pid: number): Process | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before may have spaces and brackets of its own.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [parent, user, system, endedUser, endedSystem] = [1, 11, 12, 13, 14].map(at => Number(fields[at])) as [
      number,
      number,
      number,
      number,
      number,
    ]
    return { parent, own: (user + system) * TICK_MS, ended: (endedUser + endedSystem) * TICK_MS }
  } catch {
    return null
  }
}

type Sql = (query: string) => Promise<object[]>

/** Milliseconds of processor time a process on this machine has taken. */
export const cpuOf = (pid: number | undefined) => (pid === undefined ? null : look(pid))?.own ?? NaN

/** Megabytes of its memory that are in use now, shared libraries too. NaN where there is no /proc. */
export function heldBy(pid: number): number {
  try {
    return (Number(/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024) / 1e6
  } catch {
    return NaN
  }
}

/** Tells how many milliseconds of processor time a database on this machine has taken, all of its processes together. */
export async function databaseCpu(sql: Sql): Promise<() => number> {
  const [{ pid }] = (await sql('select pg_backend_pid() as pid')) as [{ pid: number }]
  const server = look(pid)?.parent
  return () => {
    const main = server === undefined ? null : look(server)
    if (!main) return NaN
    const children = readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .flatMap(name => look(Number(name)) ?? [])
      .filter(({ parent }) => parent === server)
    return children.reduce((sum, { own, ended }) => sum + own + ended, main.own + main.ended)
  }
}
