import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { passwordOf } from './cluster.ts'
import { failure, lastLine, PostgresError } from './errors.ts'
import type { Location } from './location.ts'
import { program } from './programs.ts'
import { DATABASE, flags, SUPERUSER } from './settings.ts'
import { freePort, readText } from './system.ts'
import { spawnAs } from './user.ts'

export interface RunningPostgres {
  url: string
  /** The same server over a socket file, which costs less than TCP; over TCP where a socket file is not possible. */
  socketUrl: string
  /** Ends the open connections, writes everything and waits for the server to end; may be called twice. */
  stop(): Promise<void>
}

const LONGEST_PAUSE_MS = 2_000

/** The most bytes that every system allows in a socket's path; macOS allows the fewest. */
const LONGEST_SOCKET = 103

/** Starts the server, and restarts it at the same address whenever it ends without being stopped. */
export async function serve(
  location: Location,
  settings: Readonly<Record<string, string>>,
  unlock: () => void,
  log: (line: string) => void,
): Promise<RunningPostgres> {
  const { server: first, port } = await startOnFreePort(location, settings)
  let server = first
  let stopping: Promise<void> | undefined
  const isWanted = () => stopping === undefined
  const onExit = () => {
    // The shop ends without having stopped its database (process.exit on an error): do not leave it behind.
    if (server.pid !== undefined && isRunning(server)) signal(location, server.pid, 'SIGINT')
    unlock()
  }
  process.once('exit', onExit)

  const watch = () =>
    server.once('exit', (code, by) => {
      if (isWanted()) void revive(lastLine(readText(logFile(location)) ?? '') ?? String(by ?? code))
    })
  async function revive(reason: string): Promise<void> {
    log(`PostgreSQL has ended unexpectedly (${reason}). Starting it again …`)
    for (let pause = 50; isWanted(); pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      server = spawnServer(location, settings, port)
      if (await isReady(server, location.cluster)) {
        log('PostgreSQL is back.')
        watch()
        return
      }
      await delay(pause)
    }
  }
  watch()

  const stop = async () => {
    const { pid } = server
    if (pid !== undefined) await shutDown(location, pid, () => isRunning(server))
    process.off('exit', onExit)
    unlock()
  }
  return {
    url: addressAt(location, port),
    socketUrl: socketAddressAt(location, port),
    stop: () => (stopping ??= stop()),
  }
}

const addressAt = (location: Location, port: number | undefined, host = '127.0.0.1') =>
  `postgresql://${SUPERUSER}:${passwordOf(location)}@${host}:${port}/${DATABASE}`

const socketAddressAt = (location: Location, port: number) =>
  addressAt(location, port, hasSocket(location) ? encodeURIComponent(location.cluster) : undefined)

const SOCKET = '.s.PGSQL.'

/** Whether there is a socket file. It is in the cluster's own directory, which nobody else may enter. */
const hasSocket = ({ cluster }: Location) =>
  process.platform !== 'win32' && Buffer.byteLength(join(cluster, `${SOCKET}65535`)) <= LONGEST_SOCKET

/** The address of a server that another process has started. */
export const addressOf = (location: Location): string => addressAt(location, readPidFile(location.cluster).port)

/** Also false for a server that could not be spawned. */
const isRunning = (server: ChildProcess) =>
  server.pid !== undefined && server.exitCode === null && server.signalCode === null

async function startOnFreePort(
  location: Location,
  settings: Readonly<Record<string, string>>,
): Promise<{ server: ChildProcess; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    const server = spawnServer(location, settings, port)
    if (await isReady(server, location.cluster)) return { server, port }
    const output = readText(logFile(location)) ?? ''
    // Another program took the port after the check, or the last processes of a killed server are still ending.
    const passing = /Address already in use|shared memory block .* is still in use/.test(output)
    if (!passing || attempt === 20) throw failure(location, 'did not start', output)
    await delay(100 * attempt)
  }
}

function spawnServer(location: Location, settings: Readonly<Record<string, string>>, port: number): ChildProcess {
  // A new log file at each start: it cannot grow forever, and it does not matter who owned the last one.
  rmSync(logFile(location), { force: true })
  // Sockets of a killed server: PostgreSQL would not start if another program has that server's process id by now.
  for (const name of readdirSync(location.cluster))
    if (name.startsWith(SOCKET)) rmSync(join(location.cluster, name), { force: true })
  const output = openSync(logFile(location), 'w', 0o600)
  try {
    const server = spawn(
      program(location.programs, 'postgres'),
      [
        '-D',
        location.cluster,
        '-p',
        String(port),
        ...flags(settings),
        // The setting is a list; quotes keep a comma in the path from separating it.
        ...(hasSocket(location) ? ['-k', `"${location.cluster.replaceAll('"', '""')}"`] : []),
      ],
      {
        ...spawnAs(location.user),
        cwd: location.cluster,
        // A process group of its own: Ctrl-C in the terminal is for the shop, which still needs its database to finish.
        detached: true,
        stdio: ['ignore', output, output],
        windowsHide: true,
      },
    )
    // Without a listener the error would be thrown. `isRunning` notices a server that could not be spawned.
    server.once('error', () => {})
    server.unref()
    return server
  } finally {
    closeSync(output)
  }
}

async function isReady(server: ChildProcess, cluster: string): Promise<boolean> {
  // After a crash the server recovers first, which may take long; it ends by itself when it cannot.
  while (isRunning(server)) {
    const { pid, status } = readPidFile(cluster)
    // A standby that follows another server answers too.
    if (pid === server.pid && (status === 'ready' || status === 'standby')) return true
    await delay(10)
  }
  return false
}

export function readPidFile(cluster: string): { pid?: number; port?: number; status?: string } {
  const lines = readText(join(cluster, 'postmaster.pid'))?.split('\n') ?? []
  const pid = Number(lines[0])
  return pid > 0 ? { pid, port: Number(lines[3]), status: lines[7]?.trim() } : {}
}

function logFile({ dataDir }: Location): string {
  return join(dataDir, 'postgres.log')
}

/** Asks for a fast shutdown, then an immediate one, which leaves recovery to the next start; then kills the server. */
export async function shutDown(location: Location, pid: number, isRunning: () => boolean): Promise<void> {
  for (const [name, seconds] of [
    ['SIGINT', 10],
    ['SIGQUIT', 5],
    ['SIGKILL', 5],
  ] as const) {
    if (!isRunning()) return
    signal(location, pid, name)
    for (let waited = 0; waited < seconds * 1000; waited += 10) {
      if (!isRunning()) return
      await delay(10)
    }
  }
  throw new PostgresError(`PostgreSQL (process ${pid}) does not end.`)
}

function signal(location: Location, pid: number, name: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): void {
  if (process.platform === 'win32') {
    spawnSync(program(location.programs, 'pg_ctl'), ['kill', name.slice('SIG'.length), String(pid)], {
      windowsHide: true,
    })
    return
  }
  try {
    process.kill(pid, name)
  } catch {
    // It has ended already.
  }
}
