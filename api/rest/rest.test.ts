import { Agent, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import sharp from 'sharp'
import { makeProduct, makeUser, openShop, type TestShop } from '../testing/shop.ts'
import { present } from '#schema/rules/present'

let shop: TestShop
const tokens: Record<string, string> = {}
const ids: Record<string, string> = {}

const ADDRESS = {
  name: 'Nell',
  address: '1 Mill Lane',
  city: 'Asheville',
  state: 'NC',
  postalCode: '28801',
  country: 'US',
}
const YARN = {
  name: 'Moss',
  image: '/images/moss.webp',
  description: 'Green',
  weight: '50 g',
  length: '100 m',
  gauge: '20',
  knitting_needle: '4 mm',
  crochet_hook: '4 mm',
  recommended_care: 'Hand wash',
  content: 'Wool',
  category: 'DK',
  price: 12.5,
  countInStock: 7,
}

beforeAll(async () => {
  shop = await openShop()
  const em = shop.em()
  for (const [who, fields] of [
    ['owner', {}],
    ['other', {}],
    ['admin', { isAdmin: true }],
  ] as const) {
    const { token, id } = await makeUser(em, { name: who, ...fields })
    tokens[who] = token
    ids[who] = id
  }
  ids['product'] = (await makeProduct(em, { name: 'Madder', price: 2400, countInStock: 50 })).id
})
afterAll(() => shop?.close())

const placement = (quantity: number) => ({
  orderItems: [{ _id: ids['product'], quantity }],
  shippingAddress: ADDRESS,
  paymentMethod: 'PayPal',
  totalPrice: '0.01',
})

interface Answer extends Response {
  json(): Promise<any>
}

function rest(
  method: string,
  path: string,
  { as, body, headers = {} }: { as?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return fetch(shop.url + path, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(as && { authorization: `Bearer ${tokens[as]}` }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}

function uploadFile(content: Buffer, as?: string, field = 'image'): Promise<Answer> {
  const form = new FormData()
  form.append(field, new Blob([new Uint8Array(content)], { type: 'image/png' }), 'yarn.png')
  return fetch(`${shop.url}/api/uploads`, {
    method: 'POST',
    body: form,
    headers: as ? { authorization: `Bearer ${tokens[as]}` } : {},
  })
}

describe('shapes', () => {
  it('registers, signs in, changes the profile and signs out', async () => {
    const registered = await rest('POST', '/api/users', {
      body: { name: 'Rae', email: 'rae@example.com', password: 'knit one purl one' },
    })
    expect(registered.status).toBe(201)
    expect(await registered.json()).toEqual({
      _id: expect.any(String),
      name: 'Rae',
      email: 'rae@example.com',
      isAdmin: false,
      token: expect.any(String),
    })

    const login = await rest('POST', '/api/users/login', {
      body: { email: 'rae@example.com', password: 'knit one purl one' },
    })
    expect(login.status).toBe(200)
    tokens['rae'] = (await login.json()).token
    const profile = await rest('PUT', '/api/users/profile', {
      as: 'rae',
      body: { _id: ids['admin'], name: 'Rae R', email: 'rae@example.com', password: '', isAdmin: true },
    })
    expect(await profile.json()).toMatchObject({ name: 'Rae R', isAdmin: false, token: tokens['rae'] })
    await rest('POST', '/api/users/logout', { as: 'rae', headers: { 'content-type': 'application/json' } })
    expect((await rest('GET', '/api/orders/my-orders', { as: 'rae' })).status).toBe(401)

    // Only a mail tells that the address has an account.
    const again = await rest('POST', '/api/users', {
      body: { name: 'Rae', email: 'rae@example.com', password: 'knit one purl one' },
    })
    expect([again.status, Object.keys(await again.json())]).toEqual([201, ['_id', 'name', 'email', 'isAdmin', 'token']])
    const wrong = await rest('POST', '/api/users/login', { body: { email: 'rae@example.com', password: 'wrong' } })
    expect([wrong.status, await wrong.json()]).toEqual([
      401,
      { message: 'Invalid email or password.', code: 'WRONG_CREDENTIALS' },
    ])
  })

  it('tell all orders and accounts at once, or page by page, each with the address of the next', async () => {
    for (const path of ['/api/orders', '/api/users']) {
      const whole = await rest('GET', path, { as: 'admin' })
      const all = (await whole.json()) as { _id: string }[]
      expect(whole.headers.get('link')).toBeNull()
      const found: string[] = []
      for (let next: string | undefined = `${path}?pageSize=1`; next;) {
        const page = await rest('GET', next, { as: 'admin' })
        found.push(...((await page.json()) as { _id: string }[]).map(({ _id }) => _id))
        next = /^<http:\/\/127\.0\.0\.1(\S+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1]
      }
      expect(found).toEqual(all.map(({ _id }) => _id))
      expect((await rest('GET', `${path}?pageSize=0`, { as: 'admin' })).status).toBe(400)
    }
  })

  it('narrow and sort a list as the contract does', async () => {
    const em = shop.em()
    for (const [name, price, category] of [
      ['Narrow Dear', 3_000, 'DK'],
      ['Narrow Cheap', 1_000, 'DK'],
      ['Narrow Thick', 2_000, 'Bulky'],
    ] as const)
      await makeProduct(em, { name, price, category, length: '200 m', weight: '100 g', countInStock: 50 })
    const names = async (query: string) =>
      (await (await rest('GET', `/api/products?keyword=narrow&${query}`)).json()).products.map(({ name }: any) => name)
    expect(await names('weightClass=dk&sort=price')).toEqual(['Narrow Cheap', 'Narrow Dear'])
    expect(await names('weightClass=dk,bulky&sort=-price')).toEqual(['Narrow Dear', 'Narrow Thick', 'Narrow Cheap'])
    expect(await names('priceFrom=10.01&priceTo=20&metresFrom=200')).toEqual(['Narrow Thick'])
    for (const query of [
      'weightClass=heavy',
      'priceFrom=ten',
      'inStock=maybe',
      'needleMm=4,x',
      'sort=stock',
      'metresTo=-1',
    ])
      expect([query, (await rest('GET', `/api/products?${query}`)).status]).toEqual([query, 400])
  })

  it('lists products with the spec’s names and dollars', async () => {
    const { products, page, pages } = await (await rest('GET', '/api/products?keyword=madder&pageNumber=abc')).json()
    expect({ page, pages }).toEqual({ page: 1, pages: 1 })
    expect(products).toEqual([
      expect.objectContaining({
        _id: ids['product'],
        name: 'Madder',
        knitting_needle: '4.5 mm',
        crochet_hook: '5 mm',
        recommended_care: 'Hand wash',
        price: 24,
        rating: 0,
        numReviews: 0,
      }),
    ])
  })

  it('makes a placeholder, saves it and takes it off sale', async () => {
    const placeholder = await (await rest('POST', '/api/products', { as: 'admin' })).json()
    expect((await rest('GET', `/api/products/${placeholder._id}`)).status).toBe(404)
    const saved = await rest('PUT', `/api/products/${placeholder._id}`, {
      as: 'admin',
      body: { _id: placeholder._id, ...YARN },
    })
    expect(await saved.json()).toMatchObject({ _id: placeholder._id, ...YARN })
    expect(await (await rest('GET', `/api/products/${placeholder._id}`)).json()).toMatchObject({ ...YARN, reviews: [] })
    expect(await (await rest('GET', '/api/products?preview=true', { as: 'admin' })).json()).toEqual({
      totalProducts: expect.any(Number),
      lowStockCount: 1,
      outOfStockCount: expect.any(Number),
    })
    expect((await rest('DELETE', `/api/products/${placeholder._id}`, { as: 'admin' })).status).toBe(200)
    expect((await rest('GET', `/api/products/${placeholder._id}`)).status).toBe(404)
  })

  it('takes one review', async () => {
    const path = `/api/products/${ids['product']}/reviews`
    expect((await rest('POST', path, { as: 'other', body: { rating: 4, comment: 'Round.' } })).status).toBe(201)
    expect((await rest('POST', path, { as: 'other', body: { rating: 5, comment: 'Rounder.' } })).status).toBe(409)
    const { reviews, rating } = await (await rest('GET', `/api/products/${ids['product']}`)).json()
    expect(rating).toBe(4)
    expect(reviews).toEqual([
      {
        _id: expect.any(String),
        user: ids['other'],
        name: 'other',
        rating: 4,
        comment: 'Round.',
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        needle_mm: null,
        gauge: null,
        project: null,
        pictures: [],
        helpful: 0,
        answer: null,
      },
    ])
  })

  it('prices an order from the database, whatever the body says, once per idempotency key', async () => {
    const order = () =>
      rest('POST', '/api/orders', { as: 'owner', body: placement(2), headers: { 'idempotency-key': 'one' } })
    const [first, second] = [await order(), await order()]
    expect(first.status).toBe(201)
    const placed = await first.json()
    expect(placed).toMatchObject({
      user: { name: 'owner' },
      orderItems: [{ name: 'Madder', quantity: 2, price: 24, product: ids['product'] }],
      itemsPrice: 48,
      shippingPrice: 3,
      taxPrice: 7.2,
      totalPrice: 58.2,
      isPaid: false,
      paidAt: null,
      isDelivered: false,
      deliveredAt: null,
    })
    expect((await second.json())._id).toBe(placed._id)
    const soldOut = await rest('POST', '/api/orders', { as: 'owner', body: placement(900) })
    expect(soldOut.status).toBe(409)
  })

  it('pays through PayPal and delivers', async () => {
    const { _id } = await (await rest('POST', '/api/orders', { as: 'owner', body: placement(1) })).json()
    const { id } = await (await rest('POST', `/api/orders/${_id}/paypal`, { as: 'owner' })).json()
    expect(
      (await rest('PUT', `/api/orders/${_id}/pay`, { as: 'owner', body: { id, status: 'COMPLETED' } })).status,
    ).toBe(402)
    await fetch(`${shop.simulator.url}/__buyer/approve`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: id, fundingSource: 'paypal' }),
    })
    expect((await rest('POST', `/api/orders/${_id}/paypal/${id}/capture`, { as: 'owner' })).status).toBe(200)
    const paid = await rest('PUT', `/api/orders/${_id}/pay`, { as: 'owner', body: { id, status: 'COMPLETED' } })
    expect(await paid.json()).toMatchObject({ isPaid: true, paidAt: expect.stringMatching(/Z$/) })
    expect(await (await rest('PUT', `/api/orders/${_id}/deliver`, { as: 'admin' })).json()).toMatchObject({
      isDelivered: true,
    })
    expect((await rest('PUT', `/api/orders/${_id}/deliver`, { as: 'admin' })).status).toBe(409)
  })

  it('stores a picture', async () => {
    const png = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#822' } })
      .png()
      .toBuffer()
    const stored = await uploadFile(png, 'admin')
    expect(stored.status).toBe(201)
    const { image } = await stored.json()
    expect((await fetch(shop.url + image)).headers.get('content-type')).toBe('image/webp')
    expect((await uploadFile(png, 'admin', 'file')).status).toBe(400)
  })
})

describe('a refused upload', () => {
  test.each<[string, string, number, number]>([
    ['too large', 'image', 6, 413],
    ['in another field', 'file', 2, 400],
  ])('%s does not hold up the next request of its connection', async (_what, field, megabytes, status) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const send = (method: string, path: string, headers: Record<string, string>, body?: Buffer) =>
      new Promise<number>((resolve, reject) => {
        const sending = request(shop.url + path, { method, headers, agent }, response =>
          response.resume().on('end', () => resolve(present(response.statusCode))),
        )
        sending.on('error', reject).end(body)
      })
    const body = Buffer.concat([
      Buffer.from(`--b\r\ncontent-disposition: form-data; name="${field}"; filename="a.jpg"\r\n\r\n`),
      Buffer.alloc(megabytes * 1024 * 1024),
      Buffer.from('\r\n--b--\r\n'),
    ])
    expect(
      await send(
        'POST',
        '/api/uploads',
        { 'content-type': 'multipart/form-data; boundary=b', authorization: `Bearer ${tokens['admin']}` },
        body,
      ),
    ).toBe(status)
    expect(await send('GET', '/livez', {})).toBe(200)
    agent.destroy()
  })
})

