import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openShop, type TestShop } from '../shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop?.close())

// Twice as many come at once, which is less than one address may have.
const CLIENTS = 150

interface Slow {
  socket: Socket
  /** What the shop said to it. */
  answer: () => string
  /** Seconds from the start to the end of its connection. */
  cutAfter: Promise<number>
}

/** Sends a beginning, then one more byte a second for as long as it may. */
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
  // One that still sends when it is cut off sees its connection reset.
  const cutAfter = new Promise(resolve => socket.once('close', resolve)).then(() => {
    clearInterval(dripping)
    return (performance.now() - start) / 1_000
  })
  return { socket, answer: () => answer, cutAfter }
}

/** The longest that an ordinary request took while `meanwhile` went on, in milliseconds. */
async function slowestOf(meanwhile: Promise<unknown>): Promise<number> {
  const over = new AbortController()
  void meanwhile.finally(() => over.abort())
  let slowest = 0
  while (!over.signal.aborted) {
    const start = performance.now()
    expect((await shop.gql('{ products { total } }')).status).toBe(200)
    slowest = Math.max(slowest, performance.now() - start)
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  return slowest
}

describe('clients that are slow on purpose', { timeout: 60_000 }, () => {
  it.concurrent.each([
    ['headers', 'GET / HTTP/1.1\r\nHost: shop\r\nX-Slow: ', 10],
    [
      'bodies',
      'POST /graphql HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
      30,
    ],
  ])('%s: are cut off, and keep nobody waiting', async (_part, beginning, seconds) => {
    const clients = await Promise.all(Array.from({ length: CLIENTS }, () => dawdle(beginning)))
    const all = Promise.all(clients.map(({ cutAfter }) => cutAfter))
    const slowest = await slowestOf(all)
    const cut = await all
    expect(Math.min(...cut)).toBeGreaterThan(seconds - 1)
    expect(Math.max(...cut)).toBeLessThan(seconds + 6)
    expect(clients[0]!.answer()).toMatch(/^HTTP\/1\.1 408 /)
    expect(slowest).toBeLessThan(2_000)
    console.log(
      `${CLIENTS} cut off after ${Math.min(...cut).toFixed(1)} to ${Math.max(...cut).toFixed(1)} s; the slowest ordinary request took ${slowest.toFixed(0)} ms`,
    )
  })
})
