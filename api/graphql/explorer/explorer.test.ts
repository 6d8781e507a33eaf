import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { hashPassword } from '../../account/password.ts'
import { firstResult } from '../../testing/live.ts'
import { makeProduct, makeUser, openShop, type Identity, type TestShop } from '../../testing/shop.ts'
import { EXAMPLES } from './examples.ts'

let shop: TestShop
const people: Record<string, Identity> = {}
beforeAll(async () => {
  shop = await openShop()
  const em = shop.em()
  await makeProduct(em, { name: 'Merino', sku: 'NINEPIN-MARMALADE' })
  people['a signed-in shopper'] = await makeUser(em, {
    email: 'shopper@example.com',
    passwordHash: await hashPassword('knit-purl-shopper'),
  })
  people['an administrator'] = await makeUser(em, { isAdmin: true })
})
afterAll(() => shop?.close())

const open = (accept: string, path = '/graphql') => fetch(shop.url + path, { headers: { accept } })

describe('the explorer', () => {
  it('is what a browser gets that opens the endpoint, and nobody else', async () => {
    const response = await open('text/html,application/xhtml+xml,*/*;q=0.8')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect((await open('*/*')).status).toBe(400)
    expect((await open('text/html', '/graphql?query={shop{name}}')).headers.get('content-type')).toContain('json')
  })

  it('runs nothing but its own code, and loads nothing from elsewhere', async () => {
    const response = await open('text/html')
    const page = await response.text()
    const policy = Object.fromEntries(
      response.headers
        .get('content-security-policy')!
        .split('; ')
        .map(rule => rule.split(/ (.*)/)),
    )
    const nonce = /^'nonce-([^']{16,})'$/.exec(policy['script-src'])![1]!
    // The editor's styles are the one exception.
    const { 'script-src': _script, 'style-src': _style, ...others } = policy
    expect(Object.values(others).join(' ')).not.toMatch(/unsafe|blob:|https?:|\*/)
    expect(others).toMatchObject({
      'default-src': "'none'",
      'connect-src': "'self'",
      'worker-src': "'self'",
      'base-uri': "'none'",
      'frame-ancestors': "'none'",
    })
    for (const tag of page.match(/<script\b(?![^>]*application\/json)[^>]*>/g)!)
      expect(tag).toContain(`nonce="${nonce}"`)
    expect(page).not.toMatch(/<style\b|\son\w+=|(src|href)="(?!\/(?!\/))/)
    expect(await (await open('text/html')).text()).not.toContain(nonce)
  })

  it('is served by the shop itself, for good', async () => {
    const page = await (await open('text/html')).text()
    const files = [...page.matchAll(/<(?:script|link)\b[^>]* (?:src|href)="([^"]+)"/g)].map(([, path]) => path!)
    expect(files).toEqual([expect.stringMatching(/\.css$/), expect.stringMatching(/\.js$/)])
    for (const path of files) {
      const { status, headers } = await open('*/*', path)
      expect([status, headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
        200,
        'public, max-age=31536000, immutable',
        'nosniff',
      ])
    }
    expect((await open('*/*', '/assets/explorer/.vite/manifest.json')).status).toBe(404)
  })

  it('says what is different at a shop that keeps to itself', async () => {
    const configOf = async ({ url }: { url: string }) => {
      const page = await (await fetch(`${url}/graphql`, { headers: { accept: 'text/html' } })).text()
      return JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/.exec(page)![1]!)
    }
    expect(await configOf(shop)).toMatchObject({ introspection: true, notices: [] })
    const closed = await openShop({ introspection: false, persistedOnly: true })
    try {
      expect(await configOf(closed)).toMatchObject({
        introspection: false,
        notices: [
          expect.stringContaining('token of an administrator or the key of a partner'),
          expect.stringContaining('does not tell its schema'),
        ],
      })
    } finally {
      await closed.close()
    }
  })
})

test.each(EXAMPLES.map(example => [example.title, example] as const))(
  'the example "%s" runs',
  async (_title, { query, variables, needs }) => {
    const identity = needs ? people[needs]! : null
    const { status, errors, data } = query.startsWith('subscription')
      ? await firstResult(shop, query, variables, identity)
      : await shop.gql(query, variables, identity)
    expect([status, errors]).toEqual([200, undefined])
    expect(JSON.stringify(data)).not.toMatch(/"userErrors":\[\{/)
    expect(Object.values(data as object).every(Boolean)).toBe(true)
  },
)
