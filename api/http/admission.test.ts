import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import Fastify, { type FastifyRequest } from 'fastify'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { admit, type Limits } from './admission.ts'
import { CONNECTIONS, limitConnections, type ConnectionLimits } from './connections.ts'
import { nth } from '#schema/rules/present'

const ALWAYS = [
  '/livez',
  '/readyz',
  '/api/webhooks/paypal',
  '/assets/entry.js',
  '/images/merino.webp',
  '/uploads/merino.webp',
]
const SIGNED_IN = { authorization: 'Bearer someone' }

/**
 * A shop with two places for visitors, one for pages and one for signed-in clients. Requests to /task/… and for pages last
 * until the test finishes them, but for one page that is brief.
 */
async function open(
  patienceMs = 10_000,
  more: { connections?: ConnectionLimits; visitors?: number; signedIn?: Partial<Limits> } = {},
) {
  const app = Fastify({ trustProxy: true })
  const limits = { connections: CONNECTIONS, visitors: 2, ...more }
  limitConnections(app, () => false, limits.connections)
  const accountOf = async ({ headers }: FastifyRequest) =>
    /^Bearer (someone|other|third)$/.exec(headers.authorization ?? '')?.[1] ?? null
  admit(
    app,
    {
      visitors: { atOnce: 2, perClient: limits.visitors, perAddress: 2, patienceMs },
      pages: { atOnce: 1, perClient: 1, perAddress: 1, patienceMs },
      signedIn: { atOnce: 1, perClient: 1, perAddress: 1, patienceMs: 10_000, ...limits.signedIn },
      uploads: { atOnce: 2, perClient: 1, perAddress: 1, patienceMs: 100 },
    },
    accountOf,
  )
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null))
  const working: { name: string; finish: () => void }[] = []
  const work = (name: string) => new Promise<string>(resolve => working.push({ name, finish: () => resolve(name) }))
  for (const url of ['/task/:name', '/api/task/:name', '/graphql/:name']) {
    app.route({ method: ['GET', 'POST'], url, handler: request => work((request.params as { name: string }).name) })
  }
  const brief = { answered: 0 }
  const answerBriefly = async () => {
    const end = performance.now() + 3
    while (performance.now() < end);
    brief.answered++
    return 'done'
  }
  app.get('/brief', answerBriefly)
  app.get('/*', ({ url }) => (url === '/brief-page' ? answerBriefly() : work(url)))
  app.get('/large', async () => 'x'.repeat(20_000_000))
  for (const url of ALWAYS) app.all(url, async () => 'at once')
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  const get = (
    path: string,
    headers: Record<string, string> = {},
    signal: AbortSignal | null = null,
    body: string | null = null,
  ) => {
    const answer = fetch(origin + path, { headers, signal, body, method: body === null ? 'GET' : 'POST' })
    // Some are still waiting when a test ends.
    answer.catch(() => {})
    return answer
  }
  const atWork = () => working.map(({ name }) => name)
  /** Starts requests one after the other, and waits until those with a place are being worked on. */
  async function fill(...names: string[]) {
    const answers = []
    for (const name of names) {
      answers.push(get(`/task/${name}`))
      await expect.poll(atWork).toContain(name)
    }
    return answers
  }
  const finish = (name: string) =>
    nth(
      working.splice(
        working.findIndex(each => each.name === name),
        1,
      ),
      0,
    ).finish()
  /** Opens a connection on which a test can send anything. */
  async function dial() {
    const { hostname, port } = new URL(origin)
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    let said = ''
    socket
      .setEncoding('utf8')
      .on('data', text => {
        said += text
      })
      .on('error', () => {})
    await once(socket, 'connect')
    return Object.assign(socket, { said: () => said, ended: once(socket, 'close') })
  }
  let accepted = 0
  app.server.on('connection', () => accepted++)
  const connections = () =>
    new Promise<number>(resolve => {
      app.server.getConnections((_error, count) => resolve(count))
    })
  return { origin, get, fill, finish, atWork, brief, dial, connections, accepted: () => accepted }
}

