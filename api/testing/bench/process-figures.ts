import { readdirSync, readFileSync } from 'node:fs'

/** The length of a clock tick, in which Linux counts processor time. */
const TICK_MS = 10

interface Process {
  parent: number
  /** Processor time of the process itself, and of its children that have ended, in milliseconds. */
  own: number
  ended: number
}

/** Null for a process that has ended, and where there is no /proc. */
function look(pid: number): Process | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before it may contain spaces and brackets.
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

/** Milliseconds of processor time that a process on this machine and its children have used. */
export function cpuOf(pid: number | undefined): number {
  const main = pid === undefined ? null : look(pid)
  if (!main) return NaN
  const children = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => look(Number(name)) ?? [])
    .filter(({ parent }) => parent === pid)
  return children.reduce((sum, { own, ended }) => sum + own + ended, main.own + main.ended)
}

/** Megabytes of a process's memory that are in use now, including shared libraries. NaN where there is no /proc. */
export function heldBy(pid: number): number {
  try {
    return (Number(/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024) / 1e6
  } catch {
    return NaN
  }
}

/** Returns a function that reads how many milliseconds of processor time all processes of a database on this machine have used. */
export async function databaseCpu(sql: Sql): Promise<() => number> {
  const [{ pid }] = (await sql('select pg_backend_pid() as pid')) as [{ pid: number }]
  const server = look(pid)?.parent
  return () => cpuOf(server)
}
