import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { ask, REFUSED } from '../testing/admin.ts'
import { rootFields } from '../testing/gates/operations.ts'
import { line, placeOrder } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { SCOPES } from './scopes.ts'
import { nth, present } from '#schema/rules/present'

let shop: TestShop
let admin: Account
let shopper: Account
beforeAll(async () => {
  shop = await openShop()
  const em = shop.em()
  admin = await makeUser(em, { name: 'Ada', isAdmin: true })
  shopper = await makeUser(em, { name: 'Partner' })
})
afterAll(() => shop?.close())

const KEY =
  'id name start scopes account { id email } allowedAddresses createdAt expiresAt formerUntil lastUsedAt revokedAt'
const CREATE = `mutation($input: ApiKeyInput!) { createApiKey(input: $input) { apiKey { ${KEY} } secret ${REFUSED} } }`
const REVOKE = `mutation($id: ID!) { revokeApiKey(id: $id) { apiKey { ${KEY} } ${REFUSED} } }`
const LIST = `{ apiKeys { items { ${KEY} } total } }`

async function makeKey(scopes: string[], account: Account = shopper, name = 'Warehouse') {
  const {
    createApiKey: { apiKey, secret, userErrors },
  } = await ask(shop, admin, CREATE, { input: { name, scopes, accountId: account.id } })
  expect(userErrors).toEqual([])
  return { ...apiKey, token: secret as string } as {
    id: string
    token: string
    start: string
    scopes: string[]
    lastUsedAt: string | null
    revokedAt: string | null
  }
}

describe('a key', () => {
  it('is shown once, and kept as a hash', async () => {
    const key = await makeKey(['READ_CATALOGUE', 'READ_CATALOGUE'])
    expect(key.token).toMatch(/^sk_[\w-]{43}$/)
    expect(key.start).toBe(key.token.slice(0, 8))
    expect(key.scopes).toEqual(['READ_CATALOGUE'])
    const [row] = await shop.em().execute<[Record<string, string>]>('select * from api_keys where id = ?', [key.id])
    expect(JSON.stringify(row)).not.toContain(key.token)
    expect(row['key_hash']).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.stringify(await shop.gql(LIST, {}, admin))).not.toContain(key.token)
  })

  it('tells when it was used last, and works until it is revoked', async () => {
    const key = await makeKey(['READ_ORDERS'])
    expect(key.lastUsedAt).toBeNull()
    expect((await ask(shop, key, '{ viewer { id } }')).viewer.id).toBe(shopper.id)
    const listed = (await ask(shop, admin, LIST)).apiKeys.items.find(({ id }: { id: string }) => id === key.id)
    expect(Date.now() - Date.parse(present(listed).lastUsedAt)).toBeLessThan(10_000)
    for (let time = 0; time < 2; time++)
      expect((await ask(shop, admin, REVOKE, { id: key.id })).revokeApiKey).toMatchObject({
        apiKey: { revokedAt: expect.any(String) },
        userErrors: [],
      })
    expect(await shop.gql('{ viewer { id } }', {}, key)).toMatchObject({
      status: 401,
      errors: [{ message: 'This API key is unknown or was revoked.', extensions: { reason: 'INVALID_TOKEN' } }],
    })
  })

  it('ends with its account', async () => {
    const partner = await makeUser(shop.em())
    const key = await makeKey(['READ_ORDERS'], partner)
    await shop.em().execute('update users set closed_at = now() where id = ?', [partner.id])
    expect((await shop.gql('{ myOrders { id } }', {}, key)).status).toBe(401)
  })

  it('leaves a trace of who made and who ended it', async () => {
    const key = await makeKey(['READ_ORDERS', 'WRITE_ORDERS'], shopper, 'Traced')
    await ask(shop, admin, REVOKE, { id: key.id })
    await ask(shop, admin, REVOKE, { id: key.id })
    const { auditLog } = await ask(
      shop,
      admin,
      'query($id: ID) { auditLog(filter: { entityId: $id }) { items { actor { name } entity label action changes { field after } } } }',
      { id: key.id },
    )
    expect(auditLog.items).toEqual([
      { actor: { name: 'Ada' }, entity: 'API_KEY', label: 'Traced', action: 'REVOKED', changes: [] },
      {
        actor: { name: 'Ada' },
        entity: 'API_KEY',
        label: 'Traced',
        action: 'CREATED',
        changes: [
          { field: 'name', after: 'Traced' },
          { field: 'scopes', after: 'READ_ORDERS WRITE_ORDERS' },
          { field: 'account', after: shopper.user.email },
        ],
      },
    ])
  })

  test.each<[string, object, string]>([
    ['without a name', { name: ' ', scopes: ['ADMIN'] }, 'INVALID'],
    ['without a scope', { name: 'x', scopes: [] }, 'INVALID'],
    ['without saying whose account it acts for', { name: 'x', scopes: ['ADMIN'] }, 'INVALID'],
    ['that has ended already', { name: 'x', scopes: ['ADMIN'], expiresAt: '2026-01-01T00:00:00.000Z' }, 'INVALID'],
    ['for an address that is none', { name: 'x', scopes: ['ADMIN'], allowedAddresses: ['10.0.0.0/33'] }, 'INVALID'],
    ['for a name of an address', { name: 'x', scopes: ['ADMIN'], allowedAddresses: ['example.com'] }, 'INVALID'],
    ['for an address written short', { name: 'x', scopes: ['ADMIN'], allowedAddresses: ['127.1'] }, 'INVALID'],
    ['for nobody', { name: 'x', scopes: ['ADMIN'], accountId: 'x' }, 'NOT_FOUND'],
  ])('%s is not made', async (_what, input, code) => {
    expect((await ask(shop, admin, CREATE, { input })).createApiKey).toMatchObject({
      apiKey: null,
      secret: null,
      userErrors: [{ code }],
    })
  })
})

