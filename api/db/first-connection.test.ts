import { once } from 'node:events'
import { connect as connectTo, createServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inOneSentence } from '../kernel/in-one-sentence.ts'
import { openShop, ownDatabase } from '../testing/shop.ts'
import { connect } from './config.ts'

let database: Awaited<ReturnType<typeof ownDatabase>>
beforeAll(async () => {
  database = await ownDatabase()
})
afterAll(() => database?.drop())

/** The database behind a door that opens after so many milliseconds. */
async function slow(url: string, ms: number) {
  const to = new URL(url)
  const sockets = new Set<Socket>()
  const server = createServer(near => {
    sockets.add(near.on('error', () => {}))
    setTimeout(() => {
      const far = connectTo(Number(to.port), to.hostname).on('error', () => {})
      sockets.add(far)
      near.pipe(far).pipe(near)
    }, ms).unref()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  to.hostname = '127.0.0.1'
  const here = new URL(to)
  here.port = String((server.address() as AddressInfo).port)
  return {
    url: here.href,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

const whyNot = (url: string, withinMs?: number) =>
  connect(url, { ...(withinMs && { withinMs }) }).then(
    () => null,
    (error: unknown) => inOneSentence(error),
  )

describe('the first connection', () => {
  it('is waited for longer than those of a working shop, and that is said', async () => {
    const door = await slow(database.url, 3_500)
    const said: string[] = []
    const orm = await connect(door.url, { say: line => said.push(line) })
    expect(said).toEqual(['Waiting for PostgreSQL to take a connection …'])
    await orm.close()
    door.close()
  })

  it('is not the only one: a shop that starts has as long for its others', async () => {
    const door = await slow(database.url, 2_500)
    const shop = await openShop({ database: door.url, isHasty: true })
    await shop.close()
    door.close()
  })

  it('is not waited for without end', async () => {
    const door = await slow(database.url, 300_000)
    expect(await whyNot(door.url, 1_500)).toBe('Cannot use the database: it took no connection within 1.5 seconds.')
    door.close()
  })

  it.each<[string, (url: URL) => void, RegExp]>([
    ['a wrong password', url => (url.password = 'wrong'), /password authentication failed/],
    ['an unknown host', url => (url.hostname = 'database.invalid'), /ENOTFOUND|EAI_AGAIN/],
    ['a port where nobody listens', url => (url.port = '9'), /ECONNREFUSED/],
  ])('fails at once with %s, in one sentence', async (_what, spoil, why) => {
    const url = new URL(database.url)
    spoil(url)
    // Longer than a test may take.
    const sentence = await whyNot(url.href, 300_000)
    expect(sentence).toMatch(/^Cannot use the database: .+$/)
    expect(sentence).toMatch(why)
  })
})
