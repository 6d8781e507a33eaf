import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { makeUser, openShop, type TestShop } from '../shop.ts'
import { nth, present } from '#schema/rules/present'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ shopUrl: 'https://shop.example' })
})
afterAll(() => shop?.close())

interface Head {
  status: number
  headers: Headers
}

/** A request whose first line is sent exactly as given, even one that no HTTP client would send. */
async function ask(line: string, hosts: string[] = ['shop.example'], at = shop): Promise<Head> {
  const { hostname, port } = new URL(at.url)
  const socket = connect(Number(port), hostname)
  socket.write(`${line} HTTP/1.1\r\n${hosts.map(host => `host: ${host}\r\n`).join('')}connection: close\r\n\r\n`)
  let answer = ''
  socket.setEncoding('latin1').on('data', text => {
    answer += text
  })
  await once(socket, 'close')
  const [first, ...rest] = nth(answer.split('\r\n\r\n'), 0).split('\r\n')
  return {
    status: Number(present(first).split(' ')[1]),
    headers: new Headers(rest.map(header => header.split(/: (.*)/s).slice(0, 2) as [string, string])),
  }
}

function expectProtected({ headers }: Head, label: string) {
  expect(headers.get('permissions-policy'), label).toMatch(/\bcamera=\(\).*geolocation=\(\)/)
  expect([label, headers.get('x-content-type-options'), headers.get('strict-transport-security')]).toEqual([
    label,
    'nosniff',
    'max-age=31536000',
  ])
  for (const name of ['x-powered-by', 'server', 'access-control-allow-credentials', 'set-cookie'])
    expect(headers.get(name), `${label} ${name}`).toBeNull()
  if (headers.get('content-type')?.startsWith('text/html')) {
    const policy = headers.get('content-security-policy')
    expect(policy, label).toMatch(/default-src '(?:none|self)'/)
    expect(policy, label).toMatch(/frame-ancestors 'none'/)
  }
}

describe('every answer', () => {
  it('is taken for what it is called, whoever asks for whatever', async () => {
    const routes = shop.routes().filter(route => !route.includes('/graphql/stream'))
    expect(routes.length).toBeGreaterThan(60)
    for (const route of routes) {
      const admin = await makeUser(shop.em(), { isAdmin: true })
      const [method, path] = route.split(' ') as [string, string]
      for (const authorization of [null, `Bearer ${admin.token}`]) {
        const answer = await fetch(shop.url + path.replaceAll(/:\w+/g, 'x'), {
          method,
          redirect: 'manual',
          headers: {
            origin: 'https://elsewhere.example',
            'apollo-require-preflight': 'true',
            ...(authorization && { authorization }),
          },
        })
        await answer.arrayBuffer()
        expectProtected(answer, route)
        // Except for PayPal's webhook, the answer may be private to the caller.
        if (path.startsWith('/api/') && !path.includes('webhooks'))
          expect([route, answer.headers.get('cache-control')]).toEqual([route, expect.stringContaining('no-store')])
      }
    }
  })

  test.each([
    'GET /%E0%A4%A',
    'GET /none',
    'PUT /graphql',
    'OPTIONS /api/orders',
    'TRACE /api/users',
    'PROPFIND /',
    'GET /assets/none.js',
    'GET /uploads/none.webp',
  ])('to %s too', async line => {
    const answer = await ask(line)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expectProtected(answer, line)
  })

  it('is asked for again over HTTPS only where the shop has a certificate', async () => {
    const plain = await openShop()
    expect((await fetch(`${plain.url}/livez`)).headers.get('strict-transport-security')).toBeNull()
    await plain.close()
  })
})

