import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { DEFAULT_DELIVERY } from '#schema/rules/delivery'
import { DEFAULT_POLICY } from '#schema/rules/pricing'
import { hashOf } from '../kernel/tokens.ts'
import { callRest, callTool, expectValid, openShopForAgents, openUcpCli } from '../testing/agent.ts'
import { buyerDoes } from '../testing/purchase.ts'
import { makeProduct, makeUser, type TestShop } from '../testing/shop.ts'
import { lastOf, nth, present } from '#schema/rules/present'

let shop: TestShop
let cli: Awaited<ReturnType<typeof openUcpCli>>
let yarn: Awaited<ReturnType<typeof makeProduct>>

beforeAll(async () => {
  shop = await openShopForAgents()
  cli = await openUcpCli(shop.url)
  yarn = await makeProduct(shop.em(), { name: 'Ninepin Sock', price: 2400, countInStock: 1_000 })
})
afterAll(async () => {
  await cli.close()
  await shop.close()
})

const BUYER = { first_name: 'Nell', last_name: 'Knitter', email: 'nell@example.com' }
const SHIPPING = {
  methods: [
    {
      type: 'shipping',
      destinations: [
        {
          street_address: '1 Purl Lane',
          address_locality: 'Woolwich',
          address_region: 'ME',
          postal_code: '04579',
          address_country: 'US',
        },
      ],
    },
  ],
}
const lines = (quantity = 2, { id } = yarn) => [{ item: { id }, quantity }]
const READY = () => ({ line_items: lines(), buyer: BUYER, fulfillment: SHIPPING })
const key = () => ({ meta: { 'ucp-agent': { profile: 'https://agent.example/' }, 'idempotency-key': randomUUID() } })

async function tool(name: string, args: object) {
  const { status, body } = await callTool(shop.url, name, args)
  expect([status, body.error]).toEqual([200, undefined])
  const answer = body.result.structuredContent
  const schema = name.endsWith('cart')
    ? 'discount.json#/$defs/dev.ucp.shopping.cart'
    : name.endsWith('order')
      ? 'order.json'
      : 'fulfillment.json#/$defs/dev.ucp.shopping.checkout'
  expectValid(answer, answer.ucp.status === 'error' ? 'shopping/types/error_response.json' : `shopping/${schema}`)
  if (name.endsWith('checkout') && answer.ucp.status === 'success')
    expectValid(answer, 'shopping/discount.json#/$defs/dev.ucp.shopping.checkout')
  return answer
}

const ready = async (more: object = {}) => tool('create_checkout', { checkout: { ...READY(), ...more } })
const complete = (id: string) => tool('complete_checkout', { id, ...key() })
const total = ({ totals }: any, type = 'total') => totals.find((each: any) => each.type === type)?.amount
const codes = ({ messages }: any) => messages.map(({ code }: any) => code)
const stock = async ({ id } = yarn) =>
  (await shop.gql(`query($id: ID!) { product(id: $id) { countInStock } }`, { id })).data.product.countInStock

