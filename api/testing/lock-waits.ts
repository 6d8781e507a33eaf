import { setTimeout as pause } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'

/** Resolves when so many of the database's connections wait for a lock that another one holds. */
export async function lockWaits(em: EntityManager, count = 1): Promise<void> {
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await em.fork().execute(waiting)).length < count) await pause(20)
}
