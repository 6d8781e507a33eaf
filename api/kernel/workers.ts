import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

/** Each takes some hundred megabytes and twelve database connections. */
export const MOST_WORKERS = 64

const LONGEST_PAUSE_MS = 30_000

/**
 * Runs this program so many times over, behind one port. Whichever ends is started again. Resolves when all of them
 * listen, and answers what stops them.
 */
export async function keepWorkers(
  count: number,
  env: Record<string, string>,
  log: (line: string) => void,
): Promise<() => Promise<void>> {
  // Each takes connections by itself when it has nothing else to do. What is handed over by turns, as usual, is lost with
  // a process that dies just then, and its sender waits in vain.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const workers = new Set<Worker>()
  const stopping = new AbortController()

  /** Resolves when it listens; from then on it is kept running. */
  async function run(): Promise<void> {
    const worker = cluster.fork(env)
    workers.add(worker)
    const ended = once(worker, 'exit').then(() => void workers.delete(worker))
    await Promise.race([
      once(worker, 'listening'),
      ended.then(() => {
        throw new Error('A process of the shop ended before it answered.')
      }),
    ])
    void keepRunning(worker, ended)
  }

  async function keepRunning({ process: { pid } }: Worker, ended: Promise<void>): Promise<void> {
    await ended
    if (stopping.signal.aborted) return
    log(`Process ${pid} of the shop ended and is started again.`)
    await runAgain()
  }

  async function runAgain(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; failures++) {
      try {
        return await run()
      } catch {
        const pause = Math.min(1_000 * 2 ** failures, LONGEST_PAUSE_MS)
        await delay(pause, null, { signal: stopping.signal }).catch(() => {})
      }
    }
  }

  async function stop(): Promise<void> {
    stopping.abort()
    await Promise.all(
      [...workers].map(async worker => {
        const ended = once(worker, 'exit')
        if (worker.isConnected()) worker.send('stop')
        await ended
      }),
    )
  }

  try {
    // The first one brings the database to its newest shape and fills it, and the others find that done.
    await run()
    await Promise.all(Array.from({ length: count - 1 }, run))
  } catch (error) {
    await stop()
    throw error
  }
  return stop
}
