import type { Socket } from 'node:net'

/** The parts of the driver's pool and connections that are used here. */
export interface Pool {
  options: object
  on(event: 'connect' | 'acquire', listener: (connection: Connection) => void): void
  on(event: 'release', listener: (error: unknown, connection: Connection) => void): void
}
interface Connection {
  query: Query
  once(event: 'end', listener: () => void): void
  release(destroy?: boolean): void
  connection: { stream: Socket }
}

type Query = (statement: string | { text?: string }, ...more: unknown[]) => unknown

/** Longer than any statement may take that somebody waits for; PostgreSQL has given up on it by then, and said so. */
const SILENT_MS = 7_000

/**
 * Removes a connection that broke during a transaction from the pool. Nothing else does: the transaction fails to roll
 * back and never returns the connection, so that ten of them would exhaust the pool.
 */
export function giveUpBroken(pool: Pool): void {
  const held = new Set<Connection>()
  pool.on('acquire', connection => held.add(connection))
  pool.on('release', (_error, connection) => held.delete(connection))
  pool.on('connect', connection =>
    connection.once('end', () => {
      if (!held.has(connection)) return
      const release = connection.release
      // If it is returned after all, nothing is left to do.
      connection.release = () => {}
      release(true)
    }),
  )
}

/** Closes a connection that has gone silent while somebody waits for it, as when the network is gone. */
export function giveUpSilent(pool: Pool, isServing: () => boolean): void {
  pool.on('connect', ({ connection: { stream } }) => stream.on('timeout', () => stream.destroy()))
  pool.on('acquire', ({ connection: { stream } }) => stream.setTimeout(isServing() ? SILENT_MS : 0))
  pool.on('release', (_error, { connection: { stream } }) => stream.setTimeout(0))
}