describe('bad requests get JSON, never a 5xx', () => {
  test.each<[string, number, string, string, unknown, Record<string, string>]>([
    ['an unknown path', 404, 'GET', '/api/yarn', undefined, {}],
    ['a wrong method', 405, 'PATCH', '/api/products', undefined, {}],
    ['broken JSON', 400, 'POST', '/api/users/login', '{"email":', {}],
    ['a wrong content type', 415, 'POST', '/api/users/login', 'email=a', { 'content-type': 'application/x-yarn' }],
    ['an operator object', 400, 'POST', '/api/users/login', { email: { $like: '%' }, password: 'x' }, {}],
    ['an array for a body', 400, 'POST', '/api/users/login', [], {}],
    ['null for a body', 400, 'POST', '/api/users/login', 'null', {}],
    ['NUL in the email', 401, 'POST', '/api/users/login', { email: 'a\0@b.c', password: 'x' }, {}],
    ['a huge body', 413, 'POST', '/api/users/login', { email: 'x'.repeat(200_000), password: 'x' }, {}],
    ['an id that is none', 404, 'GET', '/api/products/1', undefined, {}],
    ['a repeated keyword', 200, 'GET', '/api/products?keyword=a&keyword=b', undefined, {}],
    ['a keyword with NUL', 200, 'GET', '/api/products?keyword=%00', undefined, {}],
    ['a broken escape', 400, 'GET', '/api/products/%E0%A4%A', undefined, {}],
    ['a prototype key', 400, 'POST', '/api/users/login', '{"__proto__":{"isAdmin":true}}', {}],
  ])('%s answers %i', async (_title, status, method, path, body, headers) => {
    const response = await rest(method, path, { body, headers })
    expect(response.headers.get('content-type')).toContain('application/json')
    const answer = await response.json()
    expect(response.status).toBe(status)
    if (status >= 400) expect(answer).toEqual({ message: expect.any(String), code: expect.any(String) })
  })
})
