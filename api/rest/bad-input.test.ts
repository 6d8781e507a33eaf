import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { z } from 'zod'
import {
  ADDRESS,
  approvedPayment,
  buyerDoes,
  capturePaypalOrder,
  captures,
  createPaypalOrder,
  line,
  placed,
  plan,
  readOrder,
  stockOf,
} from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import type { AnyCall } from './call.ts'
import { calls } from './calls.ts'
import { ProductLines } from './responses.ts'
import { lastOf, present } from '#schema/rules/present'

let shop: TestShop
let admin: Account
let nell: Account
beforeAll(async () => {
  shop = await openShop({ mail: { to: 'mailbox' } })
})
afterAll(() => shop?.close())
beforeEach(async () => {
  admin = await makeUser(shop.em(), { isAdmin: true })
  nell = await makeUser(shop.em())
})

interface Answer {
  status: number
  body: any
}

const JSON_TYPE = 'application/json'

async function send(
  method: string,
  path: string,
  body?: unknown,
  { as = nell, type = JSON_TYPE, ...more }: { as?: Account; type?: string | null; [header: string]: unknown } = {},
): Promise<Answer> {
  const response = await fetch(shop.url + path, {
    method,
    headers: {
      authorization: `Bearer ${as.token}`,
      ...(body !== undefined && type && { 'content-type': type }),
      ...(more as Record<string, string>),
    },
    ...(body !== undefined && {
      body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
    }),
  })
  const text = await response.text()
  expect([method, path, response.headers.get('content-type')]).toEqual([
    method,
    path,
    expect.stringContaining('application/json'),
  ])
  expect(text).not.toMatch(/node_modules|\.ts:\d|at async |select \*|insert into|INTERNAL_SERVER_ERROR/)
  const answer = JSON.parse(text)
  if (response.status >= 400) {
    expect(Object.keys(answer)).toEqual(['message', 'code'])
    // There are no variables over REST.
    expect(answer.message).not.toContain('Variable "$')
  }
  return { status: response.status, body: answer }
}

const expectStatus = async (answer: Promise<Answer>, label: unknown, ...statuses: number[]) => {
  const { status, body } = await answer
  expect([label, status, body]).toEqual([label, expect.toSatisfy(found => statuses.includes(found)), body])
}

