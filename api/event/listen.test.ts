import type { Socket } from 'node:net'
import { Client } from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { line, placed } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type TestShop } from '../testing/shop.ts'
import { listenForEvents, type Happened } from './listen.ts'
import { EVENTS_CHANNEL, recordEvents } from './record-events.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop?.close())

/** Listens to events as a process other than the shop's. */
async function hear() {
  const events = await listenForEvents(shop.orm.config.get('clientUrl'), pino({ level: 'silent' }))
  onTestFinished(() => events.stop())
  const heard: (Happened | 'missed')[] = []
  const stop = events.on({ happened: event => heard.push(event), missed: () => heard.push('missed') })
  return { events, heard, stop }
}

const notify = (payload: string) => shop.em().execute('select pg_notify(?, ?)', [EVENTS_CHANNEL, payload])
const event = (subjectId: string) => ({ type: 'ORDER_PAID', subjectId, data: {} }) as const
const [one, two] = ['0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c', '0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2d']
/** The subjects of the events. Stock changes are left out, because orders cause them too. */
const subjects = (heard: (Happened | 'missed')[]) =>
  heard.flatMap(each => (each === 'missed' ? each : each.type === 'STOCK_CHANGED' ? [] : each.subjectId))

const idOf = (client: Client) => (client as Client & { processID?: number }).processID

const connections = () =>
  shop
    .em()
    .execute(
      `select pid from pg_stat_activity where datname = current_database() and application_name = 'skein events'`,
    )

describe('events', () => {
  it('are heard by every process when they are committed, in order, and never when they are not', async () => {
    const [a, b] = [await hear(), await hear()]
    await shop.em().transactional(async em => {
      await recordEvents(em, [event(one)])
      await new Promise(done => setTimeout(done, 100))
      expect(a.heard).toEqual([])
      await recordEvents(em, [event(two)])
    })
    await shop
      .em()
      .transactional(async em => {
        await recordEvents(em, [event(one)])
        throw new Error('changed my mind')
      })
      .catch(() => {})
    const order = await placed(shop, await makeUser(shop.em()), [line(await makeProduct(shop.em()))])
    for (const { heard } of [a, b])
      await vi.waitFor(() => expect(subjects(heard)).toEqual([one, two, order.id]), 10_000)
    expect(a.heard.find(each => each !== 'missed' && each.subjectId === order.id)).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      type: 'ORDER_PLACED',
      subjectId: order.id,
    })
  })

  it('are heard again after the connection was lost, and that some may have been missed is said', async () => {
    const { heard } = await hear()
    const before = await connections()
    await shop
      .em()
      .execute(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'skein events'`,
      )
    await recordEvents(shop.em(), [event(one)])
    await vi.waitFor(() => expect(heard).toContain('missed'), 10_000)
    await recordEvents(shop.em(), [event(two)])
    await vi.waitFor(() => expect(subjects(heard).at(-1)).toBe(two), 10_000)
    expect(heard.filter(each => each === 'missed')).toHaveLength(1)
    // The shop's own connection is back too.
    await vi.waitFor(async () => expect(await connections()).toHaveLength(before.length), 10_000)
  })

  it('are no longer heard by who stopped, and a process that stopped leaves no connection', async () => {
    const before = await connections()
    const { events, heard, stop } = await hear()
    expect(await connections()).toHaveLength(before.length + 1)
    stop()
    await recordEvents(shop.em(), [event(one)])
    await events.stop()
    expect(heard).toEqual([])
    await vi.waitFor(async () => expect(await connections()).toHaveLength(before.length), 10_000)
  })

  it('ask their connection for one thing at a time, whatever is said meanwhile', async () => {
    const { events } = await hear()
    let [open, most, all] = [0, 0, 0]
    const query = Client.prototype.query as (...given: unknown[]) => Promise<unknown>
    const spy = vi.spyOn(Client.prototype, 'query').mockImplementation(async function (this: Client, ...given) {
      // The shop in this process has a connection of its own.
      if (idOf(this) !== events.id()) return query.apply(this, given)
      all++
      most = Math.max(most, ++open)
      try {
        return await query.apply(this, given)
      } finally {
        open--
      }
    })
    onTestFinished(() => spy.mockRestore())
    const said = vi.fn()
    events.on({ said })
    const numbers = [...Array(20).keys()]
    for (const number of numbers) events.say({ kind: 'number', number })
    await Promise.all([events.others(), events.others()])
    const ours = () => said.mock.calls.filter(([, from]) => from === events.id()).map(([message]) => message as object)
    await vi.waitFor(() => expect(ours()).toEqual(numbers.map(number => ({ kind: 'number', number }))), 10_000)
    expect(all).toBeGreaterThanOrEqual(22)
    expect(most).toBe(1)
  })

  it('are heard again soon after the connection went silent, however much waits to be said over it', async () => {
    const { events, heard } = await hear()
    const query = vi.spyOn(Client.prototype, 'query')
    onTestFinished(() => query.mockRestore())
    await events.others()
    const client = query.mock.contexts.find(each => idOf(each as Client) === events.id()) as Client
    ;(client as unknown as { connection: { stream: Socket } }).connection.stream.pause()
    for (let number = 0; number < 20; number++) events.say({ number })
    // The first of them is given five seconds.
    await vi.waitFor(() => expect(heard).toEqual(['missed']), 12_000)
    expect(await events.others()).toHaveLength((await connections()).length - 1)
  })

  it('survive nonsense on the channel, and a hearer that throws', async () => {
    const { events, heard } = await hear()
    events.on({
      happened() {
        throw new Error('deaf')
      },
      missed() {},
    })
    const last: string[] = []
    events.on({ happened: ({ subjectId }) => last.push(subjectId), missed() {} })
    await notify('{')
    await recordEvents(shop.em(), [event(two)])
    await vi.waitFor(() => expect(last).toEqual([two]), 10_000)
    expect(subjects(heard)).toEqual([two])
  })
})

it('a process that cannot listen yet starts all the same, and stops at once', async () => {
  const url = new URL(shop.orm.config.get('clientUrl'))
  url.port = '1'
  const started = performance.now()
  const events = await listenForEvents(url.href, pino({ level: 'silent' }))
  expect(performance.now() - started).toBeLessThan(4_000)
  await events.stop()
})
