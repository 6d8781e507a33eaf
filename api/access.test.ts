import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { line, placed } from './testing/purchase.ts'
import { call, documentFor, GUARDED_FIELDS, rootFields, type Root, type World } from './testing/operations.ts'
import { makeProduct, makeUser, openShop, type Account, type Answer, type Identity, type TestShop } from './testing/shop.ts'

let shop: TestShop
beforeAll(async () => { shop = await openShop() })
afterAll(() => shop?.close())

/** `ok`, `null` (nothing there, and no error), or the code of the error or refusal. */
type Outcome = string

const everyone = ['ok', 'ok', 'ok', 'ok'] as const
const signedIn = ['UNAUTHENTICATED', 'ok', 'ok', 'ok'] as const
const admins = ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'ok'] as const

/** Who may do what. "Owner" and "other" are shoppers; the order in the world is the owner's. */
const ACCESS: Record<Root, Record<string, readonly [visitor: Outcome, owner: Outcome, other: Outcome, admin: Outcome]>> = {
  Query: {
    shop: everyone,
    paypalConfig: everyone,
    node: everyone,
    products: everyone,
    productsConnection: everyone,
    topRatedProducts: everyone,
    customersAlsoViewed: everyone,
    product: everyone,
    quoteCart: everyone,
    viewer: ['null', 'ok', 'ok', 'ok'],
    order: ['UNAUTHENTICATED', 'ok', 'null', 'ok'],
    myOrders: signedIn,
    orders: admins,
    ordersConnection: admins,
    orderStats: admins,
    productStats: admins,
    adminProducts: admins,
    users: admins,
    user: admins,
    userStats: admins,
    auditLog: admins,
    apiKeys: admins,
    categories: admins,
    dashboard: admins,
    exportProducts: admins,
    orderCounts: admins,
    // There is no such import, which only an administrator learns. So with what follows.
    productImport: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'null'],
    productImports: admins,
    productImportTemplate: admins,
    reviews: admins,
  },
  Mutation: {
    register: everyone,
    login: ['WRONG_CREDENTIALS', 'WRONG_CREDENTIALS', 'WRONG_CREDENTIALS', 'WRONG_CREDENTIALS'],
    logout: everyone,
    subscribeToNewsletter: everyone,
    updateProfile: signedIn,
    createReview: signedIn,
    placeOrder: signedIn,
    createPaypalOrder: ['UNAUTHENTICATED', 'ok', 'NOT_FOUND', 'NOT_FOUND'],
    // The owner gets as far as PayPal's id, which is a made-up one here.
    capturePaypalOrder: ['UNAUTHENTICATED', 'PAYMENT_FAILED', 'NOT_FOUND', 'NOT_FOUND'],
    payOrder: ['UNAUTHENTICATED', 'PAYMENT_FAILED', 'NOT_FOUND', 'NOT_FOUND'],
    // The order is not paid, which only an administrator learns.
    deliverOrder: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_PAID'],
    refundOrder: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_PAID'],
    createProduct: admins,
    updateProduct: admins,
    deleteProduct: admins,
    updateUser: admins,
    deleteUser: admins,
    patchProduct: admins,
    createApiKey: admins,
    // There is no such key, which only an administrator learns.
    revokeApiKey: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND'],
    bulkUpdateProducts: admins,
    resolveAttention: admins,
    deliverOrders: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_PAID'],
    uploadPicture: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'FILE_UNREADABLE'],
    importProducts: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'FILE_UNREADABLE'],
    applyImport: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND'],
    undoImport: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND'],
    hideReview: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND'],
    restoreReview: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND'],
  },
}

async function makeWorld() {
  const em = shop.em()
  const [owner, other, admin, closed, expired, bystander] = [
    await makeUser(em), await makeUser(em), await makeUser(em, { isAdmin: true }), await makeUser(em, { isAdmin: true }), await makeUser(em, { isAdmin: true }), await makeUser(em),
  ]
  await em.execute('update users set closed_at = now() where id = ?', [closed.id])
  await em.execute(`update sessions set used_at = now() - interval '31 days' where user_id = ?`, [expired.id])
  const product = await makeProduct(em)
  const order = await placed(shop, owner, [line(product)])
  return { owner, other, admin, closed, expired, world: { productId: product.id, orderId: order.id, userId: bystander.id } satisfies World }
}

