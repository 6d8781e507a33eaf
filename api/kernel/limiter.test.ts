import { expect, it } from 'vitest'
import { limitConcurrency } from './limiter.ts'
import { nth } from '#schema/rules/present'

/** A task that runs until the test ends it. */
function task() {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  return {
    started: false,
    end: resolve,
    fail: reject,
    run() {
      this.started = true
      return promise
    },
  }
}

it('runs as many as allowed, lets as many wait as allowed, and refuses the rest at once', async () => {
  const { assertRoom, take } = limitConcurrency({ atOnce: 2, waiting: 3, retryAfter: 7 })
  const tasks = Array.from({ length: 5 }, task)
  const taken = tasks.map(each => take(() => each.run()))
  expect(tasks.map(({ started }) => started)).toEqual([true, true, false, false, false])
  const refused = {
    message: expect.stringContaining('busy'),
    extensions: { code: 'UNAVAILABLE', retryAfter: 7, http: { status: 503 } },
  }
  await expect(take(async () => {})).rejects.toMatchObject(refused)
  expect(assertRoom).toThrow('busy')

  nth(tasks, 1).fail(new Error('tangled'))
  await expect(taken[1]).rejects.toThrow('tangled')
  expect(tasks.map(({ started }) => started)).toEqual([true, true, true, false, false])
  expect(assertRoom).not.toThrow()

  for (const each of tasks) each.end()
  await Promise.all([taken[0], ...taken.slice(2)])
  const later = [task(), task(), task()]
  for (const each of later) void take(() => each.run())
  expect(later.map(({ started }) => started)).toEqual([true, true, false])
})

it('weighs tasks: a heavy one waits until it fits, and nobody passes it', async () => {
  const { take } = limitConcurrency({ atOnce: 10, waiting: 12, retryAfter: 1 })
  const [light, heavy, late] = [task(), task(), task()]
  const taken = [take(() => light.run(), 4), take(() => heavy.run(), 8), take(() => late.run(), 4)]
  expect([light.started, heavy.started, late.started]).toEqual([true, false, false])
  await expect(take(async () => {}, 1)).rejects.toThrow('busy')
  light.end()
  await taken[0]
  expect([heavy.started, late.started]).toEqual([true, false])
  heavy.end()
  await taken[1]
  expect(late.started).toBe(true)
})
