import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest'
import { hashPassword } from '../account/password.ts'
import { Cart } from '../cart/cart.entity.ts'
import { hashOf } from '../kernel/tokens.ts'
import { buyerDoes, line, placed } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type TestShop } from '../testing/shop.ts'
import type { AnyCall } from './call.ts'
import { calls, uploads } from './calls.ts'
import { credentials, IDS, mergedCart } from './examples.ts'
import type { OpenApi } from './docs-page.ts'
import type { postmanCollection } from './postman.ts'
import { present } from '#schema/rules/present'

let shop: TestShop
let document: OpenApi
const tokens = { shopper: '', leaving: '', admin: '' }
/** The example's order gets paid in these tests; this one can be cancelled. */
let unpaidId = ''

/** A shop that contains the things of the examples. */
beforeAll(async () => {
  shop = await openShop()
  const em = shop.em()
  const passwordHash = await hashPassword(credentials.password)
  const shopper = await makeUser(em, { id: IDS.user, ...credentials, passwordHash } as object)
  tokens.leaving = (await makeUser(em, { passwordHash })).token
  const product = await makeProduct(em, { id: IDS.product, name: 'Merino', countInStock: 90 })
  const { id } = await placed(shop, shopper, [line(product)])
  unpaidId = (await placed(shop, shopper, [line(product)])).id
  await em.transactional(async tx => {
    // Allows the id to change although other rows refer to it.
    await tx.execute('set local session_replication_role = replica')
    await tx.execute('update orders set id = ? where id = ?', [IDS.order, id])
    for (const table of ['order_items', 'stock_movements'])
      await tx.execute(`update ${table} set order_id = ? where order_id = ?`, [IDS.order, id])
  })
  em.create(Cart, { tokenHash: hashOf(mergedCart.cart), lines: [], changeKeys: [] })
  await em.flush()
  tokens.shopper = shopper.token
  tokens.admin = (await makeUser(em, { isAdmin: true })).token
  document = (await (await fetch(`${shop.url}/api/openapi.json`)).json()) as OpenApi
})
afterAll(() => shop?.close())

