/** As much of the driver's pool and connections as is needed here. */
interface Pool {
  on(event: 'connect' | 'acquire', listener: (connection: Connection) => void): void
  on(event: 'release', listener: (error: unknown, connection: Connection) => void): void
}
interface Connection {
  once(event: 'end', listener: () => void): void
  release(destroy?: boolean): void
}

/**
 * Takes a connection that broke in the middle of a transaction out of the pool. Nobody else does: whoever held it fails
 * to roll back, and forgets it before giving it back. After ten of them the pool would be full of dead connections.
 */
export function giveUpBroken(pool: Pool): void {
  const held = new Set<Connection>()
  pool.on('acquire', connection => held.add(connection))
  pool.on('release', (_error, connection) => held.delete(connection))
  pool.on('connect', connection => connection.once('end', () => {
    if (!held.has(connection)) return
    const release = connection.release
    // Whoever does give it back, later, has nothing left to do.
    connection.release = () => {}
    release(true)
  }))
}
