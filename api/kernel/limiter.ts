import { unavailable } from './errors.ts'

interface Limits {
  /** Tasks that run side by side. */
  atOnce: number
  /** Tasks that may wait for their turn; one more is refused at once. */
  waiting: number
  /** Seconds after which those who were refused may ask again. */
  retryAfter: number
}

/** Lets expensive tasks run a few at a time, first come, first served. */
export function turns({ atOnce, waiting, retryAfter }: Limits) {
  const line: (() => void)[] = []
  let running = 0

  function assertRoom(): void {
    if (running >= atOnce && line.length >= waiting) throw unavailable(retryAfter)
  }

  async function take<T>(task: () => Promise<T>): Promise<T> {
    assertRoom()
    if (running < atOnce) running++
    else await new Promise<void>(resolve => line.push(resolve))
    try {
      return await task()
    } finally {
      // The turn is handed on, so nobody who comes just now gets in between.
      const next = line.shift()
      if (next) next()
      else running--
    }
  }

  return { assertRoom, take }
}
