import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest'
import { startOpenidProvider, type OpenidProvider } from '../../../tools/openid-provider/provider.ts'
import { hashPassword } from '../../account/password.ts'
import { connectProviders } from '../../account/providers.ts'
import type { Product } from '../../catalog/product.entity.ts'
import { ask } from '../../testing/admin.ts'
import { firstResult } from '../../testing/live.ts'
import { bought, line, placed } from '../../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../../testing/shop.ts'
import { EXAMPLES } from './examples.ts'
import { nth, present } from '#schema/rules/present'

let shop: TestShop
let google: OpenidProvider
let yarn: Product
let shopper: Account
let buyer: Account
let admin: Account
beforeAll(async () => {
  google = await startOpenidProvider()
  const shopUrl = 'http://127.0.0.1'
  const env = { issuer: google.issuer, clientId: 'skein.example', secret: 'shh', apps: ['app'] }
  shop = await openShop({ shopUrl, providers: connectProviders({ google: env, apple: null }, shopUrl) })
  const em = shop.em()
  yarn = await makeProduct(em, { name: 'Merino', sku: 'NINEPIN-MARMALADE', countInStock: 100 })
  shopper = await makeUser(em, {
    email: 'shopper@example.com',
    passwordHash: await hashPassword('knit-purl-shopper'),
  })
  buyer = await makeUser(em)
  admin = await makeUser(em, { isAdmin: true })
})
afterAll(async () => {
  await shop?.close()
  await google?.close()
})

const parcel = async (isSent: boolean) => {
  const { id } = await bought(shop, buyer, [line(yarn)])
  const { fulfilOrder } = await ask(
    shop,
    admin,
    'mutation ($id: ID!, $isSent: Boolean!) { fulfilOrder(id: $id, isSent: $isSent) { fulfilment { id } } }',
    { id, isSent },
  )
  return present(fulfilOrder.fulfilment).id
}
const person = () => ({ sub: crypto.randomUUID(), email: `${crypto.randomUUID()}@gmail.com`, email_verified: true })

/** Values for the placeholders in the examples. */
const MEANT: Record<string, () => Promise<string> | string> = {
  'id of a product': () => yarn.id,
  'id of an order': async () => (await placed(shop, buyer, [line(yarn)])).id,
  'id of my order': async () => (await placed(shop, shopper, [line(yarn)])).id,
  'id of a paid order': async () => (await bought(shop, buyer, [line(yarn)])).id,
  'id of a packed parcel': () => parcel(false),
  'id of a parcel that left': () => parcel(true),
  'id of an account': () => admin.id,
  'id of a key': async () => nth((await ask(shop, admin, '{ apiKeys { items { id } } }')).apiKeys.items, 0).id,
  'id of a cart': async () =>
    present((await ask(shop, null, 'mutation { createCart { cart { id } } }')).createCart.cart).id,
  'id of a webhook': async () => {
    const input = { url: 'http://127.0.0.1:4200/skein', events: ['ORDER_PAID'] }
    const { createWebhook } = await ask(
      shop,
      admin,
      'mutation ($input: WebhookInput!) { createWebhook(input: $input) { webhook { id } } }',
      { input },
    )
    return present(createWebhook.webhook).id
  },
  'id of an export': () =>
    vi.waitFor(
      async () => {
        const { exports } = await ask(shop, admin, '{ exports { items { id status } } }')
        expect(exports.items[0]).toMatchObject({ status: 'DONE' })
        return nth(exports.items, 0).id
      },
      { timeout: 20_000 },
    ),
  'id of an identity': async () =>
    nth(present((await ask(shop, shopper, '{ viewer { identities { id } } }')).viewer).identities, 0).id,
  'token from Google’s SDK': () => google.idToken('app', 'nonce it was made with', person()),
}

async function filled(value: unknown): Promise<unknown> {
  if (typeof value === 'string') return (await MEANT[value]?.()) ?? value
  if (Array.isArray(value)) return Promise.all(value.map(filled))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    await Promise.all(Object.entries(value).map(async ([name, each]) => [name, await filled(each)])),
  )
}

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
      present(response.headers.get('content-security-policy'))
        .split('; ')
        .map(rule => rule.split(/ (.*)/)),
    )
    const nonce = nth(present(/^'nonce-([^']{16,})'$/.exec(policy['script-src'])), 1)
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
    for (const tag of present(page.match(/<script\b(?![^>]*application\/json)[^>]*>/g)))
      expect(tag).toContain(`nonce="${nonce}"`)
    expect(page).not.toMatch(/<style\b|\son\w+=|(src|href)="(?!\/(?!\/))/)
    expect(await (await open('text/html')).text()).not.toContain(nonce)
  })

  it('is served by the shop itself, for good', async () => {
    const page = await (await open('text/html')).text()
    const files = [...page.matchAll(/<(?:script|link)\b[^>]* (?:src|href)="([^"]+)"/g)].map(([, path]) => present(path))
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
      return JSON.parse(nth(present(/<script type="application\/json" id="data">(.*?)<\/script>/.exec(page)), 1))
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
    const identity = needs ? { 'a signed-in shopper': shopper, 'an administrator': admin }[needs] : null
    const given = (await filled(variables)) as typeof variables
    const { status, errors, data } = query.startsWith('subscription')
      ? await firstResult(shop, query, given, identity)
      : await shop.gql(query, given, identity)
    expect([status, errors]).toEqual([200, undefined])
    expect(JSON.stringify(data)).not.toMatch(/"userErrors":\[\{/)
    expect(Object.values(data as object).every(Boolean)).toBe(true)
  },
)