describe('the document', () => {
  it('is OpenAPI 3.1 and describes every call', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Skein', version: expect.any(String) },
      servers: [{ url: 'http://127.0.0.1' }],
    })
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
    )
    expect(described.toSorted()).toEqual(
      [...calls, ...uploads].map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`).toSorted(),
    )
  })

  it('names each operation once, and all parameters of its path', () => {
    const ids = Object.values(document.paths).flatMap(methods =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    expect(ids.filter((id, at) => ids.indexOf(id) < at)).toEqual([])
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const { parameters = [] } of Object.values(methods)) {
        expect(parameters.filter(each => each.in === 'path').map(({ name }) => `{${name}}`)).toEqual(
          path.match(/\{\w+\}/g) ?? [],
        )
      }
    }
  })

  it('names the idempotency key of every call that hands one on', () => {
    const key = 'a key of our own'
    for (const { method, path, input, query, body, example } of calls) {
      const asked = {
        params: IDS,
        query: query?.parse({}),
        body: example && body?.parse(example),
        file: null,
        token: null,
      }
      const handedOn = JSON.stringify(input({ ...asked, idempotencyKey: key })).includes(key)
      const described = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
      const names = described?.parameters?.some(({ name }) => name === 'Idempotency-Key') === true
      expect(names, `${method} ${path}`).toBe(handedOn)
    }
  })

  it('refers only to what is in it', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
      ([, name]) => present(name),
    )
    expect(references.length).toBeGreaterThan(50)
    expect(references.filter(name => !document.components.schemas[name])).toEqual([])
  })

  it('leaves nobody to guess which of several shapes it is', () => {
    const choices = [...JSON.stringify(document).matchAll(/"(?:oneOf|anyOf)":(\[.*?\}\])/g)].map(([, shapes]) =>
      present(shapes),
    )
    expect(choices.filter(shapes => !shapes.includes('{"type":"null"}'))).toEqual([])
  })

  it('says which errors a call answers', () => {
    expect(Object.keys(present(present(document.paths['/api/orders'])['post']).responses).toSorted()).toEqual([
      '201',
      '400',
      '401',
      '403',
      '404',
      '409',
      '413',
      '415',
      '422',
      '429',
      '503',
      '504',
      'default',
    ])
    expect(present(present(document.paths['/api/products'])['get']).security).toEqual([])
    expect(present(present(document.paths['/api/orders'])['get']).security).toEqual([{ bearer: [] }])
  })
})

it('is there as a collection for Postman, with every call and its example', async () => {
  const response = await fetch(`${shop.url}/api/postman.json`)
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="skein.postman_collection.json"')
  const collection = (await response.json()) as ReturnType<typeof postmanCollection>
  const requests = collection.item.flatMap(({ item }) => item.map(({ request }) => request))
  expect(requests.map(({ method, url }) => `${method} ${url.raw.replace('{{shop}}', '')}`).toSorted()).toEqual(
    [...calls, ...uploads].map(({ method, path }) => `${method} ${path}`).toSorted(),
  )
  const placing = requests.find(({ url, method }) => method === 'POST' && url.raw.endsWith('/api/orders'))
  expect(JSON.parse((present(placing).body as { raw: string }).raw)).toMatchObject({
    orderItems: [{ product: IDS.product }],
  })
})

describe('the page', () => {
  it('shows every call without any script', async () => {
    const response = await fetch(`${shop.url}/api/docs`)
    const page = await response.text()
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'nonce-[\w+/=]+';/)
    expect(page).not.toMatch(/<script|style=|https:\/\//)
    for (const { summary } of [...calls, ...uploads]) expect(page).toContain(summary)
  })
})

describe('every length and range is kept to', () => {
  interface Limited {
    type?: string | string[]
    properties?: Record<string, Limited>
    items?: Limited
    anyOf?: Limited[]
    maxLength?: number
    minimum?: number
    maximum?: number
  }
  type Place = (string | number)[]

  /** Values beyond the limits of a body, each with its place. */
  const beyond = (schema: Limited, at: Place = []): [Place, unknown][] => [
    ...(schema.maxLength === undefined ? [] : [[at, 'x'.repeat(schema.maxLength + 1)] as [Place, unknown]]),
    ...(schema.maximum === undefined ? [] : [[at, schema.maximum + 1] as [Place, unknown]]),
    ...(schema.minimum === undefined ? [] : [[at, schema.minimum - 1] as [Place, unknown]]),
    ...(schema.anyOf ?? []).flatMap(each => beyond(each, at)),
    ...(schema.items ? beyond(schema.items, [...at, 0]) : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, each]) => beyond(each, [...at, name])),
  ]
  const put = (value: unknown, [key, ...deeper]: Place, wrong: unknown): unknown => {
    if (key === undefined) return wrong
    if (typeof key === 'number') {
      const [first, ...others] = (value ?? []) as unknown[]
      return [put(first, deeper, wrong), ...others]
    }
    const object = (value ?? {}) as Record<string, unknown>
    return { ...object, [key]: put(object[key], deeper, wrong) }
  }

  test.each(calls.filter(({ body }) => body).map(call => [`${call.method} ${call.path}`, call] as const))(
    '%s',
    async (_title, call) => {
      const path = call.path.replace(/:(\w+)/g, '{$1}')
      const { parameters, requestBody } = present(present(document.paths[path])[call.method.toLowerCase()])
      const { schema, example } = present(present(requestBody).content['application/json'])
      const id = parameters?.find(({ name }) => name === 'id')?.example
      for (const [place, wrong] of beyond(schema as Limited)) {
        const response = await fetch(shop.url + path.replace('{id}', String(id)), {
          method: call.method,
          headers: {
            'content-type': 'application/json',
            ...(call.access !== 'anyone' && {
              authorization: `Bearer ${call.access === 'admin' ? tokens.admin : tokens.shopper}`,
            }),
          },
          body: JSON.stringify(put(example, place, wrong)),
        })
        const answer = (await response.json()) as { lines?: { errors: unknown[] }[] }
        const isRefused = response.status >= 400 || answer.lines?.[0]?.errors.length
        expect([place, wrong, isRefused ? 'refused' : answer]).toEqual([place, wrong, 'refused'])
      }
    },
  )
})

describe('every example is accepted', () => {
  // Calls that delete come last. The order is paid along the way.
  const inOrder = [...calls, ...uploads].toSorted(
    (a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'),
  )
  /** Replaces PayPal's id of the examples with the one that the shop opened. */
  let paypalId = ''
  let parcelId = ''
  let exportId = ''

  test.each(inOrder.map(call => [`${call.method} ${call.path}`, call] as const))('%s', async (_title, call) => {
    const response = await send(call)
    expect(response.status).toBe(call.status ?? 200)
    const answer = await response.json()
    expect(call.answer.safeParse(answer).error).toBeUndefined()
    if (call.path === '/api/exports') {
      exportId = (answer as { _id: string })._id
      await vi.waitFor(
        async () => expect(await shop.em().execute('select state from exports')).toEqual([{ state: 'DONE' }]),
        10_000,
      )
    }
    if (call.path.endsWith('/fulfilments')) parcelId = (answer as { _id: string })._id
    if (call.path.endsWith('/paypal') && call.method === 'POST') {
      paypalId = (answer as { id: string }).id
      await buyerDoes(shop, 'approve', paypalId)
    }
  })

  async function send(call: AnyCall): Promise<Response> {
    const operation = present(present(document.paths[call.path.replace(/:(\w+)/g, '{$1}')])[call.method.toLowerCase()])
    const made: Record<string, string> = { [IDS.paypal]: paypalId, [IDS.fulfilment]: parcelId, [IDS.export]: exportId }
    const real = (example: unknown) =>
      made[String(example)] ?? (call.path.endsWith('/cancel') ? unpaidId : String(example))
    const path = call.path.replace(/:(\w+)/g, (_, name) =>
      real(present(present(operation.parameters).find(each => each.name === name)).example),
    )
    const query = new URLSearchParams(
      (operation.parameters ?? [])
        .filter(each => each.in === 'query' && each.example !== undefined)
        .map(({ name, example }): [string, string] => [name, String(example)]),
    )
    const example = JSON.stringify(operation.requestBody?.content['application/json']?.example)?.replace(
      IDS.paypal,
      paypalId,
    )
    const form = new FormData()
    form.set(
      'image',
      new Blob([
        new Uint8Array(
          await sharp({ create: { width: 8, height: 8, channels: 3, background: '#246' } })
            .png()
            .toBuffer(),
        ),
      ]),
      'picture.png',
    )
    // Signing out would break the examples that follow.
    const as = call.path.endsWith('/logout')
      ? undefined
      : call.method === 'DELETE' && call.path === '/api/users/profile'
        ? tokens.leaving
        : call.access === 'admin'
          ? tokens.admin
          : tokens.shopper
    return fetch(`${shop.url}${path}?${query}`, {
      method: call.method,
      headers: { ...(as && { authorization: `Bearer ${as}` }), ...(example && { 'content-type': 'application/json' }) },
      ...(example ? { body: example } : uploads.includes(call) ? { body: form } : {}),
    })
  }
})
