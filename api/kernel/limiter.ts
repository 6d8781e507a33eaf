import { present } from '#schema/rules/present'
import { unavailable } from './errors.ts'

interface Limits {
  /** Total weight of the tasks that run at the same time. */
  atOnce: number
  /** Total weight of the tasks that may wait; one that does not fit is refused at once. */
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
      // A place goes straight to the next in line, so that no newcomer gets in between.
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
