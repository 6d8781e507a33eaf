import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { ask, REFUSED } from '../testing/admin.ts'
import { rootFields } from '../testing/gates/operations.ts'
import { line, placeOrder } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { SCOPES } from './scopes.ts'

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

const KEY = 'id name start scopes account { id email } createdAt lastUsedAt revokedAt'
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
    expect(Date.now() - Date.parse(listed.lastUsedAt)).toBeLessThan(10_000)
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
    ['for nobody', { name: 'x', scopes: ['ADMIN'], accountId: 'x' }, 'NOT_FOUND'],
  ])('%s is not made', async (_what, input, code) => {
    expect((await ask(shop, admin, CREATE, { input })).createApiKey).toMatchObject({
      apiKey: null,
      secret: null,
      userErrors: [{ code }],
    })
  })
})

describe('a scope', () => {
  // Which scope opens what is in access-matrix.ts.
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

it('a shop that runs only its own operations runs those of keys', async () => {
  const strict = await openShop({ persistedOnly: true })
  try {
    const owner = await makeUser(strict.em(), { isAdmin: true })
    const { data } = await strict.gql(CREATE, { input: { name: 'Partner', scopes: ['READ_CATALOGUE'] } }, owner)
    expect((await strict.gql('{ shop { name currency } }', {}, { token: data.createApiKey.secret })).status).toBe(200)
  } finally {
    await strict.close()
  }
})
