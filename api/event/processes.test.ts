import pino from 'pino'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { ownDatabase } from '../testing/shop.ts'
import { listenForEvents, type Events } from './listen.ts'
import { openProcesses, type Processes } from './processes.ts'

let database: Awaited<ReturnType<typeof ownDatabase>>
beforeAll(async () => {
  database = await ownDatabase()
})
afterAll(() => database.drop())

async function listening(): Promise<Events> {
  const events = await listenForEvents(database.url, pino({ level: 'silent' }))
  onTestFinished(() => events.stop())
  return events
}

async function joined(onChange = () => {}, patienceMs = 10_000): Promise<Processes> {
  const processes = openProcesses(await listening(), { onChange, patienceMs })
  processes.join()
  onTestFinished(() => processes.stop())
  return processes
}

it('a change is over when every other process has heard of it', async () => {
  const heard = { one: 0, two: 0 }
  const [one, two] = [await joined(() => heard.one++), await joined(() => heard.two++)]
  const writer = await joined()
  await vi.waitFor(() => expect([one, two, writer].map(each => each.areThere())).toEqual([true, true, true]), 20_000)
  for (let change = 1; change <= 20; change++) {
    await writer.heard(true)
    expect(heard).toEqual({ one: change, two: change })
  }
  // With `false`, each process forgets only what it heard of, so `onChange` is not called.
  await writer.heard(false)
  expect(heard).toEqual({ one: 20, two: 20 })
  // Changes at the same moment are announced together.
  await Promise.all(Array.from({ length: 50 }, () => writer.heard(true)))
  expect(heard).toEqual({ one: 22, two: 22 })
})

it('a process alone waits for nobody, nor for one that has died', async () => {
  const writer = await joined()
  expect(writer.areThere()).toBe(false)
  await writer.heard(true)
  // Here it waits only until it has heard of everything itself.
  await writer.heard(false)
  const mortal = await listening()
  const other = openProcesses(mortal, { onChange: () => {}, patienceMs: 0 })
  other.join()
  await vi.waitFor(() => expect(writer.areThere()).toBe(true), 20_000)
  other.stop()
  await mortal.stop()
  const start = performance.now()
  await writer.heard(true)
  expect(performance.now() - start).toBeLessThan(5_000)
})

it('a process that does not answer is waited for once, and no longer than said', async () => {
  const writer = await joined(() => {}, 300)
  const deaf = await listening()
  deaf.say({ say: 'hello' })
  await vi.waitFor(() => expect(writer.areThere()).toBe(true), 20_000)
  const start = performance.now()
  await writer.heard(true)
  const took = performance.now() - start
  expect([took > 200, took < 5_000]).toEqual([true, true])
  expect(writer.areThere()).toBe(false)
})

it('a process that does not answer requests yet is not waited for', async () => {
  const writer = await joined()
  const processes = openProcesses(await listening(), { onChange: () => {}, patienceMs: 0 })
  onTestFinished(() => processes.stop())
  await joined()
  await vi.waitFor(() => expect(writer.areThere()).toBe(true), 20_000)
  await writer.heard(true)
  expect(processes.areThere()).toBe(false)
})
