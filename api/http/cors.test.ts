import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { makeUser, openShop, type TestShop } from '../testing/shop.ts'

const ELSEWHERE = 'https://app.example'
let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop?.close())

const preflight = (path: string, at = shop, origin = ELSEWHERE) =>
  fetch(at.url + path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,skein-cost',
    },
  })
const allowed = ({ headers }: Response) => headers.get('access-control-allow-origin')

describe('a page of another origin', () => {
  test.each(['/graphql', '/graphql/stream', '/api/products', '/api/none', '/uploads/x.webp'])(
    'may ask %s, and its browser remembers so for a day',
    async path => {
      const { status, headers } = await preflight(path)
      expect([status, Object.fromEntries(headers)]).toEqual([
        204,
        expect.objectContaining({
          'access-control-allow-origin': '*',
          'access-control-allow-headers': 'authorization,content-type,skein-cost',
          'access-control-allow-methods': expect.stringContaining('PUT'),
          'access-control-max-age': '86400',
        }),
      ])
      expect(headers.get('access-control-allow-credentials')).toBeNull()
    },
  )

  it('reads answers, refusals and what is left of its points', async () => {
    const { token } = await makeUser(shop.em())
    const post = (authorization: string) =>
      fetch(`${shop.url}/graphql`, {
        method: 'POST',
        headers: { origin: ELSEWHERE, 'content-type': 'application/json', authorization },
        body: JSON.stringify({ query: '{ viewer { id } }' }),
      })
    const [known, unknown] = [await post(`Bearer ${token}`), await post('Bearer junk')]
    expect([known.status, allowed(known), unknown.status, allowed(unknown)]).toEqual([200, '*', 401, '*'])
    expect(known.headers.get('access-control-expose-headers')).toContain('ratelimit')
  })

  test.each(['/', '/cart', '/docs', '/livez', '/csp-reports'])('reads nothing of %s', async path => {
    const answer = await fetch(shop.url + path, { headers: { origin: ELSEWHERE } })
    expect([allowed(answer), allowed(await preflight(path))]).toEqual([null, null])
  })

  it('is one of those named, where the shop names any', async () => {
    const own = await openShop({ corsOrigins: [ELSEWHERE] })
    try {
      expect(allowed(await preflight('/graphql', own))).toBe(ELSEWHERE)
      const stranger = await preflight('/graphql', own, 'https://stranger.example')
      expect([allowed(stranger), stranger.headers.get('vary')]).toEqual([null, expect.stringContaining('Origin')])
      const read = await fetch(`${own.url}/graphql?query={shop{name}}`, {
        headers: { origin: ELSEWHERE, 'apollo-require-preflight': 'true' },
      })
      expect([allowed(read), read.headers.get('vary')?.toLowerCase()]).toEqual([
        ELSEWHERE,
        expect.stringContaining('origin'),
      ])
    } finally {
      await own.close()
    }
  })
})

describe('a body of another type', () => {
  test.each([
    ['/graphql', 'text/plain'],
    ['/graphql', 'application/xml'],
    ['/api/users/login', 'application/x-www-form-urlencoded'],
    ['/api/users/login', 'text/plain'],
  ])('at %s as %s is told what to send', async (path, type) => {
    const answer = await fetch(shop.url + path, { method: 'POST', headers: { 'content-type': type }, body: 'x' })
    expect([answer.status, await answer.text()]).toEqual([
      415,
      expect.stringMatching(/Content-Type: application\/json.*UNSUPPORTED_MEDIA_TYPE/),
    ])
  })

  it('as a GET is told which header it needs', async () => {
    const answer = await fetch(`${shop.url}/graphql?query={shop{name}}`)
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining('`apollo-require-preflight: true`'),
    ])
  })
})
