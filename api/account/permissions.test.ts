import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lastOf, nth } from '#schema/rules/present'
import { auditOf } from '../testing/admin.ts'
import { mailsTo, tokenIn } from '../testing/mail.ts'
import { bought, line, placed } from '../testing/purchase.ts'
import {
  makeKey,
  makeProduct,
  makeUser,
  openShop,
  type Account,
  type Identity,
  type TestShop,
} from '../testing/shop.ts'
import type { ApiScope } from '../generated/types.ts'
import { appointAdmin, hasAdmin } from './appoint-admin.ts'
import { ownersAddress } from './owners-address.ts'

let shop: TestShop
let owner: Account
beforeAll(async () => {
  shop = await openShop()
  owner = await makeUser(shop.em(), { name: 'Olive Owner', isAdmin: true })
})
afterAll(() => shop?.close())

const staff = (...limitedTo: ApiScope[]) => makeUser(shop.em(), { name: 'Pat Packer', isAdmin: true, limitedTo })
const inputOf = ({ user: { name, email, isAdmin } }: Account, changes: object = {}) => ({
  name,
  email,
  isAdmin,
  ...changes,
})

const UPDATE =
  'mutation($id: ID!, $input: UserInput!) { updateUser(id: $id, input: $input) { user { isAdmin permissions } userErrors { code message field } } }'
const update = (as: Account, of: Account, changes: object = {}, on = shop) =>
  on.gql(UPDATE, { id: of.id, input: inputOf(of, changes) }, as)
const done = async (answer: ReturnType<typeof update>) => (await answer).data.updateUser
const permissionsOf = async (who: Identity) =>
  (await shop.gql('{ viewer { permissions } }', {}, who)).data.viewer.permissions
const lacking = (...missing: ApiScope[]) => [{ extensions: { code: 'FORBIDDEN', missing } }]
const rest = (method: string, path: string, { token }: { token: string }, body?: object) =>
  fetch(shop.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })

describe('an administrator', () => {
  it('may do everything unless somebody says otherwise, and a shopper nothing of it', async () => {
    expect(await permissionsOf(owner)).toEqual(['ADMIN'])
    expect(await permissionsOf(await makeUser(shop.em()))).toEqual([])
  })

  it('is limited to what another allows, from the next request on', async () => {
    const pat = await makeUser(shop.em(), { isAdmin: true })
    const refund = () => shop.gql('{ orderStats { totalOrders } discountCodes { total } }', {}, pat)
    expect((await refund()).errors).toBeUndefined()
    expect(await done(update(owner, pat, { permissions: ['READ_ORDERS', 'FULFIL_ORDERS', 'READ_ORDERS'] }))).toEqual({
      user: { isAdmin: true, permissions: ['READ_ORDERS', 'FULFIL_ORDERS'] },
      userErrors: [],
    })
    expect(await permissionsOf(pat)).toEqual(['READ_ORDERS', 'FULFIL_ORDERS'])
    expect((await refund()).errors).toMatchObject([
      {
        message:
          'Your account lacks the permission MANAGE_DISCOUNTS. An administrator who may do everything can give it.',
        extensions: { code: 'FORBIDDEN', missing: ['MANAGE_DISCOUNTS'] },
      },
    ])
    expect((await shop.gql('{ orderStats { totalOrders } }', {}, pat)).errors).toBeUndefined()
  })

  it('keeps the limit when a program that knows of none changes the name, and loses it with the role', async () => {
    const pat = await staff('WRITE_PRODUCTS')
    expect((await done(update(owner, pat, { name: 'Patricia' }))).user).toEqual({
      isAdmin: true,
      permissions: ['WRITE_PRODUCTS'],
    })
    const { status } = await rest('PUT', `/api/users/${pat.id}`, owner, inputOf(pat, { name: 'Pat' }))
    expect([status, await permissionsOf(pat)]).toEqual([200, ['WRITE_PRODUCTS']])
    expect((await done(update(owner, pat, { isAdmin: false }))).user).toEqual({ isAdmin: false, permissions: [] })
    expect((await done(update(owner, pat, { isAdmin: true }))).user).toEqual({ isAdmin: true, permissions: ['ADMIN'] })
  })

  it('is told of permissions that will not do', async () => {
    const pat = await makeUser(shop.em())
    expect((await done(update(owner, pat, { permissions: ['READ_ORDERS'] }))).userErrors).toEqual([
      { code: 'INVALID', message: 'Only administrators have permissions.', field: ['permissions'] },
    ])
    expect((await done(update(owner, pat, { isAdmin: true, permissions: [] }))).userErrors).toEqual([
      { code: 'INVALID', message: 'Choose at least one thing.', field: ['permissions'] },
    ])
    expect((await update(owner, pat, { isAdmin: true, permissions: ['SWEEP_FLOORS'] })).errors).toHaveLength(1)
    expect(await permissionsOf(pat)).toEqual([])
  })

  it('leaves a line in the history', async () => {
    const pat = await makeUser(shop.em(), { isAdmin: true })
    await update(owner, pat, { permissions: ['READ_ORDERS', 'REFUND_ORDERS'] })
    await update(owner, pat, { permissions: ['ADMIN', 'READ_ORDERS'] })
    const [last, before] = await auditOf(shop, owner, pat.id)
    expect([before?.changes, last?.changes]).toEqual([
      [{ field: 'permissions', before: 'ADMIN', after: 'READ_ORDERS REFUND_ORDERS' }],
      [{ field: 'permissions', before: 'READ_ORDERS REFUND_ORDERS', after: 'ADMIN' }],
    ])
  })
})

