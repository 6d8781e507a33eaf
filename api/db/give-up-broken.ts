import type { Socket } from 'node:net'

/** As much of the driver's pool and connections as is needed here. */
export interface Pool {
  on(event: 'connect' | 'acquire', listener: (connection: Connection) => void): void
  on(event: 'release', listener: (error: unknown, connection: Connection) => void): void
}
interface Connection {
  query: Query
  once(event: 'end', listener: () => void): void
  release(destroy?: boolean): void
  connection: { stream: Socket }
}

export type Query = (statement: string | { text?: string }, ...more: unknown[]) => unknown

/** Longer than any statement may take that somebody waits for; PostgreSQL has given up on it by then, and said so. */
const SILENT_MS = 7_000

/**
 * Takes a connection that broke in the middle of a transaction out of the pool. Nobody else does: whoever held it fails
 * to roll back, and forgets it before giving it back. After ten of them the pool would be full of dead connections.
 */
export function giveUpBroken(pool: Pool): void {
  const held = new Set<Connection>()
  pool.on('acquire', connection => held.add(connection))
  pool.on('release', (_error, connection) => held.delete(connection))
  pool.on('connect', connection =>
    connection.once('end', () => {
      if (!held.has(connection)) return
      const release = connection.release
      // Whoever does give it back, later, has nothing left to do.
      connection.release = () => {}
      release(true)
    }),
  )
}

/** Breaks a connection over which nothing comes any more while somebody waits, when the network is gone for example. */
export function giveUpSilent(pool: Pool, isServing: () => boolean): void {
  pool.on('connect', ({ connection: { stream } }) => stream.on('timeout', () => stream.destroy()))
  pool.on('acquire', ({ connection: { stream } }) => stream.setTimeout(isServing() ? SILENT_MS : 0))
  pool.on('release', (_error, { connection: { stream } }) => stream.setTimeout(0))
}