describe('an address', () => {
  test.each(['/%E0%A4%A', '/search/%E0%A4%A', '/product/%', '/search/%ff?q=1', '/%zz/%c0%af'])(
    '%s that cannot be read is answered by a page',
    async path => {
      const answer = await fetch(shop.url + path)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
      expect(await answer.text()).toMatch(/<main[\s>]/)
    },
  )

  test.each(['/api/%E0%A4%A', '/api/products/%', '/graphql/%ff', '/images/%E0%A4%A', '/assets/%', '/uploads/%zz'])(
    '%s that cannot be read is answered in JSON',
    async path => {
      const answer = await fetch(shop.url + path)
      expect([answer.status, await answer.json()]).toEqual([
        400,
        { message: expect.stringContaining('not a valid url component'), code: 'BAD_REQUEST' },
      ])
    },
  )

  test.each([
    '//elsewhere.example/%00',
    '//elsewhere.example%00',
    '/%00/elsewhere.example',
    '/%00//elsewhere.example',
    '/\\elsewhere.example/%00',
    '/%00\\elsewhere.example',
    '//%00elsewhere.example/search',
    '/%00%00/\\/elsewhere.example',
    '//elsewhere.example/search',
    '/search?redirect=//elsewhere.example',
    '/top-rated/search',
  ])('%s leads nowhere else', async path => {
    const { status, headers } = await ask(`GET ${path}`)
    expect(status).toBeLessThan(500)
    expect(headers.get('location') ?? '/').toMatch(/^\/(?![/\\])/)
  })

  test.each([
    'http://elsewhere.example/',
    'http://elsewhere.example/%00',
    'http://elsewhere.example/search',
    'http://elsewhere.example/api/users',
    '*',
    '@elsewhere.example/',
    '.elsewhere.example/',
    ':80/',
  ])('%s is none of ours', async target => {
    const { status, headers } = await ask(`GET ${target}`)
    expect([target, [400, 401, 404].includes(status), headers.get('location')]).toEqual([target, true, null])
  })

  test.each([
    '/api/users',
    '/api/users/',
    '/%61pi/users',
    '/api/users?',
    '//api/users',
    '/api//users',
    '/api/./users',
    '/api/x/../users',
    '/api%2fusers',
    '/API/users',
    '/api/users;x=1',
    '/api/users%00',
    '/api/users%20',
    '/api/users/%2e',
    '/api\\users',
  ])('spelled %s is for nobody who may not', async path => {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND']) {
      const { status } = await ask(`${method} ${path}`)
      expect([method, [302, 400, 401, 404, 405].includes(status) ? 'refused' : status]).toEqual([method, 'refused'])
    }
  })

  it('is not asked with another method than the one in front of it', async () => {
    const admin = await makeUser(shop.em(), { isAdmin: true })
    const headers = {
      authorization: `Bearer ${admin.token}`,
      'x-http-method-override': 'DELETE',
      'x-http-method': 'DELETE',
      'x-method-override': 'DELETE',
    }
    const answer = await fetch(`${shop.url}/api/users/${admin.id}?_method=DELETE`, { headers })
    expect([answer.status, await answer.json()]).toMatchObject([200, { _id: admin.id }])
    expect((await shop.gql('{ viewer { id } }', {}, admin)).data.viewer.id).toBe(admin.id)
  })
})

describe('the host a request means', () => {
  test.each(['GET /', 'POST /graphql', 'GET /api/products', 'GET /livez', 'GET /none'])(
    'is one: %s with two is refused',
    async line => {
      for (const hosts of [
        ['shop.example', 'elsewhere.example'],
        ['shop.example', 'shop.example'],
      ]) {
        const answer = await ask(line, hosts)
        expect([line, answer.status]).toEqual([line, 400])
        expectProtected(answer, line)
      }
    },
  )

  it('is the shop’s own where the owner said which that is', async () => {
    const strict = await openShop({ shopUrl: 'https://shop.example', onlyOwnHost: true })
    const status = async (line: string, ...hosts: string[]) => (await ask(line, hosts, strict)).status
    for (const host of ['shop.example', 'SHOP.example', 'shop.example:443'])
      expect([host, await status('GET /api/products', host)]).toEqual([host, 200])
    for (const host of [
      'elsewhere.example',
      'shop.example.elsewhere.example',
      'shop.example:80',
      'shop.example.',
      '127.0.0.1',
      'localhost',
      'shop.example@elsewhere.example',
      '[::1]',
    ]) {
      for (const line of ['GET /', 'GET /api/products', 'POST /graphql', 'GET /images/none.webp'])
        expect([host, line, await status(line, host)]).toEqual([host, line, 421])
    }
    for (const path of ['/livez', '/readyz'])
      expect([path, await status(`GET ${path}`, '10.0.0.7:4000')]).toEqual([path, 200])
    // The shop does not trust a header that none of its own proxies sent.
    expect(
      (await fetch(`${strict.url}/api/products`, { headers: { 'x-forwarded-host': 'shop.example' } })).status,
    ).toBe(421)
    expectProtected(await ask('GET /', ['elsewhere.example'], strict), 'another host')
    await strict.close()
  })

  it('is what a trusted proxy says it was asked for', async () => {
    const behind = await openShop({ shopUrl: 'https://shop.example', onlyOwnHost: true, trustProxy: '127.0.0.1' })
    const status = async (host: string) =>
      (await fetch(`${behind.url}/api/products`, { headers: { 'x-forwarded-host': host } })).status
    expect([await status('shop.example'), await status('elsewhere.example')]).toEqual([200, 421])
    await behind.close()
  })

  it('may be any other where the shop runs for trying out', async () => {
    expect((await ask('GET /api/products', ['elsewhere.example'])).status).toBe(200)
  })
})
