import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { line, placed, readOrder } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())

const USER = 'id name email isAdmin'

async function updateUser(id: string, input: object, actor = admin) {
  return shop.gql(
    `mutation($id: ID!, $input: UserInput!) { updateUser(id: $id, input: $input) { user { ${USER} } userErrors { code field } } }`,
    { id, input },
    actor,
  )
}
async function closeUser(id: string, actor = admin) {
  return shop.gql(`mutation($id: ID!) { deleteUser(id: $id) { user { ${USER} } userErrors { code } } }`, { id }, actor)
}
const readUser = async (id: string) =>
  (await shop.gql(`query($id: ID!) { user(id: $id) { ${USER} } }`, { id }, admin)).data.user
const viewer = async (identity: Account) => (await shop.gql(`{ viewer { ${USER} } }`, {}, identity)).data.viewer
const inputOf = ({ user }: Account, changes: object = {}) => ({
  name: user.name,
  email: user.email,
  isAdmin: user.isAdmin,
  ...changes,
})

describe('an administrator', () => {
  it('changes another account, and the role counts from the next request', async () => {
    const nell = await makeUser(shop.em())
    expect(
      (await updateUser(nell.id, { name: 'Eleanor', email: 'eleanor@example.com', isAdmin: true })).data.updateUser,
    ).toEqual({ user: { id: nell.id, name: 'Eleanor', email: 'eleanor@example.com', isAdmin: true }, userErrors: [] })
    expect((await shop.gql('{ orderStats { totalOrders } }', {}, nell)).status).toBe(200)
    expect((await updateUser(nell.id, inputOf(nell))).data.updateUser.userErrors).toEqual([])
    expect((await shop.gql('{ orderStats { totalOrders } }', {}, nell)).status).toBe(403)
  })

  it.each([
    ['name', ''],
    ['name', 'n'.repeat(101)],
    ['email', 'nell'],
    ['email', 'n\0@example.com'],
  ])('is told that the %s %j will not do', async (field, value) => {
    const nell = await makeUser(shop.em())
    const { data } = await updateUser(nell.id, inputOf(nell, { [field]: value }))
    expect(data.updateUser.user).toBeNull()
    expect(data.updateUser.userErrors[0]).toEqual({ code: 'INVALID', field: [field] })
    expect(await readUser(nell.id)).toMatchObject({ name: nell.user.name, email: nell.user.email })
  })

  it('cannot give two accounts one address', async () => {
    const [nell, purl] = [await makeUser(shop.em()), await makeUser(shop.em())]
    expect(
      (await updateUser(nell.id, inputOf(nell, { email: purl.user.email.toUpperCase() }))).data.updateUser.userErrors,
    ).toMatchObject([{ code: 'EMAIL_TAKEN', field: ['email'] }])
  })

  it.each(['0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c', 'abc', ''])('finds nobody named %j', async id => {
    expect(await readUser(id)).toBeNull()
    expect((await updateUser(id, inputOf(admin, { email: 'nobody@example.com' }))).data.updateUser).toMatchObject({
      user: null,
      userErrors: [{ code: 'NOT_FOUND' }],
    })
    expect((await closeUser(id)).data.deleteUser).toMatchObject({ user: null, userErrors: [{ code: 'NOT_FOUND' }] })
  })
})

describe('closing an account', () => {
  it('ends its sessions at once, keeps its orders, and frees its address', async () => {
    const nell = await makeUser(shop.em())
    const order = await placed(shop, nell, [line(await makeProduct(shop.em()))])
    expect((await closeUser(nell.id)).data.deleteUser).toMatchObject({ user: { id: nell.id }, userErrors: [] })
    expect((await shop.gql('{ viewer { id } }', {}, nell)).errors).toMatchObject([
      { extensions: { reason: 'INVALID_TOKEN' } },
    ])
    expect(await readUser(nell.id)).toBeNull()
    expect(await readOrder(shop, admin, order.id)).toEqual(order)
    const again = await makeUser(shop.em(), { email: nell.user.email })
    expect(await readOrder(shop, again, order.id)).toBeNull()
  })

  it('is not undone by a second time', async () => {
    const nell = await makeUser(shop.em())
    await closeUser(nell.id)
    expect((await closeUser(nell.id)).data.deleteUser.userErrors).toMatchObject([{ code: 'NOT_FOUND' }])
  })
})

describe('there is always an administrator', () => {
  it('nobody closes or demotes themselves, not even with others around', async () => {
    await makeUser(shop.em(), { isAdmin: true })
    expect((await closeUser(admin.id)).data.deleteUser).toMatchObject({
      user: null,
      userErrors: [{ code: 'LAST_ADMIN' }],
    })
    expect((await updateUser(admin.id, inputOf(admin, { isAdmin: false }))).data.updateUser).toMatchObject({
      user: null,
      userErrors: [{ code: 'LAST_ADMIN' }],
    })
    expect(await viewer(admin)).toMatchObject({ isAdmin: true })
  })

  it('but changes their own name', async () => {
    expect((await updateUser(admin.id, inputOf(admin, { name: 'The Owner' }))).data.updateUser).toMatchObject({
      user: { name: 'The Owner', isAdmin: true },
      userErrors: [],
    })
  })

  it.each(['demote', 'close'] as const)(
    'when the last two %s each other at the same moment, one remains',
    async act => {
      const own = await openShop()
      try {
        for (let round = 0; round < 10; round++) {
          await own.em().execute('update users set is_admin = false')
          const [one, two] = [await makeUser(own.em(), { isAdmin: true }), await makeUser(own.em(), { isAdmin: true })]
          const strike = (actor: Account, target: Account) =>
            act === 'close'
              ? own.gql('mutation($id: ID!) { deleteUser(id: $id) { userErrors { code } } }', { id: target.id }, actor)
              : own.gql(
                  'mutation($id: ID!, $input: UserInput!) { updateUser(id: $id, input: $input) { userErrors { code } } }',
                  { id: target.id, input: inputOf(target, { isAdmin: false }) },
                  actor,
                )
          await Promise.all([strike(one, two), strike(two, one)])
          const [left] = await own
            .em()
            .execute<[{ admins: number }]>(
              'select count(*)::int as admins from users where is_admin and closed_at is null',
            )
          expect(left.admins).toBe(1)
        }
      } finally {
        await own.close()
      }
    },
  )
})

it('the administrator lists everyone who is not closed, newest first', async () => {
  const own = await openShop()
  try {
    const [owner, nell, purl] = [
      await makeUser(own.em(), { isAdmin: true }),
      await makeUser(own.em()),
      await makeUser(own.em()),
    ]
    await own.em().execute('update users set closed_at = now() where id = ?', [nell.id])
    const { data } = await own.gql('{ users { total items { id email isAdmin } } }', {}, owner)
    const items = [
      { id: purl.id, email: purl.user.email, isAdmin: false },
      { id: owner.id, email: owner.user.email, isAdmin: true },
    ]
    expect(data.users).toEqual({ total: 2, items })
  } finally {
    await own.close()
  }
})
