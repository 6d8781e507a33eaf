import { setTimeout as wait } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import type { Logger } from 'pino'
import type { EventType } from '../generated/types.ts'
import { EVENTS_CHANNEL } from './record-events.ts'

/** What the shop's processes are sent of an event: enough to look it up. */
export interface Happened {
  id: string
  type: EventType
  /** The order or product it happened to. */
  subjectId: string
  /** The product that it is about, or that its review is of. */
  productId?: string
}

/** What PostgreSQL calls the connection over which a process listens. */
export type ListenerId = number

/** Its types leave out what the protocol begins with. */
type Connection = Client & { processID?: ListenerId }

/** Handlers must not throw, and finish what they start on their own. */
interface Hearer {
  /** An event was committed, by this process or another one. */
  happened?(event: Happened): void
  /** Stock of a product moved; null when one just sold out or came back. Committed, by this process or another one. */
  stockMoved?(productId: string | null): void
  /** The connection was lost for a while: events may have been missed, so look for yourself. */
  missed?(): void
  /** A message from a process, maybe this one. Everything committed before it has been announced by then. */
  said?(message: object, from: ListenerId): void
}

/** Events as they are committed, and what processes say to each other, heard over one connection a process. */
export interface Events {
  /** Returns a function that stops telling. */
  on(hearer: Hearer): () => void
  /** Sends a message to all processes including this one, 7,000 bytes of JSON at most. Lost while the connection is down. */
  say(message: object): void
  /** This process's id; null while the connection is down. */
  id(): ListenerId | null
  /** All other processes that listen. Rejects while the connection is down. */
  others(): Promise<ListenerId[]>
  stop(): Promise<void>
}

/** What each shop process calls its connection. */
export const LISTENER = 'skein events'

const PROCESSES_CHANNEL = 'processes'
/** The channel on which a trigger names products whose stock has moved (Migration060StockTold). */
const STOCK_CHANNEL = 'stock'

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
  let speaker: Speaker | null = null

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
    const client: Connection = new Client({
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
    client.on('notification', ({ channel, payload, processId }) => {
      const say = read(channel, payload, processId)
      if (say) tell(say)
    })
    try {
      await client.connect()
      // Messages need not survive a crash, so the commit does not wait for the disk.
      await client.query(
        `set synchronous_commit = off; listen ${EVENTS_CHANNEL}; listen ${STOCK_CHANNEL}; listen ${PROCESSES_CHANNEL}`,
      )
      speaker = speakOver(client)
      onListening()
      // A connection can die silently.
      for (;;) {
        await wait(HEARTBEAT_MS, null, { signal: lost.signal })
        await speaker.ask('select 1')
      }
    } finally {
      speaker = null
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
        if (!isFirst) tell(hearer => hearer.missed?.())
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
    say(message) {
      // A lost connection is noticed by the connection itself.
      void speaker?.ask('select pg_notify($1, $2)', [PROCESSES_CHANNEL, JSON.stringify(message)]).catch(() => {})
    },
    id: () => speaker?.id ?? null,
    async others() {
      if (!speaker) throw new Error('Nobody is listening')
      const { rows } = await speaker.ask<{ pid: ListenerId }>(
        `select pid from pg_stat_activity
         where application_name = $1 and datname = current_database() and pid <> pg_backend_pid()`,
        [LISTENER],
      )
      return rows.map(({ pid }) => pid)
    },
    async stop() {
      stopping.abort()
      hangUp()
      await listening
    },
  }
}

type Speaker = ReturnType<typeof speakOver>

/**
 * A connection takes one statement at a time, so each waits for the one before. One that is not answered is the last: those
 * that wait would each be given its time, and the loss be noticed minutes late.
 */
function speakOver(client: Connection) {
  let last: Promise<unknown> = Promise.resolve()
  return {
    id: client.processID ?? null,
    ask<Row extends object>(statement: string, values: unknown[] = []) {
      const answer = last.then(() => client.query<Row>(statement, values))
      last = answer.catch(error => {
        if (!(error instanceof DatabaseError)) client.end().catch(() => {})
      })
      return answer
    },
  }
}

/** Which handler a notification is for, with what it says. Null for what the shop did not send. */
function read(channel: string, payload: string | undefined, from: ListenerId): ((hearer: Hearer) => void) | null {
  const message = parse(payload)
  if (!message) return null
  if (channel === EVENTS_CHANNEL) return hearer => hearer.happened?.(message as Happened)
  if (channel === STOCK_CHANNEL) {
    const { productId } = message as { productId: string | null }
    return hearer => hearer.stockMoved?.(productId)
  }
  return hearer => hearer.said?.(message, from)
}

function parse(payload: string | undefined): object | null {
  try {
    return JSON.parse(payload ?? '') as object
  } catch {
    return null
  }
}