describe('an order over REST', () => {
  const order = (product: { id: string }, more: object = {}) => ({
    orderItems: [{ product: product.id, quantity: 2 }],
    shippingAddress: ADDRESS,
    paymentMethod: 'PayPal',
    ...more,
  })
  const TRUE_FIGURES = { itemsPrice: 39.98, shippingPrice: 3, taxPrice: 6, totalPrice: 48.98 }

  test.each<[string, object]>([
    ['0', { itemsPrice: 0, shippingPrice: 0, taxPrice: 0, totalPrice: 0 }],
    ['less than nothing', { itemsPrice: -1, taxPrice: -1, shippingPrice: -100, totalPrice: -1 }],
    ['a cent', { itemsPrice: '0.01', totalPrice: '0.01' }],
    ['hardly anything', { itemsPrice: '1e-9', totalPrice: '1e-9' }],
    ['no number', { itemsPrice: 'free', totalPrice: {}, taxPrice: [], shippingPrice: null }],
    [
      'a price of its own',
      {
        orderItems: [
          {
            quantity: 2,
            price: 0.01,
            name: 'Gold',
            image: 'https://elsewhere.example/x.png',
            countInStock: 99,
            discount: 100,
          },
        ],
      },
    ],
  ])('costs what it costs, whatever the body says: %s', async (_what, tampered) => {
    const product = await makeProduct(shop.em(), { price: 1999 })
    const { orderItems: [item] = [{}] } = tampered as { orderItems?: object[] }
    const { status, body } = await send(
      'POST',
      '/api/orders',
      order(product, { ...tampered, orderItems: [{ product: product.id, quantity: 2, ...item }] }),
    )
    expect([status, body]).toMatchObject([
      201,
      { ...TRUE_FIGURES, orderItems: [{ name: product.name, image: product.image, price: 19.99, quantity: 2 }] },
    ])
    expect(await readOrder(shop, nell, body._id)).toMatchObject({ totalPrice: 4898, isPaid: false })
  })

  it('belongs to who sent it and is neither paid nor delivered, whatever the body says', async () => {
    const product = await makeProduct(shop.em())
    const past = '2020-01-01T00:00:00.000Z'
    const claims = {
      _id: admin.id,
      id: admin.id,
      user: admin.id,
      userId: admin.id,
      isPaid: true,
      paidAt: past,
      isDelivered: true,
      deliveredAt: past,
      createdAt: past,
      status: 'PAID',
      heldUntil: '2099-01-01',
      paymentResult: { status: 'COMPLETED' },
      number: 1,
    }
    const { status, body } = await send('POST', '/api/orders', order(product, claims))
    expect([status, body]).toMatchObject([
      201,
      { user: { _id: nell.id }, isPaid: false, paidAt: null, isDelivered: false, deliveredAt: null },
    ])
    expect(body._id).not.toBe(admin.id)
    expect(body.createdAt > past).toBe(true)
  })

  it.each([0, -1, 0.5, 1e9, 2_147_483_648, '1e400', '"1e1"', '" 2"', null, '"NaN"', [], {}, true, '', 1000, 11])(
    'of %j of something takes nothing',
    async quantity => {
      const product = await makeProduct(shop.em(), { countInStock: 10 })
      const body = `{"orderItems":[{"product":"${product.id}","quantity":${typeof quantity === 'string' ? quantity || '""' : JSON.stringify(quantity)}}],"shippingAddress":${JSON.stringify(ADDRESS)}}`
      await expectStatus(send('POST', '/api/orders', body), quantity, quantity === 11 || quantity === 1000 ? 409 : 400)
      expect(await stockOf(shop, product.id)).toEqual({ left: 10, ledger: 10, sold: 0 })
    },
  )

  it('cannot have more by naming a product twice', async () => {
    const product = await makeProduct(shop.em(), { countInStock: 3 })
    const twice = {
      orderItems: [
        { product: product.id, quantity: 2 },
        { _id: product.id.toUpperCase(), quantity: 2 },
      ],
    }
    await expectStatus(send('POST', '/api/orders', order(product, twice)), 'twice', 409)
    expect(await stockOf(shop, product.id)).toEqual({ left: 3, ledger: 3, sold: 0 })
  })

  it.each<[string, unknown, number]>([
    ['nothing', [], 400],
    [
      '51 things',
      Array.from({ length: 51 }, (_, index) => ({
        product: `0198f0c2-7a51-7c3e-9d55-${String(index).padStart(12, '0')}`,
        quantity: 1,
      })),
      400,
    ],
    ['something unknown', [{ product: '0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c', quantity: 1 }], 404],
    ['something without a name', [{ quantity: 1 }], 404],
    ['no list', { 0: { quantity: 1 } }, 400],
    ['a list in a list', [[{ quantity: 1 }]], 400],
  ])('of %s is refused', (what, orderItems, status) =>
    expectStatus(send('POST', '/api/orders', { orderItems, shippingAddress: ADDRESS }), what, status),
  )

  it('is not another one under the same key', async () => {
    const [product, other] = [await makeProduct(shop.em()), await makeProduct(shop.em())]
    const headers = { 'idempotency-key': 'the same' }
    const first = await send('POST', '/api/orders', order(product), headers)
    expect((await send('POST', '/api/orders', order(product), headers)).body._id).toBe(first.body._id)
    await expectStatus(send('POST', '/api/orders', order(other), headers), 'other contents', 422)
    expect((await send('POST', '/api/orders', order(product), { ...headers, as: admin })).body._id).not.toBe(
      first.body._id,
    )
    await expectStatus(
      send('POST', '/api/orders', order(product), { 'idempotency-key': 'k'.repeat(256) }),
      'a long key',
      400,
    )
  })
})