describe('a key that is bounded', () => {
  const asKey = (token: string) => shop.gql('{ viewer { id } }', {}, { token })
  const bounded = async (more: object) =>
    (
      await ask(shop, admin, CREATE, {
        input: { name: 'Bounded', scopes: ['READ_ORDERS'], accountId: shopper.id, ...more },
      })
    ).createApiKey
  const REFUSAL = (message: string) => ({
    status: 401,
    errors: [{ message, extensions: { reason: 'INVALID_TOKEN' } }],
  })

  it('ends by itself', async () => {
    const { apiKey, secret } = await bounded({ expiresAt: new Date(Date.now() + 3_600_000).toISOString() })
    expect((await asKey(secret)).status).toBe(200)
    await shop.em().execute(`update api_keys set expires_at = now() - interval '1 second' where id = ?`, [apiKey.id])
    expect(await asKey(secret)).toMatchObject(REFUSAL('This API key has expired.'))
  })

  it.each([
    [['203.0.113.7', '2001:db8::/48'], 401],
    [['203.0.113.0/24', '127.0.0.0/8'], 200],
    [['127.0.0.1'], 200],
    [['126.0.0.0/8'], 401],
    [[], 200],
  ])('comes from %j alone', async (allowedAddresses, status) => {
    const { apiKey, secret } = await bounded({ allowedAddresses })
    expect(apiKey.allowedAddresses).toEqual(allowedAddresses)
    const answer = await asKey(secret)
    expect(answer.status).toBe(status)
    if (status === 401) expect(answer).toMatchObject(REFUSAL('This API key may not be used from this address.'))
    const rest = await fetch(`${shop.url}/api/orders/my-orders`, { headers: { authorization: `Bearer ${secret}` } })
    expect(rest.status).toBe(status)
  })

  it('is named in the audit log by what was done with it', async () => {
    const { secret } = await bounded({ name: 'Price robot', scopes: ['WRITE_PRODUCTS'], accountId: admin.id })
    const product = await makeProduct(shop.em())
    const change =
      'mutation ($id: ID!, $price: Cents!) { patchProduct(id: $id, input: { price: $price }) { userErrors { code } } }'
    await ask(shop, { token: secret }, change, { id: product.id, price: 1234 })
    await ask(shop, admin, change, { id: product.id, price: 1235 })
    const { auditLog } = await ask(
      shop,
      admin,
      'query ($id: ID) { auditLog(filter: { entityId: $id }) { items { actor { name apiKeyName } } } }',
      { id: product.id },
    )
    expect(auditLog.items).toEqual([
      { actor: { name: 'Ada', apiKeyName: null } },
      { actor: { name: 'Ada', apiKeyName: 'Price robot' } },
    ])
  })
})

