import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { HOLD_LIMITS } from '#schema/rules/hold-limits'
import { emailKey } from '../account/user.entity.ts'
import { makeWelcomeCode } from '../discount/welcome-code.ts'
import { hashOf } from '../kernel/tokens.ts'
import type { DataOf } from '../generated/answers.ts'
import { ADDRESS, buyerDoes, line, placed, stockOf } from '../testing/purchase.ts'
import { mailsTo, tokenIn } from '../testing/mail.ts'
import { makeProduct, makeUser, openShop, type Account, type Answer, type TestShop } from '../testing/shop.ts'
import { nth, present } from '#schema/rules/present'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop({ mail: { to: 'mailbox' }, trustProxy: 1 })
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())
beforeEach(() => shop.simulator.reset())

let guests = 0
const newGuest = () => `guest${++guests}@example.com`

/** The asker, and the order token they send. */
interface Asker {
  orderToken?: string
  account?: { token: string }
}

/** A new network for each request, so that no request is limited because of earlier ones. */
const newNetwork = () => `10.${[1, 2, 3].map(() => Math.floor(Math.random() * 256)).join('.')}`

async function ask<const Document extends string>(
  query: Document,
  variables: object,
  { orderToken, account }: Asker = {},
  { of = shop, from = newNetwork() }: { of?: TestShop; from?: string } = {},
): Promise<Answer<DataOf<Document>>> {
  const response = await of.send(JSON.stringify({ query, variables }), {
    'content-type': 'application/json',
    'x-forwarded-for': from,
    ...(orderToken !== undefined && { 'x-order-token': orderToken }),
    ...(account && { authorization: `Bearer ${account.token}` }),
  })
  return { status: response.status, ...((await response.json()) as Omit<Answer<DataOf<Document>>, 'status'>) }
}

const PLACE = `mutation($input: PlaceOrderInput!) {
  placeOrder(input: $input) {
    order { id reference status totalPrice user { userId name email isGuest } }
    orderToken
    userErrors { code message field }
  }
}`

async function place(guestEmail: string, more: object = {}) {
  const lines = [line(await makeProduct(shop.em()))]
  const answer = await ask(PLACE, { input: { lines, shippingAddress: ADDRESS, guestEmail, ...more } })
  return answer.data.placeOrder
}

async function placedByGuest(guestEmail = newGuest()) {
  const { order, orderToken, userErrors } = await place(guestEmail)
  expect(userErrors).toEqual([])
  return { order, orderToken, guestEmail }
}

const OPERATIONS = {
  order: 'query($id: ID!) { order(id: $id) { id } }',
  node: 'query($id: ID!) { node(id: $id) { id } }',
  cancelOrder: 'mutation($id: ID!) { cancelOrder(id: $id) { order { id } userErrors { code } } }',
  createPaypalOrder: 'mutation($id: ID!) { createPaypalOrder(orderId: $id) { paypalOrderId userErrors { code } } }',
  capturePaypalOrder:
    'mutation($id: ID!) { capturePaypalOrder(orderId: $id, paypalOrderId: "NOTOURS") { captureId userErrors { code } } }',
  payOrder: 'mutation($id: ID!) { payOrder(orderId: $id, paypalOrderId: "NOTOURS") { captureId userErrors { code } } }',
} as const

/** What an answer says: `ok`, `null`, or a code. */
function outcome({ data, errors }: Answer): string {
  if (errors) return nth(errors, 0).extensions.code
  const [result] = Object.values(data as Record<string, { userErrors?: { code: string }[] } | null>)
  return result ? (result.userErrors?.[0]?.code ?? 'ok') : 'null'
}