/** Does what the buyer's browser does at `continue_url`: opens the order by its link, and pays it. */
async function pay(continueUrl: string) {
  const [, id, token] = present(/\/order\/([\w-]+)#([\w-]{43})$/.exec(continueUrl))
  const asBuyer = async (query: string, variables: object) => {
    const response = await fetch(`${shop.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-order-token': token },
      body: JSON.stringify({ query, variables }),
    })
    return ((await response.json()) as any).data
  }
  const { order } = await asBuyer('query($id: ID!) { order(id: $id) { totalPrice items { name } } }', { id })
  const { createPaypalOrder } = await asBuyer(
    'mutation($id: ID!) { createPaypalOrder(orderId: $id) { paypalOrderId userErrors { code } } }',
    { id },
  )
  await buyerDoes(shop, 'approve', createPaypalOrder.paypalOrderId)
  const { capturePaypalOrder } = await asBuyer(
    'mutation($id: ID!, $paypal: ID!) { capturePaypalOrder(orderId: $id, paypalOrderId: $paypal) { order { isPaid } userErrors { code message } } }',
    { id, paypal: createPaypalOrder.paypalOrderId },
  )
  expect(capturePaypalOrder).toMatchObject({ order: { isPaid: true }, userErrors: [] })
  return { order, id: id }
}

describe('Shopify’s command line', () => {
  it('searches, fills a cart, checks it out, hands it to its buyer and reads the paid order', async () => {
    const found = await cli.run('catalog', 'search', '--set', '/query=ninepin')
    const variant = found.result.products[0].variants[0].id
    const cart = await cli.run(
      'cart',
      'create',
      '--input',
      JSON.stringify({ line_items: [{ item: { id: variant }, quantity: 1 }] }),
    )
    expect(total(cart.result, 'subtotal')).toBe(2400)
    const more = JSON.stringify({ line_items: [{ item: { id: variant }, quantity: 3 }] })
    const changed = await cli.run('cart', 'update', cart.result.id, '--input', more)
    expect(total(changed.result, 'subtotal')).toBe(7200)
    const begun = await cli.run(
      'checkout',
      'create',
      '--input',
      JSON.stringify({ cart_id: cart.result.id, line_items: [], buyer: BUYER }),
    )
    expect(begun.result).toMatchObject({ status: 'incomplete' })
    expect(codes(begun.result)).toEqual(['field_required'])
    const { id } = begun.result
    const filled = await cli.run(
      'checkout',
      'update',
      id,
      '--input',
      JSON.stringify({ line_items: [{ item: { id: variant }, quantity: 3 }], fulfillment: SHIPPING }),
    )
    expect(filled.result).toMatchObject({ status: 'ready_for_complete', messages: [] })

    const placed = await cli.run('checkout', 'complete', id)
    expect(placed.result).toMatchObject({ status: 'requires_escalation', totals: filled.result.totals })
    expect(codes(placed.result)).toEqual(['payment_required'])
    const page = await fetch(placed.result.continue_url)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const { order } = await pay(placed.result.continue_url)
    expect(order).toEqual({ totalPrice: total(placed.result), items: [{ name: 'Ninepin Sock' }] })

    const done = await cli.run('checkout', 'get', id)
    expect(done.result.status).toBe('completed')
    const read = await cli.run('order', 'get', done.result.order.id)
    expect(read.result).toMatchObject({
      checkout_id: id,
      label: expect.stringMatching(/^#\d+$/),
      totals: placed.result.totals,
      line_items: [{ id: variant, quantity: { original: 3, total: 3, fulfilled: 0 }, status: 'processing' }],
    })
  })
})

describe('a cart', () => {
  it('is filled, changed as a whole, and ended', async () => {
    const cart = await tool('create_cart', { cart: { line_items: lines(2) } })
    expect(total(cart)).toBe(4800 + 300 + 720)
    expect(await tool('get_cart', { id: cart.id })).toEqual(cart)
    const other = await makeProduct(shop.em(), { price: 500 })
    const changed = await tool('update_cart', { id: cart.id, cart: { line_items: lines(1, other) } })
    expect(changed.line_items).toMatchObject([{ item: { id: other.id, price: 500 }, quantity: 1 }])
    const ended = await tool('cancel_cart', { id: cart.id, ...key() })
    expect(ended.line_items).toEqual(changed.line_items)
    expect(await tool('get_cart', { id: cart.id })).toMatchObject({ messages: [{ code: 'not_found' }] })
  })

  it('says what there is too little of, what is not sold, and that two lines of one product are one', async () => {
    const few = await makeProduct(shop.em(), { countInStock: 3 })
    const cart = await tool('create_cart', { cart: { line_items: [...lines(2, few), ...lines(4, few)] } })
    expect(cart.line_items).toMatchObject([{ quantity: 6 }])
    expect(cart.messages).toMatchObject([{ code: 'out_of_stock', severity: 'recoverable', path: '$.line_items[0]' }])
    const gone = await makeProduct(shop.em(), { archivedAt: new Date() })
    expect(await tool('create_cart', { cart: { line_items: [...lines(1), ...lines(1, gone)] } })).toMatchObject({
      ucp: { status: 'error' },
      messages: [{ code: 'item_unavailable', path: '$.line_items[1]' }],
    })
  })

  it('takes one code, and lets go of one that does not work', async () => {
    await discount('YARN15')
    const cart = await tool('create_cart', {
      cart: { line_items: lines(2), discounts: { codes: ['yarn15', 'second'] } },
    })
    expect(cart.discounts.applied).toMatchObject([{ code: 'YARN15', amount: 720 }])
    expect(total(cart, 'discount')).toBe(-720)
    expect(codes(cart)).toEqual(['discount_code_combination_disallowed'])
    const changed = await tool('update_cart', {
      id: cart.id,
      cart: { line_items: lines(2), discounts: { codes: ['NONSENSE'] } },
    })
    expect(changed.messages).toMatchObject([{ type: 'warning', code: 'discount_code_invalid' }])
    expect(changed.discounts).toBeUndefined()
    expect((await tool('get_cart', { id: cart.id })).messages).toEqual([])
  })

  it('has no price but the shop’s', async () => {
    const [line] = lines(1)
    const cheap = { ...line, item: { ...present(line).item, price: 1 }, totals: [{ type: 'total', amount: 1 }] }
    const cart = await tool('create_cart', { cart: { line_items: [cheap], totals: [{ type: 'total', amount: 1 }] } })
    expect(total(cart, 'subtotal')).toBe(2400)
  })

  async function discount(code: string) {
    const admin = await makeUser(shop.em(), { isAdmin: true })
    const { data } = await shop.gql(
      `mutation($input: DiscountCodeInput!) { createDiscountCode(input: $input) { userErrors { message } } }`,
      { input: { code, kind: 'PERCENT', basisPoints: 1500 } },
      admin,
    )
    expect(data.createDiscountCode.userErrors).toEqual([])
  }
})

describe('a checkout', () => {
  it('tells what is missing, and what is wrong with what was said', async () => {
    const bare = await tool('create_checkout', { checkout: { line_items: lines() } })
    expect(bare.status).toBe('incomplete')
    expect(bare.messages.map(({ code, path }: any) => [code, path])).toEqual([
      ['field_required', '$.buyer.email'],
      ['field_required', '$.fulfillment.methods[0].destinations'],
    ])
    const wrong = await ready({
      buyer: { email: 'nell' },
      fulfillment: { methods: [{ destinations: [{ first_name: 'Nell', address_country: 'Yarnia' }] }] },
    })
    expect(wrong.messages.map(({ code, path }: any) => [code, path])).toEqual([
      ['address_undeliverable', '$.fulfillment.methods[0].destinations[0].address_country'],
      ['invalid_email', '$.buyer.email'],
    ])
    expect((await complete(wrong.id)).status).toBe('incomplete')
  })

  it('tells where the shop sends nothing, and where tax depends on a state or a postal code that is not named', async () => {
    const within = { country: 'United States', onShipping: false }
    const taxRates = [
      { ...within, state: 'ME', stateName: 'Maine', postalCodes: [], basisPoints: 550 },
      { ...within, state: 'NY', stateName: 'New York', postalCodes: ['112'], basisPoints: 887.5 },
    ]
    const other = await openShopForAgents({
      policy: { ...DEFAULT_POLICY, taxBasisPoints: 0, taxRates },
      delivery: { ...DEFAULT_DELIVERY, shipsTo: ['United States'] },
    })
    try {
      const { id } = await makeProduct(other.em(), { price: 2400 })
      const sendTo = async (destination: object) => {
        const fulfillment = { methods: [{ type: 'shipping', destinations: [destination] }] }
        const checkout = { ...READY(), line_items: lines(2, { id } as typeof yarn), fulfillment }
        return (await callTool(other.url, 'create_checkout', { checkout })).body.result.structuredContent
      }
      const abroad = await sendTo({ address_country: 'DE' })
      expect(abroad.status).toBe('incomplete')
      expect(abroad.messages).toEqual([
        expect.objectContaining({
          code: 'address_undeliverable',
          content: 'We do not ship there. We ship to the United States.',
          path: '$.fulfillment.methods[0].destinations[0].address_country',
        }),
      ])
      const nowhere = await sendTo({ address_country: 'US' })
      expect(nowhere.messages.map(({ code, path }: any) => [code, path])).toEqual([
        ['invalid_address', '$.fulfillment.methods[0].destinations[0].address_region'],
      ])
      const known = await sendTo({ address_country: 'US', address_region: 'ME' })
      expect(known.status).toBe('ready_for_complete')
      expect(total(known, 'tax')).toBe(264)
      const somewhere = await sendTo({ address_country: 'US', address_region: 'NY' })
      expect(somewhere.messages.map(({ code, path }: any) => [code, path])).toEqual([
        ['invalid_address', '$.fulfillment.methods[0].destinations[0].postal_code'],
      ])
      const inBrooklyn = await sendTo({ address_country: 'US', address_region: 'NY', postal_code: '11201' })
      expect(total(inBrooklyn, 'tax')).toBe(426)
    } finally {
      await other.close()
    }
  })

  it('sets stock aside when it is completed, once, whatever key comes with it', async () => {
    const before = await stock()
    const { id, status } = await ready()
    expect([status, await stock()]).toEqual(['ready_for_complete', before])
    const [first, second] = await Promise.all([complete(id), complete(id)])
    const third = await complete(id)
    expect(first.continue_url).toBe(third.continue_url)
    expect(second.continue_url).toBe(third.continue_url)
    expect(await stock()).toBe(before - 2)
    expect(third.expires_at).toBeDefined()
  })

  it('goes on where the shop stopped between placing the order and writing it down', async () => {
    const before = await stock()
    const { id } = await ready()
    const placed = await complete(id)
    await shop.em().execute('update agent_checkouts set order_id = null where token_hash = ?', [hashOf(id)])
    expect((await complete(id)).continue_url).toBe(placed.continue_url)
    expect(await stock()).toBe(before - 2)
  })

  it('does not change once it is ordered, and gives its stock back when it is cancelled', async () => {
    const before = await stock()
    const { id } = await ready()
    const placed = await complete(id)
    const changed = await tool('update_checkout', { id, checkout: { ...READY(), line_items: lines(9) } })
    expect(codes(changed)).toEqual(['not_modifiable', 'payment_required'])
    expect(changed.totals).toEqual(placed.totals)
    expect(await tool('update_cart', { id, cart: { line_items: lines(9) } })).toMatchObject({
      ucp: { status: 'error' },
    })
    const cancelled = await tool('cancel_checkout', { id, ...key() })
    expect([cancelled.status, cancelled.continue_url, await stock()]).toEqual(['canceled', undefined, before])
    expect((await tool('cancel_checkout', { id, ...key() })).status).toBe('canceled')
    expect((await complete(id)).status).toBe('canceled')
  })

  it('that nobody completed is cancelled, too, and not completed any more', async () => {
    const { id } = await ready()
    expect((await tool('cancel_checkout', { id, ...key() })).status).toBe('canceled')
    const after = await complete(id)
    expect([after.status, after.continue_url]).toEqual(['canceled', undefined])
  })

  it('that is paid cannot be cancelled', async () => {
    const { id } = await ready()
    await pay((await complete(id)).continue_url)
    const answer = await tool('cancel_checkout', { id, ...key() })
    expect([answer.status, codes(answer)]).toEqual(['completed', ['already_paid']])
  })

  it('tells, once it is an order, what was sent, what came back and what was paid back', async () => {
    const owner = await makeUser(shop.em(), { isAdmin: true })
    const done = async (mutation: string, variables: object) => {
      const { data } = await shop.gql(mutation as string, variables, owner)
      const [payload] = Object.values(data as Record<string, { userErrors: object[] }>)
      expect(present(payload).userErrors).toEqual([])
      return payload as { userErrors: object[]; fulfilment?: { id: string } }
    }
    const { id } = await ready()
    const { id: orderId } = await pay((await complete(id)).continue_url)
    const bought = nth(lines(), 0).quantity
    const { fulfilment } = await done(
      'mutation($id: ID!) { fulfilOrder(id: $id, carrier: "UPS") { fulfilment { id } userErrors { code } } }',
      { id: orderId },
    )
    await done(
      'mutation($id: ID!, $lines: [ReturnLineInput!]) { returnFulfilment(id: $id, lines: $lines, reason: "Itchy") { userErrors { code } } }',
      { id: present(fulfilment).id, lines: [{ productId: yarn.id, quantity: 1 }] },
    )
    await done(
      'mutation($id: ID!) { refundOrder(orderId: $id, amount: 500, reason: "For one", idempotencyKey: "one") { userErrors { code message } } }',
      { id: orderId },
    )
    const read = await tool('get_order', { id })
    expect(read.line_items).toMatchObject([
      { quantity: { original: bought, total: bought - 1, fulfilled: bought - 1 }, status: 'fulfilled' },
    ])
    expect(read.fulfillment.events.map(({ type }: { type: string }) => type)).toEqual(['processing', 'shipped'])
    expect(read.adjustments).toMatchObject([
      { type: 'return', status: 'completed', line_items: [{ id: yarn.id, quantity: -1 }], description: 'Itchy' },
      { type: 'refund', status: 'completed', totals: [{ type: 'total', amount: -500 }], description: 'For one' },
    ])
  })

  it('of patterns is a download, which is there once it is paid', async () => {
    const pattern = await makeProduct(shop.em(), { name: 'Rib Hat Pattern', price: 700, isDownload: true })
    const begun = async (bought: object[]) =>
      tool('create_checkout', { checkout: { ...READY(), line_items: bought }, ...key() })
    const mixed = await begun([...lines(1), ...lines(1, pattern)])
    expect(mixed.fulfillment.methods[0].groups).toMatchObject([
      { id: 'parcel', line_item_ids: [yarn.id], options: [{ title: 'Standard shipping' }] },
      { id: 'download', line_item_ids: [pattern.id], options: [{ totals: [{ amount: 0 }] }] },
    ])
    const { id, totals, fulfillment } = await begun(lines(1, pattern))
    expect(fulfillment.methods[0].groups).toMatchObject([{ id: 'download' }])
    expect(total({ totals }, 'fulfillment')).toBe(0)
    const { continue_url } = await complete(id)
    const [before] = (await tool('get_order', { id })).line_items
    expect(before).toMatchObject({ quantity: { fulfilled: 0 }, status: 'processing' })
    await pay(continue_url)
    const order = await tool('get_order', { id })
    expect(order.line_items).toMatchObject([{ quantity: { original: 1, total: 1, fulfilled: 1 }, status: 'fulfilled' }])
    expect(order.fulfillment.expectations).toMatchObject([{ method_type: 'digital', line_items: [{ id: pattern.id }] }])
  })

  it('is told what is sold out meanwhile, and can be mended', async () => {
    const last = await makeProduct(shop.em(), { countInStock: 2 })
    const [one, other] = await Promise.all([
      ready({ line_items: lines(2, last) }),
      ready({ line_items: lines(2, last) }),
    ])
    const answers = await Promise.all([complete(one.id), complete(other.id)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['incomplete', 'requires_escalation'])
    const lost = answers.find(({ status }) => status === 'incomplete')
    expect(new Set(codes(lost))).toEqual(new Set(['out_of_stock']))
    const mended = await tool('update_checkout', { id: lost.id, checkout: READY() })
    expect(mended.status).toBe('ready_for_complete')
  })

  it('asks its buyer to agree to dye lots that are mixed', async () => {
    const kept = await makeProduct(shop.em(), { lots: { A1: 3, B2: 3 } })
    const asked = await ready({ line_items: lines(5, kept) })
    expect([asked.status, codes(asked)]).toEqual(['incomplete', ['mixed_dye_lots']])
    const [{ dye_lots }] = asked.line_items
    const agreed = await tool('update_checkout', {
      id: asked.id,
      checkout: { line_items: [{ item: { id: kept.id }, quantity: 5, dye_lots }] },
    })
    expect(agreed.status).toBe('ready_for_complete')
    expect((await complete(asked.id)).status).toBe('requires_escalation')
  })

  it('of a cart is the same for every time it is asked for', async () => {
    const cart = await tool('create_cart', { cart: { line_items: lines(1) } })
    const begun = await tool('create_checkout', { checkout: { ...READY(), cart_id: cart.id, line_items: lines(7) } })
    expect(begun.line_items).toMatchObject([{ quantity: 1 }])
    const again = await tool('create_checkout', { checkout: { cart_id: cart.id, line_items: [] } })
    expect([again.id, again.status]).toEqual([begun.id, 'ready_for_complete'])
  })

  test.each(['get_checkout', 'get_order', 'get_cart', 'cancel_checkout', 'complete_checkout'])(
    '%s tells strangers nothing',
    async name => {
      const { id } = await ready()
      const placed = await complete(id)
      const [, orderId] = present(/\/order\/([\w-]+)#/.exec(placed.continue_url))
      for (const guess of [orderId, id.slice(0, -1), `${id}x`, "' or 1=1", '\0', randomUUID()])
        expect(await tool(name, { id: guess, ...key() })).toMatchObject({ messages: [{ code: 'not_found' }] })
    },
  )

  it('is a visitor’s, whatever good token comes with it', async () => {
    const admin = await makeUser(shop.em(), { isAdmin: true })
    const headers = { authorization: `Bearer ${admin.token}`, 'idempotency-key': randomUUID() }
    const { body } = await callRest(shop.url, 'POST', '/checkout-sessions', READY(), headers)
    const placed = await callRest(shop.url, 'POST', `/checkout-sessions/${body.id}/complete`, {}, headers)
    const [, id] = present(/\/order\/([\w-]+)#/.exec(placed.body.continue_url))
    const order = 'query($id: ID!) { order(id: $id) { user { isGuest email } } }'
    expect((await shop.gql(order, { id }, admin)).data.order).toEqual({ user: { isGuest: true, email: BUYER.email } })
  })

  it('is held to the limits of every guest', async () => {
    const strict = await openShopForAgents({
      holdLimits: { ordersPerAccount: 1, unitsPerAccount: 5, ordersPerAddress: 0, unitsPerAddress: 0 },
    })
    try {
      const product = await makeProduct(strict.em(), { countInStock: 100 })
      const order = async () => {
        const checkout = { ...READY(), line_items: lines(1, product) }
        const { body } = await callRest(strict.url, 'POST', '/checkout-sessions', checkout)
        const done = await callRest(
          strict.url,
          'POST',
          `/checkout-sessions/${body.id}/complete`,
          {},
          { 'idempotency-key': randomUUID() },
        )
        return done.body
      }
      expect((await order()).status).toBe('requires_escalation')
      expect(codes(await order())).toEqual(['too_many_unpaid_orders'])
    } finally {
      await strict.close()
    }
  })
})

describe('over REST', () => {
  it('the same is done, with the statuses of the protocol', async () => {
    const cart = await callRest(shop.url, 'POST', '/carts', { line_items: lines(1) })
    expect([cart.status, cart.body.ucp.capabilities]).toMatchObject([
      201,
      { 'dev.ucp.shopping.cart': [{ version: '2026-04-08' }], 'dev.ucp.shopping.discount': [{}] },
    ])
    expect((await callRest(shop.url, 'GET', `/carts/${cart.body.id}`)).body).toEqual(cart.body)
    expect(await callRest(shop.url, 'GET', '/carts/none')).toMatchObject({
      status: 200,
      body: { ucp: { status: 'error' } },
    })
    const { status, body } = await callRest(shop.url, 'POST', '/checkout-sessions', {
      ...READY(),
      cart_id: cart.body.id,
    })
    expect([status, body.status]).toEqual([201, 'ready_for_complete'])
    const path = `/checkout-sessions/${body.id}/complete`
    expect((await callRest(shop.url, 'POST', path, {})).status).toBe(400)
    const placed = await callRest(shop.url, 'POST', path, {}, { 'idempotency-key': randomUUID() })
    await pay(placed.body.continue_url)
    const order = await callRest(shop.url, 'GET', `/orders/${body.id}`)
    expectValid(order.body, 'shopping/order.json')
    expect(order.body).toMatchObject({ permalink_url: placed.body.continue_url, totals: placed.body.totals })
  })

  test.each([
    ['POST', '/carts', {}],
    ['POST', '/carts', { line_items: Array.from({ length: 51 }, () => ({ item: { id: 'x' }, quantity: 1 })) }],
    ['POST', '/carts', { line_items: [{ item: { id: 'x' }, quantity: 0.5 }] }],
    ['POST', '/carts', { line_items: [{ item: { id: 'x' }, quantity: -1 }] }],
    ['POST', '/carts', { line_items: [{ item: { id: { $ne: null } }, quantity: 1 }] }],
    ['POST', '/carts', { line_items: 'x'.repeat(200_000) }],
    ['POST', '/checkout-sessions', { line_items: [], buyer: { email: ['x'] } }],
  ])('%s %s of something else is refused', async (method, path, body) => {
    expect((await callRest(shop.url, method, path, body)).status).toBeOneOf([400, 413])
  })

  test.each(['\0', '\ud800', '<script>alert(1)</script>', "'; drop table orders; --", '../../etc/passwd', '${7*7}'])(
    '%j is a text like any other',
    async text => {
      const answer = await callRest(shop.url, 'POST', '/checkout-sessions', {
        line_items: [{ item: { id: text }, quantity: 1 }],
        buyer: { email: text, first_name: text },
        discounts: { codes: [text] },
        fulfillment: { methods: [{ destinations: [{ street_address: text, address_country: text }] }] },
      })
      expect(answer.status).toBe(200)
      expect(answer.body.ucp.status).toBe('error')
      const named = await callRest(shop.url, 'POST', '/checkout-sessions', {
        ...READY(),
        buyer: { email: text, first_name: text },
        discounts: { codes: [text] },
        fulfillment: { methods: [{ destinations: [{ street_address: text, address_country: text }] }] },
      })
      expect([200, 201]).toContain(named.status)
      expect(named.body.status).not.toBe('ready_for_complete')
    },
  )

  it('nothing in any place is more than the shop can answer', async () => {
    const whole = {
      ...READY(),
      line_items: [{ ...lines()[0], dye_lots: [{ code: 'A1', quantity: 2 }] }],
      discounts: { codes: ['YARN15'] },
      context: { address_country: 'US', eligibility: ['com.example.card'] },
    }
    const odd = [null, -1, 2 ** 53, '\0\ud800', [], {}]
    for (const path of placesOf(whole))
      for (const value of odd) {
        const { status, body } = await callRest(shop.url, 'POST', '/checkout-sessions', withAt(whole, path, value))
        expect([path, value, status < 500]).toEqual([path, value, true])
        expect(JSON.stringify(body)).not.toMatch(/node_modules|\.ts:\d|insert into|select /)
      }
  })
})

type Path = (string | number)[]

/** The path of every value, list and object in what is sent. */
const placesOf = (value: unknown, at: Path = []): Path[] =>
  value !== null && typeof value === 'object'
    ? Object.entries(value).flatMap(([key, inner]) => {
        const path = [...at, Array.isArray(value) ? Number(key) : key]
        return [path, ...placesOf(inner, path)]
      })
    : []

function withAt(whole: object, path: Path, value: unknown): object {
  const copy = structuredClone(whole)
  const inner = path.slice(0, -1).reduce<any>((part, key) => part[key], copy)
  inner[lastOf(path)] = value
  return copy
}