describe('who packs orders', () => {
  it('packs and delivers everyone’s, over every door, and gives no money back', async () => {
    const [pat, nell] = [await staff('READ_ORDERS', 'FULFIL_ORDERS'), await makeUser(shop.em())]
    const product = await makeProduct(shop.em(), { countInStock: 20 })
    const [first, second] = [await bought(shop, nell, [line(product)]), await bought(shop, nell, [line(product)])]
    const { data } = await shop.gql(
      'mutation($id: ID!) { deliverOrder(id: $id) { order { isDelivered history { total } incidents { id } } userErrors { code } } }',
      { id: first.id },
      pat,
    )
    expect(data.deliverOrder).toMatchObject({ order: { isDelivered: true }, userErrors: [] })
    expect((await rest('GET', `/api/orders/packing-slips.pdf?ids=${second.id}`, pat)).status).toBe(200)
    expect((await rest('GET', `/api/orders/${second.id}/invoice.pdf`, pat)).status).toBe(200)
    expect((await rest('PUT', `/api/orders/${second.id}/deliver`, pat)).status).toBe(200)
    const refund = await shop.gql(
      'mutation($id: ID!) { refundOrder(orderId: $id, idempotencyKey: "packer") { userErrors { code } } }',
      { id: first.id },
      pat,
    )
    expect(refund.errors).toMatchObject(lacking('REFUND_ORDERS'))
    const [row] = await shop
      .em()
      .execute<{ refunded: number }[]>('select refunded_amount::int as refunded from orders where id = ?', [first.id])
    expect(row).toEqual({ refunded: 0 })
  })

  it('still shops like anyone else', async () => {
    const pat = await staff('FULFIL_ORDERS')
    const order = await placed(shop, pat, [line(await makeProduct(shop.em()))])
    const { data } = await shop.gql(
      'query($id: ID!) { order(id: $id) { id } myOrders { id } viewer { orders { edges { node { id } } } } }',
      { id: order.id },
      pat,
    )
    expect([
      data.order,
      ...data.myOrders,
      ...data.viewer.orders.edges.map(({ node }: { node: object }) => node),
    ]).toEqual([1, 2, 3].map(() => ({ id: order.id })))
  })
})

describe('who may not see orders', () => {
  it('finds none but their own, wherever they look', async () => {
    const [kim, nell] = [await staff('WRITE_PRODUCTS', 'READ_CUSTOMERS', 'READ_REPORTS'), await makeUser(shop.em())]
    const { id } = await placed(shop, nell, [line(await makeProduct(shop.em()))])
    const { data } = await shop.gql('query($id: ID!) { order(id: $id) { id } node(id: $id) { id } }', { id }, kim)
    expect(data).toEqual({ order: null, node: null })
    expect((await rest('GET', `/api/orders/${id}`, kim)).status).toBe(404)
    expect((await rest('GET', `/api/orders/${id}/invoice.pdf`, kim)).status).toBe(404)
    expect((await rest('GET', `/api/orders/packing-slips.pdf?ids=${id}`, kim)).status).toBe(403)
    const ofAccount = 'query($id: ID!) { user(id: $id) { orders { edges { node { id } } } } }'
    expect((await shop.gql(ofAccount, { id: nell.id }, kim)).errors).toMatchObject(lacking('READ_ORDERS'))
    const dashboard = '{ dashboard(period: DAY, count: 7) { ordersToDeliver { id } } }'
    expect((await shop.gql(dashboard, {}, kim)).errors).toMatchObject(lacking('READ_ORDERS'))
    const start = 'mutation($query: String!) { startExport(query: $query) { export { id } userErrors { code } } }'
    const orders = { query: '{ ordersConnection { edges { node { id } } } }' }
    expect((await shop.gql(start, orders, kim)).errors).toMatchObject(lacking('READ_ORDERS'))
  })
})