describe('a payment over REST', () => {
  const details = (id: unknown) => ({
    id,
    status: 'COMPLETED',
    update_time: '2026-11-21T12:00:00Z',
    payer: { email_address: 'nell@example.com' },
    purchase_units: [{ amount: { value: '0.01' } }],
    isPaid: true,
    amount: 1,
  })
  const unpaid = async () => {
    const order = await placed(shop, nell, [line(await makeProduct(shop.em()), 2)])
    return { order, path: `/api/orders/${order.id}/pay` }
  }

  it.each([
    {},
    details('5O190127TN364715T'),
    details('COMPLETED'),
    details(''),
    details(null),
    details({ $ne: null }),
    details(['x']),
    details(1),
    details('../../v1/oauth2/token'),
    { status: 'COMPLETED' },
    [],
    'null',
  ])('that nobody made is not believed: %j', async body => {
    const { order, path } = await unpaid()
    await createPaypalOrder(shop, nell, order.id)
    await expectStatus(send('PUT', path, body), body, 400, 402)
    expect(await readOrder(shop, nell, order.id)).toMatchObject({ isPaid: false, status: 'UNPAID' })
    expect(captures(shop)).toBe(0)
  })

  it.each([
    'wrong-amount',
    'unreadable-amount',
    'wrong-currency',
    'foreign-custom-id',
    'other-payee',
    'PENDING',
    'DECLINED',
  ])('that does not fit (%s) pays nothing', async scenario => {
    const { order, path } = await unpaid()
    const paypalId = await approvedPayment(shop, nell, order.id)
    await plan(shop, { capture: scenario })
    await expectStatus(send('POST', `/api/orders/${order.id}/paypal/${paypalId}/capture`), scenario, 402, 409)
    await expectStatus(send('PUT', path, details(paypalId)), scenario, 402, 409)
    expect(await readOrder(shop, nell, order.id)).toMatchObject({ isPaid: false, status: 'UNPAID' })
    shop.simulator.reset()
  })

  it('of another order is refused, 100 times at once, also that of another shopper', async () => {
    const { order } = await unpaid()
    const paypalId = await approvedPayment(shop, nell, order.id)
    expect((await capturePaypalOrder(shop, nell, order.id, paypalId)).userErrors).toEqual([])
    const { order: second, path } = await unpaid()
    const stranger = await makeUser(shop.em())
    const strangers = await placed(shop, stranger, [line(await makeProduct(shop.em()), 2)])
    const statuses = await Promise.all(
      Array.from(
        { length: 100 },
        async (_, index) =>
          (
            await (index % 2
              ? send('PUT', path, details(paypalId))
              : send('PUT', `/api/orders/${strangers.id}/pay`, details(paypalId), { as: stranger }))
          ).status,
      ),
    )
    expect([...new Set(statuses)]).toEqual([402])
    expect(await readOrder(shop, nell, second.id)).toMatchObject({ isPaid: false })
    expect(await readOrder(shop, stranger, strangers.id)).toMatchObject({ isPaid: false })
  })

  it('reported 100 times at once is one', async () => {
    const { order, path } = await unpaid()
    const paypalId = await approvedPayment(shop, nell, order.id)
    await send('POST', `/api/orders/${order.id}/paypal/${paypalId}/capture`)
    const answers = await Promise.all(Array.from({ length: 100 }, () => send('PUT', path, details(paypalId))))
    // On a slow machine some wait for each other too long, and are told to come back.
    const distinct = new Set(
      answers
        .filter(({ status }) => status !== 503)
        .map(({ status, body }) => `${status} ${body.isPaid} ${body.paidAt}`),
    )
    expect([...distinct]).toEqual([`200 true ${(await readOrder(shop, nell, order.id)).paidAt}`])
    expect(await shop.em().execute('select 1 from payments where order_id = ?', [order.id])).toHaveLength(1)
  })
})

type Path = (string | number)[]

/** Every place in an example where a client puts a value. */
function places(example: unknown, path: Path = []): { path: Path; value: unknown }[] {
  if (typeof example !== 'object' || example === null) return [{ path, value: example }]
  return Object.entries(example).flatMap(([key, value]) =>
    places(value, [...path, Array.isArray(example) ? Number(key) : key]),
  )
}

function put(target: unknown, [step, ...rest]: Path, value: unknown): unknown {
  const there = (target ?? {}) as Record<string | number, unknown>
  const changed = rest.length === 0 ? value : put(there[present(step)], rest, value)
  if (typeof step !== 'number') return { ...there, [present(step)]: changed }
  const list = Array.isArray(target) ? [...target] : []
  list[step] = changed
  return list
}

