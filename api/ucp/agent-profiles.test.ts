import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { clock } from '../kernel/clock.ts'
import { callRest, callTool, expectValid } from '../testing/agent.ts'
import { makeProduct, openShop, type TestShop } from '../testing/shop.ts'
import { agentProfiles } from './agent-profiles.ts'
import { present } from '#schema/rules/present'

let shop: TestShop
let yarn: { id: string }
let platform: Server
let origin: string
let asked: string[] = []
const answers: Record<string, RequestListener> = {}
beforeAll(async () => {
  shop = await openShop()
  yarn = await makeProduct(shop.em(), { name: 'Merino' })
  platform = createServer((request, response) => {
    asked.push(present(request.url))
    const answer = answers[present(request.url)]
    return answer ? answer(request, response) : response.writeHead(404).end()
  })
  await new Promise<void>(done => platform.listen(0, '127.0.0.1', done))
  origin = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`
})
beforeEach(() => {
  asked = []
})
afterAll(async () => {
  platform?.closeAllConnections()
  platform?.close()
  await shop?.close()
})

const listed = (names: string[], version = '2026-04-08') =>
  JSON.stringify({
    ucp: {
      version,
      services: {},
      capabilities: Object.fromEntries(names.map(name => [`dev.ucp.shopping.${name}`, [{ version }]])),
      payment_handlers: {},
    },
  })

let serial = 0
/** A profile at a new address, which nobody has read yet. */
function profile(answer: string | RequestListener): string {
  const path = `/${++serial}.json`
  answers[path] = typeof answer === 'string' ? (_request, response) => void response.end(answer) : answer
  return origin + path
}

const begin = (path: string, address: string) =>
  callRest(
    shop.url,
    'POST',
    path,
    { line_items: [{ item: { id: yarn.id }, quantity: 1 }], discounts: { codes: ['CASTON15'] } },
    { 'ucp-agent': `profile="${address}"` },
  )
const startCart = (address: string) => begin('/carts', address)
const startCheckout = (address: string) => begin('/checkout-sessions', address)

describe('an agent is answered with what its profile lists', () => {
  it('and without the fields of what it does not know', async () => {
    const { body: some } = await startCart(profile(listed(['cart'])))
    expect(some.ucp).toMatchObject({ status: 'success', capabilities: { 'dev.ucp.shopping.cart': expect.anything() } })
    expect(Object.keys(some.ucp.capabilities)).toEqual(['dev.ucp.shopping.cart'])
    expect(some).not.toHaveProperty('discounts')
    const { body: all } = await startCart(profile(listed(['cart', 'discount'])))
    expect(Object.keys(all.ucp.capabilities)).toEqual(['dev.ucp.shopping.cart', 'dev.ucp.shopping.discount'])
    expect(all).toHaveProperty('discounts')
    const { body: checkout } = await startCheckout(profile(listed(['checkout'])))
    expect(Object.keys(checkout.ucp.capabilities)).toEqual(['dev.ucp.shopping.checkout'])
    expect(checkout).not.toHaveProperty('fulfillment')
    expectValid(checkout, 'shopping/checkout.json')
  })

  it('and with nothing when it does not know what it asks for', async () => {
    // An extension is useless without what it extends.
    const { status, body } = await startCheckout(profile(listed(['cart', 'fulfillment'])))
    expect([status, body.ucp.status, body.ucp.capabilities]).toEqual([200, 'error', {}])
    expect(body.messages).toMatchObject([
      { type: 'error', code: 'capabilities_incompatible', severity: 'unrecoverable' },
    ])
    expect(body).not.toHaveProperty('id')
  })

  it('and its profile is read once', async () => {
    const address = profile(listed(['cart']))
    await Promise.all(Array.from({ length: 10 }, () => startCart(address)))
    await startCart(address)
    expect(asked).toHaveLength(1)
  })
})

describe('a profile', () => {
  it.each([
    ['of another version', () => profile(listed(['cart'], '2026-01-11')), 422, 'version_unsupported'],
    ['that is none', () => profile('<h1>Hello</h1>'), 422, 'profile_malformed'],
    ['without a version', () => profile('{"ucp":{"capabilities":{}}}'), 422, 'profile_malformed'],
    ['that is too long', () => profile(' '.repeat(70_000) + listed(['cart'])), 422, 'profile_malformed'],
    ['that is not there', () => `${origin}/nowhere.json`, 424, 'profile_unreachable'],
    [
      'that is elsewhere',
      () => profile((_, response) => void response.writeHead(302, { location: profile(listed(['cart'])) }).end()),
      424,
      'profile_unreachable',
    ],
    ['without an address', () => '', 400, 'invalid_profile_url'],
  ])('%s is refused, over REST and over MCP', async (_what, address, status, code) => {
    const named = address()
    const rest = await startCart(named)
    expect([rest.status, rest.body]).toEqual([
      status,
      expect.objectContaining({ code, content: expect.any(String), continue_url: expect.stringMatching(/^http/) }),
    ])
    const meta = { 'ucp-agent': { profile: named } }
    const mcp = await callTool(shop.url, 'search_catalog', { meta, catalog: { query: 'x' } })
    expect([mcp.status, mcp.body.error.code, mcp.body.error.data.code]).toEqual([status, -32001, code])
    expect(mcp.body.error.data.continue_url).toMatch(/^http/)
  })

  it.each([
    ['fails', () => profile((_, response) => void response.writeHead(503).end())],
    ['breaks off', () => profile((_, response) => void response.destroy())],
    ['never comes', () => profile(() => undefined)],
  ])('that %s keeps nobody from ordering', async (_what, address) => {
    const { status, body } = await startCart(address())
    expect([status, body.ucp.status]).toEqual([201, 'success'])
    expect(body).toHaveProperty('discounts')
  })

  it('is read on the public internet alone, over https', async () => {
    const addressesOf = async () => ['10.0.0.1']
    const read = agentProfiles({ allowPrivate: false, addressesOf })
    for (const address of [
      profile(listed(['cart'])),
      'https://intranet.example/',
      'https://[::1]/',
      'file:///etc/passwd',
    ])
      await expect(read(address)).rejects.toMatchObject({ status: 400, code: 'invalid_profile_url' })
    expect(asked).toEqual([])
  })

  it('is looked for sixty times a minute, whoever asks', async () => {
    const now = clock.now()
    const standing = vi.spyOn(clock, 'now').mockReturnValue(now)
    try {
      const read = agentProfiles({ allowPrivate: true, addressesOf: async () => [] })
      const found = await Promise.all(Array.from({ length: 70 }, () => read(profile(listed(['cart'])))))
      expect(asked).toHaveLength(60)
      expect(found.map(({ size }) => size)).toEqual([...Array<number>(60).fill(1), ...Array<number>(10).fill(7)])
    } finally {
      standing.mockRestore()
    }
  })
})
