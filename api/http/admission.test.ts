import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import Fastify from 'fastify'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { admit } from './admission.ts'

const ALWAYS = ['/livez', '/readyz', '/api/webhooks/paypal', '/assets/entry.js', '/images/merino.webp', '/uploads/merino.webp']
const SIGNED_IN = { authorization: 'Bearer someone' }

/** A shop with two places for visitors and one for who is signed in, whose requests to /work last until they are let go. */
async function open(patienceMs = 10_000) {
  const app = Fastify()
  admit(app, { visitors: { atOnce: 2, patienceMs }, signedIn: { atOnce: 1, patienceMs: 10_000 } })
  const working: { name: string; finish: () => void }[] = []
  const work = (name: string) => new Promise<string>(resolve => working.push({ name, finish: () => resolve(name) }))
  for (const url of ['/task/:name', '/api/task/:name', '/graphql/:name']) {
    app.route({ method: ['GET', 'POST'], url, handler: request => work((request.params as { name: string }).name) })
  }
  for (const url of ALWAYS) app.all(url, async () => 'at once')
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  const get = (path: string, headers: Record<string, string> = {}, signal: AbortSignal | null = null) => {
    const answer = fetch(origin + path, { headers, signal })
    // Some are still at work when a test is over.
    answer.catch(() => {})
    return answer
  }
  const atWork = () => working.map(({ name }) => name)
  /** Starts requests one after the other; those that find a place are at work then. */
  async function fill(...names: string[]) {
    const answers = []
    for (const name of names) {
      answers.push(get(`/task/${name}`))
      await expect.poll(atWork).toContain(name)
    }
    return answers
  }
  const finish = (name: string) => working.splice(working.findIndex(each => each.name === name), 1)[0]!.finish()
  return { origin, get, fill, finish, atWork }
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
    ['/api/task/x', 'application/json; charset=utf-8', /^\{"message":"The shop is very busy\. .*","code":"UNAVAILABLE"\}$/],
    ['/graphql/x', 'application/json; charset=utf-8', /^\{"errors":\[\{"message":"The shop is very busy\. .*","extensions":\{"code":"UNAVAILABLE","retryAfter":2\}\}\]\}$/],
  ])('turns away who has waited long enough: %s', async (path, type, body) => {
    const shop = await open(100)
    await shop.fill('a', 'b')
    const answer = await shop.get(path)
    expect({ status: answer.status, type: answer.headers.get('content-type'), retryAfter: answer.headers.get('retry-after') }).toEqual({ status: 503, type, retryAfter: '2' })
    expect(await answer.text()).toMatch(body)
    shop.finish('a')
    await shop.fill('c')
  })

  it('turns newcomers away at once where others wait in vain', async () => {
    const shop = await open(1_000)
    await shop.fill('a', 'b')
    const first = shop.get('/task/first')
    await delay(600)
    const start = performance.now()
    expect((await shop.get('/task/second')).status).toBe(503)
    expect(performance.now() - start).toBeLessThan(300)
    expect((await first).status).toBe(503)
  })

  test.each(ALWAYS)('always answers %s', async path => {
    const shop = await open(50)
    await shop.fill('a', 'b')
    expect((await shop.get(path)).status).toBe(200)
  })

  test.each(['/livezz', '/readyz/x', '/readyz%00'])('does not take %s for a health check', async path => {
    const shop = await open(50)
    await shop.fill('a', 'b')
    expect((await shop.get(path)).status).toBe(503)
  })

  it('gives no place to who left, at work or in line', async () => {
    const shop = await open()
    await shop.fill('a', 'b')
    const leaving = new AbortController()
    const waiting = shop.get('/task/gone', {}, leaving.signal).catch(() => 'gone')
    await delay(50)
    leaving.abort()
    expect(await waiting).toBe('gone')
    await delay(50)
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
      socket.write(`POST /task/${name} HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`)
    }
    await delay(50)
    await shop.fill('a', 'b')
  })
})