type Shape = z.core.JSONSchema.JSONSchema

/** Every place in a body that its example leaves out, with a value of its type. */
function placesLeftOut({ body, example }: AnyCall): { path: Path; value: unknown }[] {
  const whole = z.toJSONSchema(present(body), { io: 'input', unrepresentable: 'any' })
  const shown = new Set(places(example).map(({ path }) => path.join('.')))
  const leaves = (of: Shape, path: Path): { path: Path; value: unknown }[] => {
    const shape = of.$ref ? (present(whole.$defs)[lastOf(of.$ref.split('/'))] as Shape) : of
    if (shape.anyOf) return leaves(present((shape.anyOf as Shape[]).find(({ type }) => type !== 'null')), path)
    if (shape.type === 'array') return leaves(shape.items as Shape, [...path, 0])
    if (shape.properties)
      return Object.entries(shape.properties).flatMap(([name, each]) => leaves(each as Shape, [...path, name]))
    const value = { string: '', integer: 0, number: 0, boolean: false }[shape.type as string]
    return value === undefined || shown.has(path.join('.')) ? [] : [{ path, value }]
  }
  return leaves(whole, [])
}

const INJECTIONS = [
  `' or 1=1--`,
  `'; drop table users; --`,
  `') or pg_sleep(10)--`,
  `1; select pg_sleep(10)`,
  `$1`,
  `?`,
  `\\'; select 1 --`,
  `' union select password_hash from users--`,
  `{"$ne":null}`,
  '%',
  '${7*7}',
  '{{7*7}}',
]
const HOSTILE_TEXT = [
  ...INJECTIONS,
  '',
  'a\0b',
  '\ud800',
  '\ufeff\u202e\u200b',
  '🧶',
  'x'.repeat(10_000),
  '__proto__',
  '<script>alert(1)</script>',
]
const NO_TEXT: unknown[] = [{ $ne: null }, { $like: '%' }, { toString: 'x' }, [], ['a', 'b'], true, 5]
const NO_NUMBER: unknown[] = [
  { $gt: 0 },
  {},
  [],
  [5],
  [1, 2],
  true,
  '',
  ' ',
  null,
  'NaN',
  '1e2',
  '0x10',
  '5; drop table users',
]

const BOMB = gzipSync(' '.repeat(50_000_000))

const withBody = calls.filter(({ example }) => example)
const withId = calls.filter(({ path }) => path.includes(':'))
const nameOf = (call: AnyCall) => `${call.method} ${call.path}`
const somewhere = (path: string) => path.replaceAll(/:\w+/g, '0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c')