describe('a key’s secret', () => {
  const ROTATE = `mutation($id: ID!, $hours: Int!) { rotateApiKey(id: $id, overlapHours: $hours) { apiKey { ${KEY} } secret ${REFUSED} } }`
  const rotate = async (id: string, hours: number) => (await ask(shop, admin, ROTATE, { id, hours })).rotateApiKey
  const statusOf = async (token: string) => (await shop.gql('{ viewer { id } }', {}, { token })).status

  it('can be changed while the one before goes on working for some hours', async () => {
    const key = await makeKey(['READ_ORDERS'])
    const { apiKey, secret } = await rotate(key.id, 24)
    expect(apiKey).toMatchObject({ id: key.id, start: secret.slice(0, 8), formerUntil: expect.any(String) })
    expect([await statusOf(key.token), await statusOf(secret)]).toEqual([200, 200])
    await shop.em().execute(`update api_keys set former_until = now() - interval '1 second' where id = ?`, [key.id])
    expect([await statusOf(key.token), await statusOf(secret)]).toEqual([401, 200])
  })

  it('leaves two at most, and one when nothing is to overlap', async () => {
    const key = await makeKey(['READ_ORDERS'])
    const second = (await rotate(key.id, 24)).secret
    const third = (await rotate(key.id, 24)).secret
    expect(await Promise.all([key.token, second, third].map(statusOf))).toEqual([401, 200, 200])
    const fourth = await rotate(key.id, 0)
    expect(fourth.apiKey.formerUntil).toBeNull()
    expect(await Promise.all([second, third, fourth.secret].map(statusOf))).toEqual([401, 401, 200])
  })

  it('ends with its key, the one before too', async () => {
    const key = await makeKey(['READ_ORDERS'])
    const { secret } = await rotate(key.id, 24)
    await ask(shop, admin, REVOKE, { id: key.id })
    expect(await Promise.all([key.token, secret].map(statusOf))).toEqual([401, 401])
    expect(await rotate(key.id, 24)).toMatchObject({ secret: null, userErrors: [{ code: 'INVALID' }] })
  })

  it.each([-1, 169])('does not overlap for %i hours', async hours => {
    const key = await makeKey(['READ_ORDERS'])
    expect(await rotate(key.id, hours)).toMatchObject({ apiKey: null, userErrors: [{ field: ['overlapHours'] }] })
    expect(await statusOf(key.token)).toBe(200)
  })

  it('is the same for all, however many change it at the same time', async () => {
    const key = await makeKey(['READ_ORDERS'])
    const secrets = (await Promise.all(Array.from({ length: 5 }, () => rotate(key.id, 24)))).map(({ secret }) => secret)
    const working = await Promise.all(secrets.map(statusOf))
    expect(working.filter(status => status === 200)).toHaveLength(2)
  })
})

describe('a scope', () => {
  // access-matrix.ts says which scope opens what.
  it('is named for fields there are', () => {
    const fields = [...rootFields('Query'), ...rootFields('Mutation'), ...rootFields('Subscription')].map(
      ({ name }) => name,
    )
    expect(Object.keys(SCOPES).filter(name => !fields.includes(name))).toEqual([])
  })

  it('to write orders is enough to place one', async () => {
    const key = await makeKey(['WRITE_ORDERS'])
    const { order, userErrors } = await placeOrder(shop, { ...shopper, token: key.token }, [
      line(await makeProduct(shop.em())),
    ])
    expect([order.user.userId, userErrors]).toEqual([shopper.id, []])
  })
})

