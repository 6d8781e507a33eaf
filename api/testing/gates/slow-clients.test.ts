import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openShop, type TestShop } from '../shop.ts'
import { nth } from '#schema/rules/present'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop?.close())

// Twice as many connect at once, which is fewer than one address may have.
const CLIENTS = 150

interface Slow {
  socket: Socket
  /** What the shop has sent to it. */
  answer: () => string
  /** Seconds from the start until its connection is closed. */
  cutAfter: Promise<number>
}

/** Sends a beginning, then one more byte per second until its connection is closed. */
async function dawdle(beginning: string): Promise<Slow> {
  const { hostname, port } = new URL(shop.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const start = performance.now()
  let answer = ''
  socket
    .setEncoding('utf8')
    .on('data', text => {
      answer += text
    })
    .on('error', () => {})
  socket.write(beginning)
  const dripping = setInterval(() => socket.write('x'), 1_000)
  // A client that is still sending when it is cut off gets a reset.
  const cutAfter = new Promise(resolve => socket.once('close', resolve)).then(() => {
    clearInterval(dripping)
    return (performance.now() - start) / 1_000
  })
  return { socket, answer: () => answer, cutAfter }
}

/** Counts the ordinary requests that were answered while `meanwhile` ran, and the seconds that the slowest one took. */
async function ordinaryRequests(meanwhile: Promise<unknown>) {
  const over = new AbortController()
  void meanwhile.finally(() => over.abort())
  const answered = { count: 0, slowest: 0 }
  while (!over.signal.aborted) {
    const start = performance.now()
    expect((await shop.gql('{ products { total } }')).status).toBe(200)
    answered.count++
    answered.slowest = Math.max(answered.slowest, (performance.now() - start) / 1_000)
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  return answered
}

describe('clients that are slow on purpose', () => {
  beforeAll(() => {
    const { server } = shop.app
    expect(server).toMatchObject({ headersTimeout: 10_000, requestTimeout: 30_000 })
    // Shorter limits than in production; the way of cutting off is the same.
    Object.assign(server, { headersTimeout: 5_000, requestTimeout: 8_000 })
  })

  it.concurrent.each([
    ['headers', 'GET / HTTP/1.1\r\nHost: shop\r\nX-Slow: ', 5],
    [
      'bodies',
      'POST /graphql HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
      8,
    ],
  ])('%s: are cut off, and keep nobody waiting', async (_part, beginning, seconds) => {
    const clients = await Promise.all(Array.from({ length: CLIENTS }, () => dawdle(beginning)))
    const all = Promise.all(clients.map(({ cutAfter }) => cutAfter))
    const { count, slowest } = await ordinaryRequests(all)
    const cut = await all
    expect(Math.min(...cut)).toBeGreaterThan(seconds - 1)
    // Nothing else closes a connection this soon, however busy the machine.
    expect(Math.max(...cut)).toBeLessThan(seconds + 30)
    expect(nth(clients, 0).answer()).toMatch(/^HTTP\/1\.1 408 /)
    // If ordinary requests had to wait until the slow ones are cut off, one of them would have taken that long.
    expect(count).toBeGreaterThan(1)
    expect(slowest).toBeLessThan(Math.min(...cut))
    console.log(
      `${CLIENTS} cut off after ${Math.min(...cut).toFixed(1)} to ${Math.max(...cut).toFixed(1)} s; the slowest of ${count} ordinary requests took ${slowest.toFixed(1)} s`,
    )
  })
})
