import type { EntityManager } from '@mikro-orm/postgresql'
import type { Logger } from 'pino'
import type { EventType } from '../generated/types.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Events } from './listen.ts'

/** An event as it was written down. */
export interface PastEvent {
  id: string
  type: EventType
  /** The order or product it happened to. */
  subjectId: string
  /** The subject as it was then. */
  data: Record<string, unknown>
  createdAt: Date
}

/** Someone events are handed to, each once. */
export interface Taker {
  /** Where its jobs go. */
  queue: string
  /** Writes down what follows from events, jobs for whatever may fail: in the transaction that takes them off the list. */
  take(em: EntityManager, jobs: Jobs, events: readonly PastEvent[]): Promise<void>
}

const BATCH = 100

/**
 * Hands every waiting event to all takers, oldest first. Shop processes share the work: an event is claimed by one of
 * them, and if that dies before its transaction commits, by another. Answers how many it handed on.
 */
export async function relayEvents(em: EntityManager, jobs: Jobs, takers: readonly Taker[]): Promise<number> {
  for (let relayed = 0; ;) {
    const count = await em.fork().transactional(async tx => {
      const rows = await tx.execute<(Omit<PastEvent, 'createdAt'> & { createdAt: string })[]>(
        `with claimed as (
           update events set relayed_at = now() where id in (select id from events where relayed_at is null order by id limit ${BATCH} for update skip locked)
           returning id, type, subject_id as "subjectId", data, created_at as "createdAt"
         ) select * from claimed order by id`,
      )
      const events = rows.map(row => ({ ...row, createdAt: new Date(row.createdAt) }))
      if (events.length > 0) for (const taker of takers) await taker.take(tx, jobs, events)
      return events.length
    })
    if (count > 0) for (const { queue } of takers) jobs.wake(queue)
    relayed += count
    if (count < BATCH) return relayed
  }
}

interface Relaying {
  /** A unit of work of its own. */
  em: () => EntityManager
  jobs: Jobs
  events: Events
  log: Logger
}

/** How soon an event goes on that nobody called out: its process died, or the listening connection was down. */
const SWEEP_MS = 3_000

/** Relays events from now on, the moment they are committed. Returns a function that stops it. */
export function keepRelaying({ em, jobs, events, log }: Relaying, takers: readonly Taker[]): () => Promise<void> {
  let running: Promise<void> | null = null
  let again = false
  async function run() {
    do {
      again = false
      await relayEvents(em(), jobs, takers).catch(error => log.error(error, 'Could not relay events'))
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
