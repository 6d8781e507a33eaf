import { setTimeout as delay } from 'node:timers/promises'
import type { MikroORM } from '@mikro-orm/postgresql'

/** How long a shop that starts, or a command, waits for its first connection. */
export const FIRST_CONNECTION_MS = 30_000
/** After so long it says that it waits. */
const QUIET_MS = 2_000
const PAUSE_MS = 500

/** PostgreSQL is starting, or serves as many as it can: that passes. */
const PASSING = ['57P03', '53300']
/** There is no such database: it is made now, where that is allowed. */
const UNMADE = '3D000'
/** What the client library says when no connection came in time. */
const TOO_SLOW = /timeout/

/** Why the database cannot be used, in one sentence for its owner. */
class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
}

/** Waits for a connection. What does not pass, such as a wrong password or an unknown host, fails at once. */
export async function firstConnection(orm: MikroORM, withinMs: number, say: (line: string) => void): Promise<void> {
  const end = performance.now() + withinMs
  const waiting = setTimeout(() => say('Waiting for PostgreSQL to take a connection …'), QUIET_MS)
  try {
    const connection = await orm.driver.connect({ skipOnConnect: true })
    for (;;) {
      const check = await connection.checkConnection()
      const code = check.ok ? '' : String((check.error as NodeJS.ErrnoException | undefined)?.code)
      if (check.ok || code === UNMADE) break
      const { reason, error } = check
      if (!PASSING.includes(code) || performance.now() > end)
        throw new DatabaseError(
          `Cannot use the database: ${TOO_SLOW.test(reason) ? `it took no connection within ${withinMs / 1_000} seconds.` : reason}`,
          { cause: error },
        )
      await delay(PAUSE_MS)
    }
    await orm.driver.connect()
  } finally {
    clearTimeout(waiting)
  }
}
