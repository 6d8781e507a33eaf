import type { EntityManager, MikroORM } from '@mikro-orm/postgresql'
import { fromKysely, PgBoss, type QueueOptions } from 'pg-boss'
import type { Logger } from 'pino'

/**
 * Work that follows a change and may fail for a while: its job is written in the same transaction as the change, and
 * whichever shop process is free does it, at least once. A job whose process dies is done again after a minute.
 */
export interface Jobs {
  /** Writes a job down in the transaction of `em`: it exists when, and only when, that commits. Its queue is open. */
  add(em: EntityManager, queue: string, data: object): Promise<void>
  /** Opens a queue and does its jobs from now on. A job that throws is tried again, later and later. */
  work<Data extends object>(queue: string, task: (data: Data, attempt: Attempt) => Promise<void>): Promise<void>
  /** Waits for the jobs in hand, at most ten seconds. What is not done by then is done by another process. */
  stop(): Promise<void>
}

export interface Attempt {
  /** Counts from 1. */
  number: number
  /** No more follow when this one fails. */
  isLast: boolean
}

/** About three days of tries: after 10 seconds, 20, 40 … then every four hours. */
const QUEUE: QueueOptions = { retryLimit: 28, retryDelay: 10, retryBackoff: true, retryDelayMax: 4 * 3_600, expireInSeconds: 60, deleteAfterSeconds: 86_400 }

const bossOf = (orm: MikroORM) => new PgBoss({ db: fromKysely(orm.em.getKysely()), schedule: false, superviseIntervalSeconds: 10, monitorIntervalSeconds: 10 })

/** Brings the queue's own tables, in the schema `pgboss`, to their newest shape. */
export async function migrateJobs(orm: MikroORM): Promise<void> {
  const boss = bossOf(orm)
  await boss.start()
  await boss.stop({ graceful: false })
}

export async function startJobs(orm: MikroORM, log: Logger): Promise<Jobs> {
  const boss = bossOf(orm)
  boss.on('error', error => log.error(error, 'The job queue cannot work at the moment'))
  await boss.start()
  return {
    async add(em, queue, data) {
      await boss.send(queue, data, { db: fromKysely(em.getKysely()) })
    },
    async work<Data extends object>(queue: string, task: (data: Data, attempt: Attempt) => Promise<void>) {
      await boss.createQueue(queue, QUEUE)
      await boss.work<Data>(queue, { includeMetadata: true, pollingIntervalSeconds: 1, localConcurrency: 2 }, async jobs => {
        for (const { data, retryCount, retryLimit } of jobs) await task(data, { number: retryCount + 1, isLast: retryCount >= retryLimit })
      })
    },
    stop: () => boss.stop({ graceful: true, timeout: 10_000 }),
  }
}
