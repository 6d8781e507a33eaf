import { present } from '#schema/rules/present'
import { unavailable } from './errors.ts'

interface Limits {
  /** Weight of the tasks that run side by side. */
  atOnce: number
  /** Weight of the tasks that may wait for their turn; one that does not fit is refused at once. */
  waiting: number
  /** Seconds after which those who were refused may ask again. */
  retryAfter: number
}

/** Lets expensive tasks run a few at a time, first come, first served. A task weighs 1, or what it says; none more than `atOnce`. */
export function limitConcurrency({ atOnce, waiting, retryAfter }: Limits) {
  const line: { weight: number; start: () => void }[] = []
  let running = 0
  let waited = 0

  const mustWait = (weight: number) => line.length > 0 || running + weight > atOnce

  function assertRoom(weight = 1): void {
    if (mustWait(weight) && waited + weight > waiting) throw unavailable(retryAfter)
  }

  async function take<T>(task: () => Promise<T>, weight = 1): Promise<T> {
    assertRoom(weight)
    if (mustWait(weight)) {
      waited += weight
      await new Promise<void>(start => line.push({ weight, start }))
    } else running += weight
    try {
      return await task()
    } finally {
      running -= weight
      // Turns are handed on, so nobody who comes just now gets in between.
      while (line[0] && running + line[0].weight <= atOnce) {
        const next = present(line.shift())
        waited -= next.weight
        running += next.weight
        next.start()
      }
    }
  }

  return { assertRoom, take }
}