describe('every call', () => {
  const as = (call: AnyCall) => (call.access === 'admin' ? admin : nell)

  test.each(withBody.map(call => [nameOf(call), call] as const))(
    '%s takes no value of another type',
    async (_name, call) => {
      const shown = places(call.example)
      for (const { path, value } of [...shown, ...placesLeftOut(call)]) {
        const wrong: unknown[] =
          typeof value === 'number' ? NO_NUMBER : typeof value === 'boolean' ? ['true', 1, {}, [], null] : NO_TEXT
        // Fields that may be left out may also be null.
        const isShown = shown.some(place => place.path === path)
        await Promise.all(
          wrong
            .filter(each => isShown || each !== null)
            .map(each =>
              expectStatus(
                send(call.method, somewhere(call.path), put(call.example, path, each), { as: as(call) }),
                [path, each],
                400,
              ),
            ),
        )
      }
    },
  )

  const withNumbers = withBody.filter(({ example }) => places(example).some(({ value }) => typeof value === 'number'))
  test.each(withNumbers.map(call => [nameOf(call), call] as const))(
    '%s takes each number as text as well',
    async (_name, call) => {
      for (const { path, value } of places(call.example).filter(({ value }) => typeof value === 'number')) {
        // Well-formed, but about something that does not exist. Where lines are answered one by one, the line's answer says so.
        await expectStatus(
          send(call.method, somewhere(call.path), put(call.example, path, String(value)), { as: as(call) }),
          [path, value],
          call.answer === ProductLines ? 200 : 404,
        )
      }
    },
  )

  test.each(withBody.map(call => [nameOf(call), call] as const))(
    '%s answers hostile text clearly, at once, and does nothing else',
    async (_name, call) => {
      const texts = [...places(call.example), ...placesLeftOut(call)].filter(({ value }) => typeof value === 'string')
      for (const { path } of texts) {
        const start = performance.now()
        await Promise.all(
          HOSTILE_TEXT.map(async text => {
            // A new password ends the session that set it.
            const sender = call.path === '/api/users/profile' ? await makeUser(shop.em()) : as(call)
            await expectStatus(
              send(call.method, somewhere(call.path), put(call.example, path, text), { as: sender }),
              [path, text],
              200,
              201,
              400,
              401,
              402,
              403,
              404,
              409,
              429,
            )
          }),
        )
        expect(performance.now() - start).toBeLessThan(30_000)
      }
      expect((await shop.em().execute('select 1 from users')).length).toBeGreaterThan(0)
    },
  )

  test.each(withBody.map(call => [nameOf(call), call] as const))(
    '%s reads JSON and nothing else',
    async (_name, call) => {
      const path = somewhere(call.path)
      const whole = JSON.stringify(call.example)
      for (const body of [
        '{',
        `${whole}x`,
        `${whole}${whole}`,
        whole.replaceAll('"', `'`),
        whole.replace(/\}$/, ',}'),
        'null',
        '[]',
        '5',
        '"text"',
        '',
        `[${whole}]`,
        '{"a":NaN}',
        `/* */${whole}`,
        '\0',
        `${'['.repeat(40_000)}${']'.repeat(40_000)}`,
        whole.replace('{', '{"__proto__":{"isAdmin":true},'),
        whole.replace('{', '{"constructor":{"prototype":{"isAdmin":true}},'),
      ]) {
        await expectStatus(send(call.method, path, body, { as: as(call) }), body.slice(0, 60), 400)
      }
      expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined()
      for (const type of [
        'application/xml',
        'text/html',
        'application/x-www-form-urlencoded',
        'application/json\ta',
        'application/jsonp',
        'application/json, text/plain',
        'text/json',
        '*/*',
        'x',
        'application/json; charset=utf-7',
        'application/octet-stream',
        'text/plain',
        'application/graphql',
      ]) {
        await expectStatus(send(call.method, path, whole, { as: as(call), type }), type, 400, 415)
      }
      const form = await send(call.method, path, whole, { as: as(call), type: 'multipart/form-data; boundary=x' })
      expect([form.status, form.body.message]).toEqual([415, expect.stringContaining('application/json')])
      await expectStatus(
        send(call.method, path, new TextEncoder().encode(whole), { as: as(call), type: null }),
        'no type',
        415,
      )
    },
  )

  test.each(withBody.map(call => [nameOf(call), call] as const))(
    '%s unpacks no more than it would read',
    async (_name, call) => {
      const start = performance.now()
      await expectStatus(
        send(call.method, somewhere(call.path), BOMB, { as: as(call), 'content-encoding': 'gzip' }),
        'a bomb',
        413,
      )
      await expectStatus(
        send(call.method, somewhere(call.path), 'no gzip', { as: as(call), 'content-encoding': 'gzip' }),
        'a lie',
        400,
      )
      await expectStatus(
        send(call.method, somewhere(call.path), '{}', { as: as(call), 'content-encoding': 'yarn' }),
        'unknown',
        415,
      )
      await expectStatus(send(call.method, somewhere(call.path), ' '.repeat(200_000), { as: as(call) }), 'large', 413)
      expect(performance.now() - start).toBeLessThan(30_000)
    },
  )

  const NO_IDS = [
    'abc',
    '1',
    '-1',
    '507f1f77bcf86cd799439011',
    '0198F0C2-7A51-7C3E-9D55-0A3C5F7A1B2C',
    `' or 1=1--`,
    '%00',
    '%2e%2e%2fusers',
    '%F0%9F%A7%B6',
    '__proto__',
    'null',
    'x'.repeat(400),
    'x'.repeat(5_000),
    '%5B%5D',
    'undefined',
    '0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c%00',
    '{"$ne":null}',
  ]
  test.each(withId.map(call => [nameOf(call), call] as const))(
    '%s finds nothing by an id that is none',
    async (_name, call) => {
      for (const id of NO_IDS) {
        await expectStatus(
          send(call.method, call.path.replaceAll(/:\w+/g, id), call.example, { as: as(call) }),
          id.slice(0, 50),
          400,
          404,
        )
      }
    },
  )
})