describe('a guest', () => {
  it('orders with an email alone, pays, and reads the order by its token', async () => {
    const { order, orderToken, guestEmail } = await placedByGuest()
    expect(order).toMatchObject({
      status: 'UNPAID',
      user: { userId: order.id, name: ADDRESS.name, email: guestEmail, isGuest: true },
    })
    const opened = await ask(OPERATIONS.createPaypalOrder, { id: order.id }, { orderToken })
    const { paypalOrderId } = opened.data.createPaypalOrder
    await buyerDoes(shop, 'approve', paypalOrderId)
    const paid = await ask(
      `mutation($id: ID!, $paypalOrderId: ID!) {
         capturePaypalOrder(orderId: $id, paypalOrderId: $paypalOrderId) { order { status } userErrors { code } }
       }`,
      { id: order.id, paypalOrderId },
      { orderToken },
    )
    expect(paid.data.capturePaypalOrder).toEqual({ order: { status: 'PAID' }, userErrors: [] })
    const read = await ask('query($id: ID!) { order(id: $id) { status isPaid } }', { id: order.id }, { orderToken })
    expect(read.data.order).toEqual({ status: 'PAID', isPaid: true })
  })

  it('cancels an unpaid order, whose stock goes back', async () => {
    const product = await makeProduct(shop.em())
    const { data } = await ask(PLACE, {
      input: { lines: [line(product, 3)], shippingAddress: ADDRESS, guestEmail: newGuest() },
    })
    const { order, orderToken } = data.placeOrder
    expect(outcome(await ask(OPERATIONS.cancelOrder, { id: order.id }, { orderToken }))).toBe('ok')
    expect(await stockOf(shop, product.id)).toEqual({ left: 10, ledger: 10, sold: 0 })
  })

  it('gets the invoice with the token, and nobody without it', async () => {
    const { order, orderToken } = await placedByGuest()
    const other = await placedByGuest()
    const get = async (headers: Record<string, string>) =>
      (await fetch(`${shop.url}/api/orders/${order.id}/invoice.pdf`, { headers })).status
    expect(await get({ 'x-order-token': orderToken })).toBe(200)
    expect(await get({ 'x-order-token': other.orderToken })).toBe(404)
    expect(await get({})).toBe(404)
  })

  it('over REST orders, reads and cancels the same way', async () => {
    const call = async (method: string, path: string, body?: object, orderToken?: string) => {
      const response = await fetch(shop.url + path, {
        method,
        headers: {
          ...(body && { 'content-type': 'application/json' }),
          ...(orderToken && { 'x-order-token': orderToken }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: response.status, body: (await response.json()) as { _id: string; orderToken: string } }
    }
    const orderItems = [{ product: (await makeProduct(shop.em())).id, quantity: 1 }]
    const guestEmail = newGuest()
    const made = await call('POST', '/api/orders', { orderItems, shippingAddress: ADDRESS, guestEmail })
    expect(made).toMatchObject({ status: 201, body: { user: { email: guestEmail, isGuest: true } } })
    const { _id, orderToken } = made.body
    expect(await call('GET', `/api/orders/${_id}`, undefined, orderToken)).toMatchObject({ status: 200, body: { _id } })
    expect(await call('GET', `/api/orders/${_id}`)).toMatchObject({ status: 401 })
    expect(await call('GET', `/api/orders/${_id}`, undefined, 'A'.repeat(43))).toMatchObject({ status: 404 })
    expect(await call('PUT', `/api/orders/${_id}/cancel`, {}, orderToken)).toMatchObject({ status: 200 })
    expect(await call('POST', '/api/orders', { orderItems, shippingAddress: ADDRESS })).toMatchObject({ status: 401 })
  })

  it('needs an email that could be one, and nobody signed in gives one', async () => {
    for (const wrong of ['', 'nobody', 'a b@example.com'])
      expect(await place(wrong)).toMatchObject({
        order: null,
        orderToken: null,
        userErrors: expect.arrayContaining([expect.objectContaining({ code: 'INVALID', field: ['guestEmail'] })]),
      })
    const lines = [line(await makeProduct(shop.em()))]
    const input = { lines, shippingAddress: ADDRESS }
    const nell = await makeUser(shop.em())
    const both = await ask(PLACE, { input: { ...input, guestEmail: newGuest() } }, { account: nell })
    expect(both.data.placeOrder.userErrors).toMatchObject([{ code: 'INVALID', field: ['guestEmail'] }])
    expect(outcome(await ask(PLACE, { input }))).toBe('UNAUTHENTICATED')
  })

  it('who sends the same order once more gets the same one, with a token that opens it, too', async () => {
    const lines = [line(await makeProduct(shop.em()))]
    const input = { lines, shippingAddress: ADDRESS, guestEmail: newGuest(), idempotencyKey: crypto.randomUUID() }
    const tries = await Promise.all(Array.from({ length: 4 }, () => ask(PLACE, { input })))
    const made = tries.map(({ data }) => data.placeOrder)
    expect(new Set(made.map(({ order }) => order.id)).size).toBe(1)
    for (const { order, orderToken } of made)
      expect(outcome(await ask(OPERATIONS.order, { id: order.id }, { orderToken }))).toBe('ok')
    const other = await ask(PLACE, { input: { ...input, guestEmail: newGuest() } })
    expect(outcome(other)).toBe('IDEMPOTENCY_MISMATCH')
    expect(other.data.placeOrder.orderToken).toBeNull()
  })

  it('has no order that could not be opened', async () => {
    const em = shop.em()
    await em.execute(`
      create function no_link() returns trigger language plpgsql as $$ begin raise 'no link'; end $$;
      create trigger no_link before insert on order_links for each row execute function no_link()`)
    const yarn = await makeProduct(em, { countInStock: 5 })
    const guestEmail = newGuest()
    const input = { lines: [line(yarn, 2)], shippingAddress: ADDRESS, guestEmail }
    const { errors } = await ask(PLACE, { input })
    await em.execute('drop trigger no_link on order_links; drop function no_link')
    expect(errors).toMatchObject([{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }])
    expect(await stockOf(shop, yarn.id)).toMatchObject({ left: 5, sold: 0 })
    expect(await em.execute('select id from orders where user_email = ?', [guestEmail])).toEqual([])
  })

  it('cannot choose an idempotency key that others might guess', async () => {
    expect(await place(newGuest(), { idempotencyKey: 'order-1' })).toMatchObject({
      userErrors: [{ code: 'INVALID', field: ['idempotencyKey'] }],
    })
  })
})

describe('the token of a guest’s order', () => {
  it('is stored as its hash alone', async () => {
    const { order, orderToken } = await placedByGuest()
    // The mail about it, which may be written by now, has a link of its own.
    const links = await shop.em().execute('select * from order_links where order_id = ?', [order.id])
    expect(links).toContainEqual(expect.objectContaining({ token_hash: hashOf(orderToken) }))
    expect(JSON.stringify(links)).not.toContain(orderToken)
  })

  it.each(Object.entries(OPERATIONS))('opens that order alone: %s', async (name, query) => {
    const { order } = await placedByGuest()
    const other = await placedByGuest()
    const accounts = await placed(shop, await makeUser(shop.em()), [line(await makeProduct(shop.em()))])
    const answerTo = async (id: string, asker: Asker) => {
      const { status, ...answer } = await ask(query, { id }, asker)
      return JSON.stringify(answer)
    }
    const nowhere = '0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c'
    for (const asker of [
      {},
      { orderToken: '' },
      { orderToken: 'A'.repeat(43) },
      { orderToken: other.orderToken },
      { account: await makeUser(shop.em(), { email: order.user.email }) },
    ] satisfies Asker[]) {
      const answer = await answerTo(order.id, asker)
      expect(answer).toBe(await answerTo(nowhere, asker))
      if (name !== 'node')
        expect(answer).toMatch('orderToken' in asker || 'account' in asker ? /NOT_FOUND|null/ : /UNAUTHENTICATED/)
      expect(await answerTo(accounts.id, asker)).toBe(answer)
    }
    if (name !== 'order' && name !== 'node')
      expect(outcome(await ask(query, { id: order.id }, { account: admin }))).toBe('NOT_FOUND')
  })

  it('opens nothing else: no list, no admin, no account', async () => {
    const { orderToken } = await placedByGuest()
    for (const query of ['{ myOrders { id } }', '{ orders { total } }', '{ orderStats { totalOrders } }'])
      expect(outcome(await ask(query, {}, { orderToken }))).toBe('UNAUTHENTICATED')
    expect((await ask('{ viewer { id } }', {}, { orderToken })).data).toEqual({ viewer: null })
  })
})

it('what a guest is answered is kept for nobody else', async () => {
  const busy = await openShop({ keepAnswersMs: 60_000 })
  try {
    const product = await makeProduct(busy.em())
    const lines = [line(product)]
    const left = async () =>
      (await busy.gql('query($id: ID!) { product(id: $id) { countInStock } }', { id: product.id })).data.product
    expect(await left()).toEqual({ countInStock: 10 })
    const json = { 'content-type': 'application/json' }
    const made = await busy.send(
      JSON.stringify({
        query: PLACE,
        variables: { input: { lines, shippingAddress: ADDRESS, guestEmail: newGuest() } },
      }),
      json,
    )
    const { order, orderToken } = ((await made.json()) as Answer<DataOf<typeof PLACE>>).data.placeOrder
    // Everybody sees the stock as it is after the order.
    expect(await left()).toEqual({ countInStock: 9 })
    const body = JSON.stringify({ query: OPERATIONS.order, variables: { id: order.id } })
    const answerTo = async (headers: object) =>
      (await busy.send(body, { ...json, ...headers })).json() as Promise<Answer>
    expect((await answerTo({ 'x-order-token': orderToken })).data).toEqual({ order: { id: order.id } })
    expect((await answerTo({})).errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
    const got = await fetch(
      `${busy.url}/graphql?${new URLSearchParams({ query: `{ order(id: "${order.id}") { id } }` })}`,
      {
        headers: { 'x-order-token': orderToken, 'apollo-require-preflight': 'yes' },
      },
    )
    expect(got.headers.get('cache-control')).toBe('no-store')
  } finally {
    await busy.close()
  }
})

it('is told of changes as they happen, with the token alone', async () => {
  const { order, orderToken } = await placedByGuest()
  const listen = (headers: object) =>
    fetch(`${shop.url}/graphql/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
      body: JSON.stringify({
        query: 'subscription($id: ID!) { orderChanged(id: $id) { status } }',
        variables: { id: order.id },
      }),
    })
  expect(await (await listen({})).text()).toContain('UNAUTHENTICATED')
  expect(await (await listen({ 'x-order-token': 'A'.repeat(43) })).text()).toContain('NOT_FOUND')
  const stream = await listen({ 'x-order-token': orderToken })
  const reader = present(stream.body).pipeThrough(new TextDecoderStream()).getReader()
  let heard = ''
  const cancelled = (async () => {
    while (!heard.includes('CANCELLED')) {
      const { value, done } = await reader.read()
      if (done) break
      heard += value
    }
    await reader.cancel()
  })()
  // The change arrives as an event or with the first result, whichever comes first.
  await ask(OPERATIONS.cancelOrder, { id: order.id }, { orderToken })
  await cancelled
  expect(heard).toContain('CANCELLED')
})

describe('what a guest may set aside', () => {
  let strict: TestShop
  beforeAll(async () => {
    strict = await openShop({ holdLimits: HOLD_LIMITS, trustProxy: 1 })
  })
  afterAll(() => strict?.close())

  async function order(guestEmail: string, quantity = 1, from?: string) {
    const lines = [line(await makeProduct(strict.em(), { countInStock: 1_000 }), quantity)]
    const input = { lines, shippingAddress: ADDRESS, guestEmail }
    return outcome(await ask(PLACE, { input }, {}, { of: strict, ...(from && { from }) }))
  }

  it('is three orders with one email, however it is spelled, and however many are placed at once', async () => {
    const email = newGuest()
    const spellings = [email, email.toUpperCase(), ` ${email}`, email, email.toUpperCase()]
    const codes = await Promise.all(spellings.map(spelling => order(spelling)))
    expect(codes.toSorted()).toEqual(['TOO_MANY_UNPAID_ORDERS', 'TOO_MANY_UNPAID_ORDERS', 'ok', 'ok', 'ok'])
    expect(await order(newGuest())).toBe('ok')
  })

  it('is fifty units with one email', async () => {
    const email = newGuest()
    expect(await order(email, 51)).toBe('TOO_MANY_UNITS_HELD')
    expect([await order(email, 30), await order(email, 30)]).toEqual(['ok', 'TOO_MANY_UNITS_HELD'])
  })

  it('is half of what there is of a product beyond twenty units', async () => {
    const product = await makeProduct(strict.em(), { countInStock: 60 })
    const input = { lines: [line(product, 31)], shippingAddress: ADDRESS, guestEmail: newGuest() }
    expect(outcome(await ask(PLACE, { input }, {}, { of: strict }))).toBe('TOO_MANY_UNITS_HELD')
  })

  it('is, with any number of emails, what its network may', async () => {
    const from = newNetwork()
    const codes = []
    for (let placed = 0; placed <= HOLD_LIMITS.ordersPerAddress; placed++) codes.push(await order(newGuest(), 1, from))
    expect(codes.pop()).toBe('TOO_MANY_UNPAID_ORDERS')
    expect(new Set(codes)).toEqual(new Set(['ok']))
  })

  it('is tried twenty times an hour with one email, from everywhere', async () => {
    const input = { lines: [], shippingAddress: ADDRESS, guestEmail: newGuest() }
    const codes = []
    for (let tries = 0; tries <= 20; tries++) codes.push(outcome(await ask(PLACE, { input })))
    expect(codes.pop()).toBe('RATE_LIMITED')
    expect(new Set(codes)).toEqual(new Set(['CART_EMPTY']))
  })
})

describe('a code that works once for everybody', () => {
  const withCode = async (code: string, asker: { guestEmail: string } | { account: Account }) => {
    const lines = [line(await makeProduct(shop.em()))]
    const { account, ...guest } = { account: undefined, ...asker }
    const answer = await ask(
      PLACE,
      { input: { lines, shippingAddress: ADDRESS, code, ...guest } },
      account ? { account } : {},
    )
    return outcome(answer)
  }

  it('does so for an email, as a guest or with an account', async () => {
    const email = newGuest()
    expect(await withCode('CASTON15', { guestEmail: email })).toBe('ok')
    expect(await withCode('CASTON15', { guestEmail: email.toUpperCase() })).toBe('CODE_USED_BY_YOU')
    const account = await makeUser(shop.em(), { email, emailVerifiedAt: null })
    expect(await withCode('CASTON15', { account })).toBe('CODE_USED_BY_YOU')
    expect(await withCode('CASTON15', { guestEmail: newGuest() })).toBe('ok')

    const nell = await makeUser(shop.em())
    expect(await withCode('CASTON15', { account: nell })).toBe('ok')
    expect(await withCode('CASTON15', { guestEmail: nell.user.email })).toBe('CODE_USED_BY_YOU')
  })

  it('does so however many orders ask for it at once', async () => {
    const email = newGuest()
    const account = await makeUser(shop.em(), { email })
    const codes = await Promise.all(
      [0, 1, 2, 3].map(each => withCode('CASTON15', each % 2 ? { account } : { guestEmail: email })),
    )
    expect(codes.toSorted()).toEqual(['CODE_USED_BY_YOU', 'CODE_USED_BY_YOU', 'CODE_USED_BY_YOU', 'ok'])
  })

  it('is not for a first order when the email has paid one before', async () => {
    const { order, guestEmail } = await placedByGuest()
    await shop.em().execute('update orders set paid_at = now(), held_until = null where id = ?', [order.id])
    expect(await withCode('CASTON15', { guestEmail })).toBe('CODE_FIRST_ORDER')
  })

  it('is for the guest alone it was sent to', async () => {
    const email = newGuest()
    const em = shop.em()
    const code = present(await em.transactional(tx => makeWelcomeCode(tx, { emailKey: emailKey(email), userId: null })))
    expect(await withCode(code, { guestEmail: newGuest() })).toBe('CODE_OF_ANOTHER')
    expect(await withCode(code, { guestEmail: email })).toBe('ok')
    expect(await withCode(code, { guestEmail: email })).toBe('CODE_USED_BY_YOU')
  })
})

it('the letter about a guest’s order has a link that opens it', async () => {
  const { order, orderToken, guestEmail } = await placedByGuest()
  const [letter] = await mailsTo(shop, guestEmail)
  expect(present(letter).text).toMatch(new RegExp(`^Hello ${ADDRESS.name},`))
  const token = tokenIn(present(letter))
  expect(token).not.toBe(orderToken)
  for (const each of [token, orderToken])
    expect(outcome(await ask(OPERATIONS.order, { id: order.id }, { orderToken: each }))).toBe('ok')
})

describe('an account with the guest’s email', () => {
  const orders = async (account: { token: string }) =>
    (await ask('{ myOrders { id user { userId isGuest } } }', {}, { account })).data.myOrders
  const register = async (email: string) =>
    (
      await ask('mutation($input: RegisterInput!) { register(input: $input) { token user { id } } }', {
        input: { name: 'Nell', email, password: 'knit one, purl two' },
      })
    ).data.register as { token: string; user: { id: string } }

  it('gets the orders once the email is confirmed, not before; their links go on opening them', async () => {
    const { order, orderToken, guestEmail } = await placedByGuest()
    const nobodys = await placedByGuest()
    const account = await register(guestEmail.toUpperCase())
    expect(await orders(account)).toEqual([])
    expect(outcome(await ask(OPERATIONS.order, { id: order.id }, { account }))).toBe('null')

    const confirmation = nth(await mailsTo(shop, guestEmail.toUpperCase()), 0)
    const confirmed = await ask(
      'mutation($token: String!) { confirmEmail(token: $token) { userErrors { code } } }',
      { token: tokenIn(confirmation) },
      { account },
    )
    expect(outcome(confirmed)).toBe('ok')
    expect(await orders(account)).toEqual([{ id: order.id, user: { userId: account.user.id, isGuest: false } }])
    expect(outcome(await ask(OPERATIONS.order, { id: order.id }, { orderToken }))).toBe('ok')
    expect(outcome(await ask(OPERATIONS.order, { id: nobodys.order.id }, { account }))).toBe('null')
  })
})
