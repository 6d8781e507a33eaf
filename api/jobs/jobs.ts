import { setTimeout as sleep } from 'node:timers/promises'
import type { EntityManager, MikroORM, TransactionEventArgs } from '@mikro-orm/postgresql'
import { fromKysely, PgBoss, type QueueOptions } from 'pg-boss'
import type { Logger } from 'pino'

/**
 * Work that follows a change and may fail for a while: its job is written in the same transaction as the change, and
 * whichever shop process is free does it, at least once. A job whose process dies is done again after a minute.
 */
export interface Jobs {
  /**
   * Writes a job down in the transaction of `em`: it exists when, and only when, that commits, and this process does it
   * soon after. Its queue is open.
   */
  add(em: EntityManager, queue: string, data: object, wish?: Wish): Promise<void>
  /**
   * Opens a queue and does its jobs from now on, by two workers by default. A job that throws is tried again,
   * later and later. Jobs that do no harm when they are done again can be taken several `together`, which costs the
   * database less: they are done side by side, and when one throws all of them are tried again.
   */
  work<Data extends object>(
    queue: string,
    task: (data: Data, attempt: Attempt) => Promise<void>,
    how?: { workers?: number; together?: number },
  ): Promise<void>
  /**
   * Does a task every so many seconds from now on, in one of the shop's processes each time. What goes wrong is logged,
   * and the next time comes all the same.
   */
  repeat(name: string, seconds: number, task: () => Promise<unknown>): Promise<void>
  /** Looks for jobs of a queue at once instead of within the second: some have just been committed. */
  wake(queue: string): void
  /** Waits for the jobs in hand, at most ten seconds. What is not done by then is done by another process. */
  stop(): Promise<void>
}

interface Wish {
  /** Not to be done before this moment. */
  startAfter?: Date
}

interface Attempt {
  /** Number of the try, from 1. */
  number: number
  /** No more follow when this one fails. */
  isLast: boolean
}

/** About three days of tries: after 10 seconds, 20, 40 … then every four hours. */
const QUEUE: QueueOptions = {
  retryLimit: 28,
  retryDelay: 10,
  retryBackoff: true,
  retryDelayMax: 4 * 3_600,
  expireInSeconds: 60,
  deleteAfterSeconds: 86_400,
}

/** The next time comes soon enough, so nothing is tried again. */
const REPEATED: QueueOptions = { retryLimit: 0, expireInSeconds: 300, deleteAfterSeconds: 600 }

const STOP_MS = 10_000

/** How often one worker of a queue looks for jobs that nobody called out. */
const LOOK_MS = 1_000

/** Workers also poll by themselves, in case one gets stuck: jobs that take too long are taken from it. */
const WORKER = { includeMetadata: true, pollingIntervalSeconds: 30 } as const

/** Started after the answer was sent, so that its time does not tell whether a mail was queued. */
const SOON_MS = 100

const bossOf = (orm: MikroORM) =>
  new PgBoss({
    db: fromKysely(orm.em.getKysely()),
    schedule: false,
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
  })

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
  const queues: string[] = []
  /** The idle workers of each queue. The first one polls; when it finds a job it wakes the next. */
  const idle = new Map<string, Set<string>>()
  const timers: NodeJS.Timeout[] = []
  const wake = (queue: string) => {
    const [first] = idle.get(queue) ?? []
    if (first) boss.notifyWorker(first)
  }
  const waking = new Map<string, NodeJS.Timeout>()
  /** Once for all that is added meanwhile. */
  const wakeSoon = (queue: string) => {
    if (waking.has(queue)) return
    const look = () => {
      waking.delete(queue)
      wake(queue)
    }
    waking.set(queue, setTimeout(look, SOON_MS).unref())
  }
  /** The queues that open transactions of this process write to. */
  const awaited = new WeakMap<object, Set<string>>()
  orm.em.getEventManager().registerSubscriber({
    afterTransactionCommit({ transaction }: TransactionEventArgs) {
      for (const queue of (transaction && awaited.get(transaction)) ?? []) wakeSoon(queue)
    },
  })
  return {
    async add(em, queue, data, { startAfter } = {}) {
      await boss.send(queue, data, {
        db: fromKysely(em.getKysely()),
        ...(startAfter && { startAfter }),
      })
      if (startAfter) return
      const transaction = em.getTransactionContext<object>()
      if (!transaction) return void wakeSoon(queue)
      awaited.set(transaction, (awaited.get(transaction) ?? new Set()).add(queue))
    },
    async work<Data extends object>(
      queue: string,
      task: (data: Data, attempt: Attempt) => Promise<void>,
      { workers: count = 2, together = 1 } = {},
    ) {
      await boss.createQueue(queue, QUEUE)
      const waiting = new Set<string>()
      idle.set(queue, waiting)
      queues.push(queue)
      for (let index = 0; index < count; index++) {
        const id = await boss.work<Data>(queue, { ...WORKER, batchSize: together }, async jobs => {
          waiting.delete(id)
          // Where there was one job there may be another: the next worker looks now, and this one when it is done.
          wake(queue)
          boss.notifyWorker(id)
          const done = await Promise.allSettled(
            jobs.map(({ data, retryCount, retryLimit }) =>
              task(data, { number: retryCount + 1, isLast: retryCount >= retryLimit }),
            ),
          )
          waiting.add(id)
          for (const each of done) if (each.status === 'rejected') throw each.reason
        })
        waiting.add(id)
      }
      timers.push(setInterval(wake, LOOK_MS, queue))
    },
    async repeat(name, seconds, task) {
      await boss.createQueue(name, REPEATED)
      const complain = (error: unknown) => log.error(error, `Could not ${name.replaceAll('-', ' ')}`)
      const worker = await boss.work(name, { pollingIntervalSeconds: seconds }, () => task().catch(complain))
      queues.push(name)
      // Every process asks for it, and the database keeps one job for each span of so many seconds.
      const ask = async () => {
        if (await boss.send(name, {}, { singletonSeconds: seconds })) boss.notifyWorker(worker)
      }
      timers.push(setInterval(() => void ask().catch(complain), seconds * 1_000))
    },
    wake,
    async stop() {
      for (const timer of timers) clearInterval(timer)
      // pg-boss by itself checks only every half second whether its workers are done.
      const done = Promise.all(queues.map(queue => boss.offWork(queue)))
      await Promise.race([done, sleep(STOP_MS, null, { ref: false })])
      await boss.stop({ graceful: false })
    },
  }
}
