import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import type { Logger } from 'pino'
import type { EventType } from '../generated/types.ts'
import { EVENTS_CHANNEL } from './record-events.ts'

/** What the shop's processes are told of an event: enough to look it up. */
export interface Happened {
  id: string
  type: EventType
  /** The order or product it happened to. */
  subjectId: string
}

/** Neither may throw; what they start they finish on their own. */
export interface Hearer {
  /** An event was committed, by this process or another one. */
  happened(event: Happened): void
  /** The connection was lost for a while: what happened meanwhile was told to nobody, so look for yourself. */
  missed(): void
}

/** Events as they are committed, heard over one connection a process. */
export interface Events {
  /** Returns a function that stops telling. */
  on(hearer: Hearer): () => void
  stop(): Promise<void>
}

/** What each shop process calls its connection. */
export const LISTENER = 'skein events'

const HEARTBEAT_MS = 15_000
const TIMEOUT_MS = 5_000
const LONGEST_PAUSE_MS = 5_000

/**
 * Listens until it is stopped, and connects again for as long as that takes. Resolves when it listens, or when its first
 * try has failed.
 */
export async function listenForEvents(databaseUrl: string, log: Logger): Promise<Events> {
  const hearers = new Set<Hearer>()
  const stopping = new AbortController()
  let hangUp = () => {}

  function tell(say: (hearer: Hearer) => void) {
    for (const hearer of hearers) {
      try {
        say(hearer)
      } catch (error) {
        log.error(error, 'An event could not be passed on')
      }
    }
  }

  /** Listens over one connection until that is lost, and throws then. */
  async function listen(onListening: () => void): Promise<never> {
    const client = new Client({
      connectionString: databaseUrl,
      application_name: LISTENER,
      keepAlive: true,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    })
    const lost = new AbortController()
    hangUp = () => lost.abort()
    client.once('end', hangUp)
    // The end follows; an error nobody listens for would take the process with it.
    client.on('error', () => {})
    client.on('notification', ({ payload }) => {
      const event = readEvent(payload)
      if (event) tell(hearer => hearer.happened(event))
    })
    try {
      await client.connect()
      await client.query(`listen ${EVENTS_CHANNEL}`)
      onListening()
      // A connection can die without a word.
      for (;;) {
        await wait(HEARTBEAT_MS, null, { signal: lost.signal })
        await client.query('select 1')
      }
    } finally {
      await client.end().catch(() => {})
    }
  }

  const tried = Promise.withResolvers<void>()
  async function keepListening() {
    let failures = 0
    let isFirst = true
    while (!stopping.signal.aborted) {
      await listen(() => {
        failures = 0
        tried.resolve()
        if (!isFirst) tell(hearer => hearer.missed())
      }).catch(error => {
        if (!stopping.signal.aborted) log.warn(error, 'Cannot listen for events at the moment')
      })
      isFirst = false
      tried.resolve()
      await wait(Math.min(100 * 2 ** failures++, LONGEST_PAUSE_MS), null, { signal: stopping.signal }).catch(() => {})
    }
  }

  const listening = keepListening()
  await tried.promise
  return {
    on(hearer) {
      hearers.add(hearer)
      return () => void hearers.delete(hearer)
    },
    async stop() {
      stopping.abort()
      hangUp()
      await listening
    },
  }
}

/** Null for what recordEvents did not send. */
function readEvent(payload: string | undefined): Happened | null {
  try {
    return JSON.parse(payload ?? '') as Happened
  } catch {
    return null
  }
}
