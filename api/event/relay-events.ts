import { setTimeout as pause } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Logger } from 'pino'
import type { Jobs } from '../jobs/jobs.ts'
import { write } from '../query/read.ts'
import type { Events } from './listen.ts'

/** Records what follows from the events up to now, as jobs where it may fail. Returns whether there are more. */
type Hear = (em: EntityManager, jobs: Jobs) => Promise<boolean>

const BATCH = 200

/**
 * Gives every waiting event its place in the log and calls the listeners. Processes take turns, so that the events of
 * one thing keep the order in which they were committed.
 */
async function relayEvents(em: EntityManager, jobs: Jobs, hear: Hear): Promise<number> {
  for (let relayed = 0; ;) {
    const { count, hasMore } = await em.fork().transactional(async tx => {
      await tx.execute(`select pg_advisory_xact_lock(hashtext('events are relayed'))`)
      const placed = await write(
        tx,
        // Materialized, so that places are drawn once, in this order, whichever way the tables are joined.
        `with waiting as (
           select id from events where relayed_at is null order by sequence, id limit ${BATCH}),
         placed as materialized (select id, nextval('event_places') as place from waiting)
         update events e set relayed_at = now(), place = placed.place from placed where placed.id = e.id returning e.id`,
        [],
      )
      return { count: placed.length, hasMore: await hear(tx, jobs) }
    })
    relayed += count
    if (count < BATCH && !hasMore) return relayed
  }
}

interface Relaying {
  /** A unit of work of its own. */
  em: () => EntityManager
  jobs: Jobs
  events: Events
  log: Logger
}

/** After this long, events are relayed that nobody announced: their process died, or the listening connection was down. */
const SWEEP_MS = 3_000

/** While events keep coming, those of this long are relayed together. */
const TOGETHER_MS = 100

/** Relays events from now on, the moment they are committed. Returns a function that stops it. */
export function keepRelaying({ em, jobs, events, log }: Relaying, hear: Hear): () => Promise<void> {
  let running: Promise<void> | null = null
  let again = false
  async function run() {
    do {
      again = false
      await relayEvents(em(), jobs, hear).catch(error => log.error(error, 'Could not relay events'))
      await pause(TOGETHER_MS)
    } while (again)
    running = null
  }
  const look = () => {
    again = true
    running ??= run()
  }
  const unhear = events.on({ happened: look, missed: look })
  const timer = setInterval(look, SWEEP_MS)
  return async () => {
    unhear()
    clearInterval(timer)
    await running
  }
}

/** Deletes what was handed on 30 days ago or earlier, a part at a time. */
export async function forgetEvents(em: EntityManager): Promise<void> {
  await em.execute(
    `delete from events where id in (select id from events where created_at < now() - interval '30 days' and relayed_at is not null limit 1000)`,
  )
}