describe('a scope for less', () => {
  const set = async (key: { token: string }, line: object) =>
    shop.gql(
      'mutation($lines: [ProductLineInput!]!) { setProducts(lines: $lines) { lines { price } userErrors { code } } }',
      { lines: [line] },
      key,
    )

  it('changes prices, and nothing else of a product', async () => {
    const key = await makeKey(['WRITE_PRICES'], admin)
    const { id } = await makeProduct(shop.em())
    expect((await set(key, { id, price: 1999 })).data).toMatchObject({ setProducts: { lines: [{ price: 1999 }] } })
    const more = await set(key, { id, price: 1899, name: 'Renamed' })
    expect(more.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN', missing: ['WRITE_PRODUCTS'] } }])
    expect(
      (await set(await makeKey(['WRITE_PRODUCTS'], admin), { id, price: 1899, name: 'Renamed' })).errors,
    ).toBeUndefined()
  })

  it('changes and closes accounts of shoppers, and makes nobody an administrator', async () => {
    const em = shop.em()
    const key = await makeKey(['WRITE_CUSTOMERS'], admin)
    const [nell, boss] = [await makeUser(em), await makeUser(em, { isAdmin: true })]
    const update = (id: string, isAdmin: boolean, email = 'moved@example.com') =>
      shop.gql(
        `mutation($id: ID!, $input: UserInput!) { updateUser(id: $id, input: $input) { user { name } ${REFUSED} } }`,
        { id, input: { name: 'Nell', email, isAdmin } },
        key,
      )
    const close = (id: string) => shop.gql(`mutation($id: ID!) { deleteUser(id: $id) { ${REFUSED} } }`, { id }, key)
    const forbidden = [{ extensions: { code: 'FORBIDDEN', missing: ['ADMIN'] } }]
    expect((await update(nell.id, true)).errors).toMatchObject(forbidden)
    expect((await update(boss.id, true)).errors).toMatchObject(forbidden)
    expect((await update(boss.id, false)).errors).toMatchObject(forbidden)
    expect((await close(boss.id)).errors).toMatchObject(forbidden)
    expect((await update(nell.id, false)).data).toMatchObject({
      updateUser: { user: { name: 'Nell' }, userErrors: [] },
    })
    expect((await close(nell.id)).data).toMatchObject({ deleteUser: { userErrors: [] } })
    expect(await em.execute('select is_admin, closed_at from users where id = ?', [boss.id])).toEqual([
      { is_admin: true, closed_at: null },
    ])
  })
})

it('tells administrators how often each key was used, in vain too, and what it cost', async () => {
  const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string
  const key = await makeKey(['READ_CATALOGUE'])
  await ask(shop, key, '{ products { items { id } } }')
  expect((await shop.gql('{ viewer { id } }', {}, key)).errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }])
  const rest = (path: string) => fetch(shop.url + path, { headers: { authorization: `Bearer ${key.token}` } })
  expect((await rest('/api/products/top-rated')).status).toBe(200)
  expect((await rest('/api/orders/my-orders')).status).toBe(403)
  const usage = async () =>
    present(
      (await ask(shop, admin, '{ apiKeys { items { id usage { day calls errors cost } } } }')).apiKeys.items.find(
        ({ id }) => id === key.id,
      ),
    ).usage
  await expect
    .poll(usage, { timeout: 30_000, interval: 500 })
    .toEqual([{ day, calls: 4, errors: 2, cost: expect.any(Number) }])
  expect(nth(await usage(), 0).cost).toBeGreaterThanOrEqual(80)
}, 40_000)

it('a shop that runs only its own operations runs those of keys', async () => {
  const strict = await openShop({ persistedOnly: true })
  try {
    const owner = await makeUser(strict.em(), { isAdmin: true })
    const { data } = await strict.gql(
      CREATE,
      { input: { name: 'Partner', scopes: ['READ_CATALOGUE'], accountId: owner.id } },
      owner,
    )
    expect((await strict.gql('{ shop { name currency } }', {}, { token: data.createApiKey.secret })).status).toBe(200)
  } finally {
    await strict.close()
  }
})