type Made = Awaited<ReturnType<typeof makeWorld>>

function outcomeOf(name: string, { data, errors }: Answer): Outcome {
  if (errors) return errors[0]!.extensions.code
  const result = data[name]
  if (result === null) return 'null'
  return result.userErrors?.[0]?.code ?? 'ok'
}

const STATUS: Record<string, number> = { UNAUTHENTICATED: 401, FORBIDDEN: 403 }

describe.each(['Query', 'Mutation'] as const)('%s', root => {
  it('has a rule for every field', () => {
    expect(Object.keys(ACCESS[root]).toSorted()).toEqual(rootFields(root).map(({ name }) => name).toSorted())
  })

  test.each(Object.entries(ACCESS[root]))('%s', async (name, [visitor, owner, other, admin]) => {
    const askers: [string, Outcome, (made: Made) => Identity][] = [
      ['a visitor', visitor, () => null],
      ['a closed account', visitor, ({ closed }) => closed],
      ['an expired session', visitor, ({ expired }) => expired],
      ['a token nobody has', visitor, () => ({ token: 'A'.repeat(43) })],
      ['garbage for a token', visitor, () => ({ token: `' or 1=1; --` })],
      ['the owner', owner, ({ owner }) => owner],
      ['another shopper', other, ({ other }) => other],
      ['an administrator', admin, ({ admin }) => admin],
    ]
    const seen: [string, Outcome, number][] = []
    // In one world: what the owner does is nothing to the other shopper, and the administrator, who deletes, comes last.
    const made = await makeWorld()
    for (const [who, , identity] of askers) {
      const answer = await call(shop, root, name, made.world, identity(made))
      seen.push([who, outcomeOf(name, answer), answer.status])
    }
    expect(seen).toEqual(askers.map(([who, outcome]) => [who, outcome, STATUS[outcome] ?? 200]))
  })
})

describe('someone else’s order', () => {
  const nowhere = '0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c'

  test.each([
    ['Query', 'order'],
    ['Mutation', 'createPaypalOrder'],
    ['Mutation', 'capturePaypalOrder'],
    ['Mutation', 'payOrder'],
  ] as const)('looks to %s.%s exactly like one that does not exist', async (root, name) => {
    const { other, world } = await makeWorld()
    const ask = (orderId: string, asker: Account) => call(shop, root, name, { ...world, orderId }, asker)
    const missing = await ask(nowhere, other)
    expect(await ask(world.orderId, other)).toEqual(missing)
    expect(await ask('abc', other)).toEqual(missing)
    expect(['null', 'NOT_FOUND']).toContain(outcomeOf(name, missing))
  })
})

describe('a field for administrators only', () => {
  it('is one of these', () => {
    expect(GUARDED_FIELDS.toSorted()).toEqual(['Order.history', 'Product.history'])
  })

  test.each([
    ['Product.history', 'query($productId: ID!) { product(id: $productId) { history { total } } }'],
    ['Order.history', 'query($orderId: ID!) { order(id: $orderId) { history { total } } }'],
  ])('%s is refused to shoppers', async (_field, query) => {
    const { owner, admin, world } = await makeWorld()
    const variables = query.includes('$orderId') ? { orderId: world.orderId } : { productId: world.productId }
    expect(await shop.gql(query, variables, null)).toMatchObject({ status: 401, errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] })
    expect(await shop.gql(query, variables, owner)).toMatchObject({ status: 403, errors: [{ extensions: { code: 'FORBIDDEN' } }] })
    const { status, errors } = await shop.gql(query, variables, admin)
    expect({ status, errors }).toEqual({ status: 200, errors: undefined })
  })
})

describe('what an account shows', () => {
  it('is its owner’s and the administrators’ business: nothing a visitor can read leads to an email address, a role or a password', () => {
    const open = Object.entries(ACCESS.Query).filter(([, [visitor]]) => visitor === 'ok')
    const documents = open.map(([name]) => documentFor('Query', name))
    expect(documents.join()).toContain('reviews')
    for (const document of documents) expect(document).not.toMatch(/email|password|token|isAdmin/i)
  })
})