describe('who changes prices alone', () => {
  it('changes no more of a product', async () => {
    const [kim, product] = [await staff('WRITE_PRICES'), await makeProduct(shop.em())]
    const set = (changes: object) =>
      shop.gql(
        'mutation($lines: [ProductLineInput!]!) { setProducts(lines: $lines) { changed userErrors { code } } }',
        { lines: [{ id: product.id, ...changes }] },
        kim,
      )
    expect((await set({ price: 1234 })).data.setProducts).toMatchObject({ changed: 1, userErrors: [] })
    expect((await set({ name: 'Mine' })).errors).toMatchObject(lacking('WRITE_PRODUCTS'))
  })
})

describe('who looks after customers', () => {
  it('changes and closes accounts of shoppers, and leaves administrators’ alone', async () => {
    const [kim, nell, pat] = [await staff('WRITE_CUSTOMERS'), await makeUser(shop.em()), await staff('READ_ORDERS')]
    expect((await done(update(kim, nell, { name: 'Eleanor' }))).userErrors).toEqual([])
    for (const [target, changes] of [
      [nell, { isAdmin: true }],
      [pat, { name: 'Patricia' }],
      [pat, { permissions: ['ADMIN'] }],
      [kim, { permissions: ['ADMIN'] }],
      [owner, { email: 'mine@example.com' }],
    ] as const)
      expect((await update(kim, target, changes)).errors).toMatchObject(lacking('ADMIN'))
    const close = ({ id }: Account) =>
      shop.gql('mutation($id: ID!) { deleteUser(id: $id) { userErrors { code } } }', { id }, kim)
    expect((await close(pat)).errors).toMatchObject(lacking('ADMIN'))
    expect((await close(nell)).data.deleteUser.userErrors).toEqual([])
    expect(await permissionsOf(pat)).toEqual(['READ_ORDERS'])
  })
})

it('a key does no more than the limited administrator it acts for', async () => {
  const pat = await staff('READ_ORDERS')
  const key = await makeKey(shop.em(), pat, ['ADMIN'])
  expect((await shop.gql('{ orderStats { totalOrders } }', {}, key)).errors).toBeUndefined()
  expect((await shop.gql('{ discountCodes { total } }', {}, key)).errors).toMatchObject(lacking('MANAGE_DISCOUNTS'))
  const draft = await makeProduct(shop.em(), { publishedAt: null })
  expect((await shop.gql('query($id: ID!) { product(id: $id) { id } }', { id: draft.id }, key)).data.product).toBeNull()
})

it('an export’s link is refused to who may not see its contents any more', async () => {
  const pat = await staff('READ_CUSTOMERS')
  const nobody = '{ usersConnection(filter: { search: "nobody at all" }) { edges { node { name } } } }'
  const start = 'mutation($query: String!) { startExport(query: $query) { export { id } userErrors { code } } }'
  const { id } = (await shop.gql(start, { query: nobody }, pat)).data.startExport.export
  await update(owner, pat, { permissions: ['READ_ORDERS'] })
  const link = await shop.gql('mutation($id: ID!) { linkExport(id: $id) { path } }', { id }, pat)
  expect(link.errors).toMatchObject(lacking('READ_CUSTOMERS'))
})