describe('a shop with two places', () => {
  it('lets others wait for their turn', async () => {
    const shop = await open()
    await shop.fill('a', 'b')
    const third = shop.get('/task/third')
    await delay(50)
    const fourth = shop.get('/task/fourth')
    await delay(50)
    expect(shop.atWork()).toEqual(['a', 'b'])
    shop.finish('a')
    await expect.poll(shop.atWork).toEqual(['b', 'third'])
    shop.finish('third')
    await expect.poll(shop.atWork).toEqual(['b', 'fourth'])
    shop.finish('fourth')
    expect([(await third).status, (await fourth).status]).toEqual([200, 200])
    await shop.fill('c')
  })

  it('keeps a place for who is signed in', async () => {
    const shop = await open()
    await shop.fill('a', 'b')
    const buyer = shop.get('/task/buyer', SIGNED_IN)
    await expect.poll(shop.atWork).toContain('buyer')
    void shop.get('/task/next', SIGNED_IN)
    await delay(50)
    expect(shop.atWork()).not.toContain('next')
    shop.finish('buyer')
    expect((await buyer).status).toBe(200)
    await expect.poll(shop.atWork).toContain('next')
  })

  test.each([
    ['/task/x', 'text/html; charset=utf-8', /The shop is very busy. Please try again in 2 seconds\./],
    [
      '/api/task/x',
      'application/json; charset=utf-8',
      /^\{"message":"The shop is very busy\. .*","code":"UNAVAILABLE"\}$/,
    ],
    [
      '/graphql/x',
      'application/json; charset=utf-8',
      /^\{"errors":\[\{"message":"The shop is very busy\. .*","extensions":\{"code":"UNAVAILABLE","retryAfter":2\}\}\]\}$/,
    ],
  ])('turns away who has waited long enough: %s', async (path, type, body) => {
    const shop = await open(100)
    await shop.fill('a', 'b')
    const answer = await shop.get(path)
    expect({
      status: answer.status,
      type: answer.headers.get('content-type'),
      retryAfter: answer.headers.get('retry-after'),
    }).toEqual({ status: 503, type, retryAfter: '2' })
    expect(await answer.text()).toMatch(body)
    shop.finish('a')
    await shop.fill('c')
  })

  it('turns nobody away for a time in which the shop itself stood still', async () => {
    const shop = await open(200)
    await shop.fill('a', 'b')
    const third = shop.get('/task/third')
    await delay(50)
    const end = performance.now() + 600
    while (performance.now() < end);
    // As with an answer of the database, which is read once the timers have run.
    setImmediate(() => setImmediate(() => shop.finish('a')))
    await expect.poll(shop.atWork).toEqual(['b', 'third'])
    shop.finish('third')
    expect((await third).status).toBe(200)
  })

  it('turns newcomers away at once where others wait in vain', async () => {
    const shop = await open(8_000)
    await shop.fill('a', 'b')
    let waits = true
    const first = shop.get('/task/first').finally(() => (waits = false))
    await delay(4_400)
    expect((await shop.get('/task/second')).status).toBe(503)
    expect(waits).toBe(true)
    shop.finish('a')
    await expect.poll(shop.atWork).toContain('first')
    shop.finish('first')
    expect((await first).status).toBe(200)
  })

  it('has places of their own for pages, so that nothing else waits for them', async () => {
    const shop = await open(100)
    void shop.get('/page')
    await expect.poll(shop.atWork).toEqual(['/page'])
    expect((await shop.get('/brief-page')).status).toBe(503)
    await shop.fill('a', 'b')
    expect((await shop.get('/task/c')).status).toBe(503)
    shop.finish('/page')
    expect((await shop.get('/brief-page')).status).toBe(200)
  })

  test.each(ALWAYS)('always answers %s', async path => {
    const shop = await open(50)
    await shop.fill('a', 'b')
    expect((await shop.get(path)).status).toBe(200)
  })

  test.each(['/livezz', '/readyz/x', '/readyz%00'])('does not take %s for a health check', async path => {
    const shop = await open(50)
    void shop.get('/page')
    await expect.poll(shop.atWork).toEqual(['/page'])
    expect((await shop.get(path)).status).toBe(503)
  })

  it('gives no place to who left, at work or in line', async () => {
    const shop = await open()
    await shop.fill('a', 'b')
    const leaving = await shop.dial()
    leaving.write('GET /task/gone HTTP/1.1\r\nHost: shop\r\n\r\n')
    await delay(50)
    leaving.destroy()
    await expect.poll(shop.connections).toBe(2)
    shop.finish('a')
    shop.finish('b')
    await delay(50)
    await shop.fill('c', 'd')
  })

  it('keeps no place for bodies that are still arriving', async () => {
    const shop = await open(100)
    const { hostname, port } = new URL(shop.origin)
    for (const name of ['slow', 'slower', 'slowest']) {
      const socket = connect(Number(port), hostname)
      onTestFinished(() => void socket.destroy())
      await once(socket, 'connect')
      socket.write(
        `POST /task/${name} HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
      )
    }
    await delay(50)
    await shop.fill('a', 'b')
  })
})

const from = (address: string) => ({ 'x-forwarded-for': address })

describe('one client', () => {
  it('has its share of the places, and leaves the others to others', async () => {
    const shop = await open(10_000, { visitors: 1 })
    void shop.get('/task/a', from('10.0.0.1'))
    await expect.poll(shop.atWork).toEqual(['a'])
    void shop.get('/task/b', from('10.0.0.1'))
    await delay(50)
    void shop.get('/task/c', from('10.0.0.2'))
    await expect.poll(shop.atWork).toEqual(['a', 'c'])
    shop.finish('a')
    await expect.poll(shop.atWork).toEqual(['c', 'b'])
  })

  it('that has many waiting lets another one have its turn', async () => {
    const shop = await open()
    await shop.fill('a', 'b')
    for (const name of ['c', 'd', 'e']) {
      void shop.get(`/task/${name}`, from('10.0.0.1'))
      await delay(30)
    }
    void shop.get('/task/other', from('10.0.0.2'))
    await delay(50)
    shop.finish('a')
    await expect.poll(shop.atWork).toEqual(['b', 'c'])
    shop.finish('b')
    await expect.poll(shop.atWork).toEqual(['c', 'other'])
  })

  it('is an address too, however many accounts it has', async () => {
    const shop = await open(10_000, { signedIn: { atOnce: 3, perAddress: 1 } })
    void shop.get('/task/a', { ...SIGNED_IN, ...from('10.0.0.1') })
    await expect.poll(shop.atWork).toEqual(['a'])
    void shop.get('/task/b', { authorization: 'Bearer other', ...from('10.0.0.1') })
    await delay(50)
    void shop.get('/task/c', { authorization: 'Bearer third', ...from('10.0.0.2') })
    await expect.poll(shop.atWork).toEqual(['a', 'c'])
    shop.finish('c')
    await delay(50)
    expect(shop.atWork()).toEqual(['a'])
    shop.finish('a')
    await expect.poll(shop.atWork).toEqual(['b'])
  })

  it('has its share of the files worked on, which keep nobody else waiting', async () => {
    const shop = await open()
    const send = (name: string, address: string) =>
      shop.get(`/task/${name}`, { 'content-type': 'multipart/form-data; boundary=x', ...from(address) }, null, '--x--')
    void send('a', '10.0.0.1')
    await expect.poll(shop.atWork).toEqual(['a'])
    expect((await send('b', '10.0.0.1')).status).toBe(503)
    void send('c', '10.0.0.2')
    await expect.poll(shop.atWork).toEqual(['a', 'c'])
    expect((await send('d', '10.0.0.3')).status).toBe(503)
    await shop.fill('e', 'f')
  })

  it('gains nothing by inventing tokens: it waits with the visitors', async () => {
    const shop = await open(100)
    await shop.fill('a', 'b')
    expect((await shop.get('/task/c', { authorization: 'Bearer junk' })).status).toBe(503)
    void shop.get('/task/d', SIGNED_IN)
    await expect.poll(shop.atWork).toContain('d')
  })

  it('has one request at work on a connection, however many it sends', async () => {
    const shop = await open()
    const socket = await shop.dial()
    socket.write(['a', 'b', 'c'].map(name => `GET /task/${name} HTTP/1.1\r\nHost: shop\r\n\r\n`).join(''))
    await expect.poll(shop.atWork).toEqual(['a'])
    await shop.fill('d')
    expect(shop.atWork()).toEqual(['a', 'd'])
    for (const name of ['a', 'b', 'c']) {
      shop.finish(name)
      if (name !== 'c') await expect.poll(shop.atWork).toHaveLength(2)
    }
    await expect
      .poll(() =>
        socket
          .said()
          .match(/\r\n\r\n[abc]/g)
          ?.map(text => text.at(-1)),
      )
      .toEqual(['a', 'b', 'c'])
  })

  it('is hung up on when it sends more than a few at once', async () => {
    const shop = await open()
    const socket = await shop.dial()
    socket.write('GET /task/a HTTP/1.1\r\nHost: shop\r\n\r\n'.repeat(50))
    await socket.ended
    await shop.fill('b', 'c')
  })

  it('lets others be heard between its own requests, however fast they are answered', async () => {
    const shop = await open()
    const requests = 16
    const greedy = await Promise.all(Array.from({ length: 20 }, () => shop.dial()))
    for (const socket of greedy) socket.write('GET /brief HTTP/1.1\r\nHost: shop\r\n\r\n'.repeat(requests))
    await expect.poll(() => shop.brief.answered).toBeGreaterThan(0)
    const other = await shop.get('/livez', from('10.0.0.2'))
    expect(other.status).toBe(200)
    expect(shop.brief.answered).toBeLessThan((greedy.length * requests) / 2)
    await expect.poll(() => shop.brief.answered, { timeout: 60_000 }).toBe(greedy.length * requests)
  })

  it('waits for none of the pages it wants with what it asks for besides', async () => {
    const shop = await open()
    const other = await shop.dial()
    const greedy = await Promise.all(Array.from({ length: 120 }, () => shop.dial()))
    await expect.poll(shop.connections).toBe(greedy.length + 1)
    for (const socket of greedy) socket.write('GET /brief-page HTTP/1.1\r\nHost: shop\r\n\r\n'.repeat(2))
    await expect.poll(() => shop.brief.answered).toBeGreaterThan(0)
    const before = shop.brief.answered
    other.write('GET /livez HTTP/1.1\r\nHost: shop\r\n\r\n')
    await once(other, 'data')
    expect(shop.brief.answered - before).toBeLessThan(greedy.length / 2)
  })

  it.each(['behind', 'with'])('is hung up on when it sends a request %s a stream', async when => {
    const shop = await open()
    const socket = await shop.dial()
    const stream = 'POST /graphql/stream HTTP/1.1\r\nHost: shop\r\nContent-Length: 0\r\n\r\n'
    const next = 'GET /task/next HTTP/1.1\r\nHost: shop\r\n\r\n'
    socket.write(when === 'with' ? stream + next : stream)
    if (when === 'behind') {
      await expect.poll(shop.atWork).toEqual(['stream'])
      socket.write(next)
    }
    await socket.ended
    expect(shop.atWork()).not.toContain('next')
  })

  it('has no place for an answer that it does not read', async () => {
    const shop = await open()
    for (let time = 0; time < 4; time++) {
      const socket = await shop.dial()
      socket.pause()
      socket.write('GET /large HTTP/1.1\r\nHost: shop\r\n\r\n')
    }
    await delay(300)
    await shop.fill('a', 'b')
  })

  it('is hung up on when it does not read', async () => {
    const shop = await open(10_000, { connections: { ...CONNECTIONS, readMs: 300 } })
    const socket = await shop.dial()
    socket.pause()
    socket.write('GET /large HTTP/1.1\r\nHost: shop\r\n\r\n')
    await expect.poll(shop.accepted).toBe(1)
    await expect.poll(shop.connections).toBe(0)
  })

  it('has no connection that says nothing', async () => {
    const shop = await open(10_000, { connections: { ...CONNECTIONS, silentMs: 200 } })
    const socket = await shop.dial()
    await socket.ended
  })

  it('is not hung up on when it has spoken while the process was busy', async () => {
    const shop = await open(10_000, { connections: { ...CONNECTIONS, silentMs: 200 } })
    const socket = await shop.dial()
    await expect.poll(shop.connections).toBe(1)
    await new Promise<void>(resolve =>
      setImmediate(() => {
        socket.write('GET /task/late HTTP/1.1\r\nHost: shop\r\n\r\n')
        const end = performance.now() + 300
        while (performance.now() < end);
        resolve()
      }),
    )
    await expect.poll(shop.atWork).toEqual(['late'])
  })

  it('has its share of the connections, and keeps those that do something', async () => {
    const shop = await open(10_000, { connections: { ...CONNECTIONS, perAddress: 3 } })
    void shop.get('/task/a')
    await expect.poll(shop.atWork).toEqual(['a'])
    const idle = [await shop.dial(), await shop.dial()]
    const third = await shop.dial()
    await nth(idle, 0).ended
    await expect.poll(shop.connections).toBe(3)
    third.write('GET /task/b HTTP/1.1\r\nHost: shop\r\n\r\n')
    await expect.poll(shop.atWork).toEqual(['a', 'b'])
  })

  it('does not keep its place for long when it left, nor gets another one before the work is done', async () => {
    const shop = await open(10_000, { visitors: 1 })
    const leaving = new AbortController()
    void shop.get('/task/a', from('10.0.0.1'), leaving.signal)
    await expect.poll(shop.atWork).toEqual(['a'])
    leaving.abort()
    await delay(100)
    void shop.get('/task/b', from('10.0.0.1'))
    await delay(100)
    expect(shop.atWork()).toEqual(['a'])
    shop.finish('a')
    await expect.poll(shop.atWork).toEqual(['b'])
  })
})
