import { nth } from '#schema/rules/present'
import type { Events, Happened } from '../event/listen.ts'

/** What a subscriber gets: an event, or null, which means "look for yourself". */
export type Change = Happened | null

/**
 * The queue of one subscriber. It begins with "look for yourself", and returns to it when events were missed or more
 * than `most` are waiting: a slow reader uses no more memory than that.
 */
export function changes(
  events: Events,
  concerns: (event: Happened) => boolean,
  most: number,
): AsyncIterableIterator<Change> {
  let waiting: Change[] = [null]
  let wake: (() => void) | null = null
  let over = false
  const put = (change: Change) => {
    // A subscriber that is about to look will see this change, too.
    if (waiting[0] === null) return
    waiting = change === null || waiting.length === most ? [null] : [...waiting, change]
    wake?.()
  }
  const stop = events.on({
    happened(event) {
      if (concerns(event)) put(event)
    },
    missed: () => put(null),
  })
  return {
    async next() {
      if (!over && waiting.length === 0)
        await new Promise<void>(resolve => {
          wake = resolve
        })
      if (over) return { done: true, value: undefined }
      const value = nth(waiting, 0)
      waiting.shift()
      return { done: false, value }
    },
    async return() {
      over = true
      stop()
      wake?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