describe('somebody who is invited', () => {
  const INVITE =
    'mutation($input: InviteInput!) { inviteUser(input: $input) { user { id isAdmin permissions emailVerified hasPassword } userErrors { code message field } } }'
  const SIGN_IN =
    'mutation($email: String!) { login(email: $email, password: "knit two together") { user { id permissions } userErrors { code } } }'
  let mailing: TestShop
  let host: Account
  beforeAll(async () => {
    mailing = await openShop({ mail: { to: 'mailbox' } })
    host = await makeUser(mailing.em(), { name: 'Olive Owner', isAdmin: true })
  })
  afterAll(() => mailing?.close())

  const invite = async (input: object) => (await mailing.gql(INVITE, { input }, host)).data.inviteUser
  const signInAs = async (email: string) => (await mailing.gql(SIGN_IN, { email })).data.login

  it('reads it in a letter, chooses a password by another, and may do what was chosen', async () => {
    const email = 'pat.packer@example.com'
    const made = await invite({ name: 'Pat', email, permissions: ['READ_ORDERS', 'FULFIL_ORDERS'] })
    expect(made).toEqual({
      user: {
        id: expect.any(String),
        isAdmin: true,
        permissions: ['READ_ORDERS', 'FULFIL_ORDERS'],
        emailVerified: true,
        hasPassword: false,
      },
      userErrors: [],
    })
    const letter = nth(await mailsTo(mailing, email), 0)
    expect(letter.subject).toBe('You work at Skein now')
    expect(letter.text).toContain('Olive Owner has opened an account for you')
    expect(letter.text).toContain('/forgot-password?redirect=admin')
    expect((await signInAs(email)).userErrors).toMatchObject([{ code: 'WRONG_CREDENTIALS' }])
    await mailing.gql('mutation($email: String!) { requestPasswordReset(email: $email) { mailbox } }', { email })
    const token = tokenIn(lastOf(await mailsTo(mailing, email, 2)))
    const { data } = await mailing.gql(
      'mutation($token: String!) { resetPassword(token: $token, password: "knit two together") { userErrors { code } } }',
      { token },
    )
    expect(data.resetPassword.userErrors).toEqual([])
    expect(await signInAs(email)).toEqual({
      user: { id: made.user.id, permissions: ['READ_ORDERS', 'FULFIL_ORDERS'] },
      userErrors: [],
    })
    expect(await auditOf(mailing, host, made.user.id)).toMatchObject([
      { action: 'CREATED', changes: [{ field: 'permissions', before: null, after: 'READ_ORDERS FULFIL_ORDERS' }] },
    ])
  })

  it('has the address, whoever typed it before', async () => {
    const squatter = await makeUser(mailing.em(), { email: 'kim@example.com', emailVerifiedAt: null })
    const { user } = await invite({ name: 'Kim', email: 'KIM@example.com', permissions: ['ADMIN'] })
    expect(user.permissions).toEqual(['ADMIN'])
    expect((await mailing.gql('{ viewer { id } }', {}, squatter)).errors).toHaveLength(1)
  })

  it('cannot be somebody who has an account', async () => {
    const nell = await makeUser(mailing.em())
    expect(await invite({ name: 'Nell', email: nell.user.email, permissions: ['READ_ORDERS'] })).toEqual({
      user: null,
      userErrors: [{ code: 'EMAIL_TAKEN', message: 'An account with this email already exists.', field: ['email'] }],
    })
    expect((await mailing.gql('{ viewer { permissions } }', {}, nell)).data.viewer.permissions).toEqual([])
  })

  it.each([
    ['name', { name: '' }],
    ['email', { email: 'pat' }],
    ['permissions', { permissions: [] }],
  ])('is nobody as long as the %s will not do', async (field, wrong) => {
    const right = { name: 'Pat', email: 'pat@example.com', permissions: ['READ_ORDERS'] }
    const { user, userErrors } = await invite({ ...right, ...wrong })
    expect([user, userErrors]).toMatchObject([null, [{ code: 'INVALID', field: [field] }]])
  })
})

describe('somebody always may do everything', () => {
  it('nobody limits themselves', async () => {
    await makeUser(shop.em(), { isAdmin: true })
    expect((await done(update(owner, owner, { permissions: ['READ_ORDERS'] }))).userErrors).toMatchObject([
      { code: 'LAST_ADMIN' },
    ])
    expect(await permissionsOf(owner)).toEqual(['ADMIN'])
  })

  it('when the last two limit each other at the same moment, one remains, whoever else is on the staff', async () => {
    const own = await openShop()
    try {
      await makeUser(own.em(), { isAdmin: true, limitedTo: ['READ_ORDERS'] })
      for (let round = 0; round < 10; round++) {
        await own.em().execute(`update users set limited_to = '{READ_ORDERS}'`)
        const [one, two] = [await makeUser(own.em(), { isAdmin: true }), await makeUser(own.em(), { isAdmin: true })]
        const limit = { permissions: ['READ_ORDERS'] }
        await Promise.all([update(one, two, limit, own), update(two, one, limit, own)])
        const [left] = await own
          .em()
          .execute<{ owners: number }[]>(
            'select count(*)::int as owners from users where is_admin and limited_to is null',
          )
        expect(left).toEqual({ owners: 1 })
      }
    } finally {
      await own.close()
    }
  })

  it('the shop’s own mail goes to one of them, and the command line makes one', async () => {
    const own = await openShop()
    try {
      const pat = await makeUser(own.em(), { isAdmin: true, limitedTo: ['READ_ORDERS'] })
      expect([await hasAdmin(own.em()), await ownersAddress(own.em(), {} as never)]).toEqual([false, null])
      const { user, became } = await appointAdmin(own.em(), { email: pat.user.email })
      expect([user.id, became, user.permissions]).toEqual([pat.id, 'promoted', ['ADMIN']])
      expect([await hasAdmin(own.em()), await ownersAddress(own.em(), {} as never)]).toEqual([true, pat.user.email])
      expect((await own.gql('{ viewer { id } }', {}, pat)).errors).toHaveLength(1)
      const [entry] = await own
        .em()
        .execute<{ changes: object[] }[]>(
          `select changes from audit_entries where action = 'UPDATED' and entity_id = ?`,
          [pat.id],
        )
      expect(nth(entry?.changes ?? [], 0)).toEqual({ field: 'permissions', before: 'READ_ORDERS', after: 'ADMIN' })
    } finally {
      await own.close()
    }
  })
})