describe('a list', () => {
  const VALUES = [
    '0',
    '-1',
    '-2147483649',
    'abc',
    '1e9',
    '1e20',
    '1.5',
    '',
    'NaN',
    'Infinity',
    '-Infinity',
    '0x10',
    '1e400',
    '%00',
    'null',
    '%EF%BC%91',
    '1;select pg_sleep(10)',
    '99999999999999999999',
    '[]',
    '1&pageNumber=2',
    'true',
    '%2B1',
    '%20',
  ]

  it.each(['/api/products', '/api/products/top-rated'])(
    'of %s has the nearest page for any page number',
    async path => {
      await makeProduct(shop.em())
      for (const value of VALUES) {
        const { status, body } = await send('GET', `${path}?pageNumber=${value}`)
        expect([value, status, body.page >= 1 && body.page <= body.pages, body.products.length > 0]).toEqual([
          value,
          200,
          true,
          true,
        ])
      }
    },
  )

  it.each(['/api/products', '/api/products/top-rated'])('of %s takes a keyword for a keyword', async path => {
    const name = `Ninety 100%_\\ Wool for ${path}`
    await makeProduct(shop.em(), { name })
    const names = async (query: string) =>
      (await send('GET', `${path}?${query}`)).body.products?.map(({ name }: { name: string }) => name)
    expect(await names(`keyword=${encodeURIComponent(name)}`)).toEqual([name])
    const all = (await send('GET', path)).body.products.length
    for (const keyword of [
      ...HOSTILE_TEXT.filter(text => text.isWellFormed()),
      '\\',
      '(',
      '%_',
      'a & b',
      ':*',
      '!',
      '<->',
    ]) {
      const { status, body } = await send('GET', `${path}?keyword=${encodeURIComponent(keyword)}`)
      expect([keyword.slice(0, 40), status, body.products.length <= all]).toEqual([keyword.slice(0, 40), 200, true])
    }
    for (const query of [
      'keyword=%ED%A0%80',
      'keyword=%ff',
      'keyword[$like]=%25',
      'keyword[]=a',
      'keyword=a&keyword=b',
      '__proto__=1',
      'constructor.prototype.x=1',
      `keyword=${'x'.repeat(10_000)}`,
    ]) {
      expect([query, (await send('GET', `${path}?${query}`)).status]).toEqual([query, 200])
    }
  })
})

describe('what is too large to read', () => {
  test.each<[string, string, Record<string, string>]>([
    ['a header', '/api/products', { 'x-large': 'x'.repeat(1_000_000) }],
    ['a token', '/api/users', { authorization: `Bearer ${'x'.repeat(1_000_000)}` }],
    ['an address', `/api/products?keyword=${'x'.repeat(1_000_000)}`, {}],
  ])('%s of a megabyte is refused, and the shop serves on', async (_what, path, headers) => {
    const start = performance.now()
    // Closing with unread data may look like a broken connection to the client.
    const status = await fetch(shop.url + path, { headers }).then(
      answer => answer.status,
      () => 'cut',
    )
    expect([431, 'cut']).toContain(status)
    // Long before the ten seconds that a slow client gets for its headers.
    expect(performance.now() - start).toBeLessThan(9_000)
    expect((await fetch(`${shop.url}/livez`)).status).toBe(200)
  })
})

it('a buyer who declines owes nothing', async () => {
  const order = await placed(shop, nell, [line(await makeProduct(shop.em()))])
  const { paypalOrderId } = await createPaypalOrder(shop, nell, order.id)
  await buyerDoes(shop, 'cancel', paypalOrderId)
  await expectStatus(send('PUT', `/api/orders/${order.id}/pay`, { id: paypalOrderId }), 'cancelled', 402)
})
