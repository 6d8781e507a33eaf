import { setTimeout as delay } from 'node:timers/promises'
import {
  PostgreSqlConnection,
  type AbstractSqlPlatform,
  type AnyEntity,
  type Configuration,
  type EntityData,
  type EntityManager,
  type MikroORM,
  type QueryResult,
} from '@mikro-orm/postgresql'
import type { Pool, QueryConfig } from 'pg'
import type { Logger } from 'pino'
import { nth } from '#schema/rules/present'
import { follows } from '../query/primary.ts'
import { ShopDriver } from './driver.ts'
import { isOutage } from './failures.ts'

/** Servers that follow the primary, for what everybody may see. */
export interface Replicas {
  /**
   * A unit of work for reading alone: of a replica that knows all that this process has heard of by now, and all that is
   * older than a second; of the primary where none does. Fails where the primary cannot say.
   */
  em(): Promise<EntityManager>
  /** Something was committed that later reads have to see. */
  heard(): void
  close(): Promise<void>
}

/** How long a read waits for a replica to know what was heard of. Usually that takes less than a millisecond. */
const PATIENCE_MS = 50
const PAUSE_MS = 2
/** How long nobody asks a replica that failed or was too far behind. */
const REST_MS = 500
/** How old changes without an event may look on a replica. */
const OLDEST_MS = 1_000

/** A server's position in the write-ahead log, in bytes. */
type Place = bigint

interface Opening {
  orm: MikroORM
  urls: readonly string[]
  /** How its connections are made ready. */
  driverOptions: object
  /** Whether this process learns of what others commit. */
  isListening: () => boolean
  log: Logger
}

/** Replicas may be down; they are tried again and again. */
export async function openReplicas({ orm, urls, driverOptions, isListening, log }: Opening): Promise<Replicas> {
  const replicas = await Promise.all(
    urls.map(async (url, index) => {
      const replica = new Replica(orm, { clientUrl: url, driverOptions }, `Replica ${index + 1}`, log)
      await replica.connect()
      return replica
    }),
  )
  const written = new Written(orm)
  let turn = 0
  return {
    async em() {
      if (!isListening()) return orm.em.fork()
      const place = await written.place()
      const first = turn++
      for (let index = 0; index < replicas.length; index++) {
        const replica = nth(replicas, (first + index) % replicas.length)
        if (await replica.reaches(place)) return replica.em()
      }
      return orm.em.fork()
    },
    heard: () => written.more(),
    close: async () => void (await Promise.all(replicas.map(replica => replica.close()))),
  }
}

/** The primary's log position: everything announced before it is written by then. */
class Written {
  readonly #orm: MikroORM
  #place: Place = 0n
  #askedAt = -Infinity
  #isOld = true
  #asking: Promise<void> | null = null
  #next: Promise<void> | null = null

  constructor(orm: MikroORM) {
    this.#orm = orm
  }

  more(): void {
    this.#isOld = true
  }

  async place(): Promise<Place> {
    // The running query counts: it began after everything that was heard of.
    if (this.#isOld || performance.now() - this.#askedAt > OLDEST_MS) await this.#ask()
    else await this.#asking
    return this.#place
  }

  /** A running query may have begun too early, so a newcomer waits for the next one, unless the running one fails. */
  #ask(): Promise<void> {
    if (!this.#asking) {
      this.#isOld = false
      this.#askedAt = performance.now()
      this.#asking = this.#read().finally(() => (this.#asking = null))
      return this.#asking
    }
    this.#next ??= this.#asking
      .finally(() => {
        this.#next = null
      })
      .then(() => this.#ask())
    return this.#next
  }

  async #read(): Promise<void> {
    try {
      const [row] = await this.#orm.em
        .fork()
        .execute<[{ place: string }]>(`select pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::text as place`)
      this.#place = BigInt(row.place)
    } catch (error) {
      this.#isOld = true
      throw error
    }
  }
}

/** A server that follows the primary. It refuses to write, and what it fails to read is read at the primary. */
class Replica {
  readonly #driver: ReplicaDriver
  readonly #em: EntityManager
  readonly #name: string
  readonly #log: Logger
  #replayed: Place = -1n
  #looking: Promise<void> | null = null
  #restsUntil = 0

  constructor(orm: MikroORM, options: ConnectionOptions, name: string, log: Logger) {
    this.#name = name
    this.#log = log
    const primary = orm.driver.getConnection() as PostgreSqlConnection
    this.#driver = new ReplicaDriver(orm, options, {
      primary,
      onFailure: error => this.#rest(error),
    })
    this.#driver.setMetadata(orm.getMetadata())
    this.#em = this.#driver.createEntityManager() as unknown as EntityManager
    follows(this.#driver, orm.em)
  }

  async connect(): Promise<void> {
    await this.#driver.connect()
  }

  em(): EntityManager {
    return this.#em.fork()
  }

  /** Whether the replica has replayed, or soon will have, the primary's log up to a position. */
  async reaches(place: Place): Promise<boolean> {
    for (const until = performance.now() + PATIENCE_MS; performance.now() >= this.#restsUntil;) {
      if (this.#replayed >= place) return true
      await Promise.race([this.#look(), delay(PATIENCE_MS)])
      if (this.#replayed >= place) continue
      if (performance.now() > until) this.#rest(new Error('It is too far behind'))
      else await delay(PAUSE_MS)
    }
    return false
  }

  /** Concurrent callers share one query: at worst they ask again. */
  #look(): Promise<void> {
    return (this.#looking ??= this.#read().finally(() => (this.#looking = null)))
  }

  async #read(): Promise<void> {
    try {
      const { place } = await this.#driver.connected.ask<{ place: string | null }>(
        `select pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text as place`,
      )
      if (place === null) throw new Error('It follows nobody')
      this.#replayed = BigInt(place)
    } catch (error) {
      this.#rest(error)
    }
  }

  #rest(reason: unknown): void {
    // Another server may be there next time.
    this.#replayed = -1n
    this.#restsUntil = performance.now() + REST_MS
    this.#log.warn(reason as Error, `${this.#name} is not asked for a moment`)
  }

  close(): Promise<void> {
    return this.#driver.close(true)
  }
}

interface ConnectionOptions {
  clientUrl: string
  driverOptions: object
}

interface Fallback {
  primary: PostgreSqlConnection
  onFailure: (error: unknown) => void
}

class ReplicaDriver extends ShopDriver {
  protected override readonly connection: ReplicaConnection
  protected override readonly platform: AbstractSqlPlatform

  constructor({ config, driver }: MikroORM, options: ConnectionOptions, fallback: Fallback) {
    super(config)
    this.platform = driver.getPlatform()
    this.connection = new ReplicaConnection(config, options, fallback)
  }

  get connected(): ReplicaConnection {
    return this.connection
  }
}

type Rows = QueryResult | EntityData<AnyEntity> | EntityData<AnyEntity>[]
type Asked = Parameters<PostgreSqlConnection['execute']>

/** A read that a replica cannot finish, because it stopped or replay got in the way, is repeated on the primary. */
class ReplicaConnection extends PostgreSqlConnection {
  readonly #fallback: Fallback

  constructor(config: Configuration, options: ConnectionOptions, fallback: Fallback) {
    super(config, options as object, 'read')
    this.#fallback = fallback
  }

  /** Of this server alone. */
  async ask<R extends object>(sql: string): Promise<R> {
    const { rows } = await (await super.getNativeClient()).query<R>(sql)
    return nth(rows, 0)
  }

  override async execute<T extends Rows>(...[query, params, method, ctx, context]: Asked): Promise<T> {
    try {
      return await super.execute<T>(query, params, method, ctx, context)
    } catch (error) {
      // A transaction stays on the server it began on.
      if (ctx) throw error
      return this.#elsewhere(error, primary => primary.execute<T>(query, params, method, undefined, context))
    }
  }

  override async getNativeClient(): Promise<Pool> {
    const pool = await super.getNativeClient()
    const query = (asked: QueryConfig) =>
      pool
        .query(asked)
        .catch(error => this.#elsewhere(error, async primary => (await primary.getNativeClient()).query(asked)))
    return { query } as unknown as Pool
  }

  #elsewhere<T>(error: unknown, ask: (primary: PostgreSqlConnection) => Promise<T>): Promise<T> {
    if (!isOutage(error)) throw error
    this.#fallback.onFailure(error)
    return ask(this.#fallback.primary)
  }
}
