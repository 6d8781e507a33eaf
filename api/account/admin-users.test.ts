import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { ask, auditOf } from '../testing/admin.ts'
import { makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop({ pageSize: 3 })
  admin = await makeUser(shop.em(), { isAdmin: true, name: 'Ada Admin', email: 'ada@example.com' })
  await makeUser(shop.em(), { name: 'bert Bobbin', email: 'z@example.com' })
  await makeUser(shop.em(), { name: 'Cleo 100% Cotton', email: 'Cleo@example.com' })
  const { id } = await makeUser(shop.em(), { name: 'Dora Gone', email: 'dora@example.com', isAdmin: true })
  await shop.em().execute('update users set closed_at = now() where id = ?', [id])
  await makeUser(shop.em(), { name: 'Emil Edge', email: 'emil@example.com' })
})
afterAll(() => shop?.close())

const users = async (filter: object, sort?: object, page = 1) =>
  (
    await ask(
      shop,
      admin,
      'query($filter: UserFilter, $sort: UserSort, $page: Int) { users(filter: $filter, sort: $sort, page: $page) { page pages total items { name } } }',
      { filter, sort, page },
    )
  ).users
const names = async (filter: object, sort?: object) =>
  (await users(filter, sort)).items.map(({ name }: { name: string }) => name.split(' ')[0])

describe('the user table', () => {
  test.each([
    [{}, ['Emil', 'Cleo', 'bert']],
    [{ role: 'ADMIN' }, ['Ada']],
    [{ role: 'USER' }, ['Emil', 'Cleo', 'bert']],
    [{ search: 'EXAMPLE bobbin' }, ['bert']],
    [{ search: '100%' }, ['Cleo']],
    [{ search: '_' }, []],
    [{ search: 'dora' }, []],
    [{ search: '\0' }, []],
  ])('filtered by %j', async (filter, expected) => {
    expect(await names(filter)).toEqual(expected)
  })

  test.each([
    ['NAME', 'ASC', ['Ada', 'bert', 'Cleo']],
    ['EMAIL', 'ASC', ['Ada', 'Cleo', 'Emil']],
    ['ROLE', 'DESC', ['Ada', 'Emil', 'Cleo']],
    ['CREATED', 'ASC', ['Ada', 'bert', 'Cleo']],
  ])('sorted by %s %s', async (field, direction, expected) => {
    expect(await names({}, { field, direction })).toEqual(expected)
  })

  it('has pages and stats without closed accounts', async () => {
    expect(await users({}, undefined, 9)).toMatchObject({ page: 2, pages: 2, total: 4 })
    expect((await ask(shop, admin, '{ userStats { totalUsers adminUsers nonAdminUsers } }')).userStats).toEqual({
      totalUsers: 4,
      adminUsers: 1,
      nonAdminUsers: 3,
    })
  })
})

describe('the audit log of accounts', () => {
  const change = (id: string, input: object) =>
    ask(
      shop,
      admin,
      'mutation($id: ID!, $input: UserInput!) { updateUser(id: $id, input: $input) { userErrors { code } } }',
      { id, input },
    )

  it('keeps what an administrator changed, and never a password', async () => {
    const { id, user, token } = await makeUser(shop.em(), { name: 'Fay', email: 'fay@example.com' })
    await change(id, { name: 'Fay Fair Isle', email: user.email, isAdmin: true })
    await change(id, { name: 'Fay Fair Isle', email: user.email, isAdmin: true })
    await ask(
      shop,
      { token },
      'mutation($input: ProfileInput!) { updateProfile(input: $input) { userErrors { code } } }',
      { input: { name: 'Fay', email: user.email, password: 'a very secret word' } },
    )
    await ask(shop, admin, 'mutation($id: ID!) { deleteUser(id: $id) { userErrors { code } } }', { id })
    expect(await auditOf(shop, admin, id)).toMatchObject([
      { action: 'CLOSED', label: 'fay@example.com', actor: { name: 'Ada Admin' } },
      {
        action: 'UPDATED',
        actor: { userId: id, name: 'Fay Fair Isle' },
        changes: [{ field: 'name', before: 'Fay Fair Isle', after: 'Fay' }],
      },
      {
        action: 'UPDATED',
        actor: { name: 'Ada Admin' },
        changes: [
          { field: 'name', before: 'Fay', after: 'Fay Fair Isle' },
          { field: 'isAdmin', before: 'false', after: 'true' },
        ],
      },
    ])
    const written = JSON.stringify(await shop.em().execute('select * from audit_entries'))
    expect(written).not.toMatch(/secret word|argon2|password|token/i)
  })

  it('is rolled back with a change that is refused', async () => {
    const { id } = await makeUser(shop.em(), { name: 'Gil', email: 'gil@example.com' })
    expect(
      (await change(id, { name: 'Gil Gauge', email: 'ada@example.com', isAdmin: false })).updateUser.userErrors,
    ).toMatchObject([{ code: 'EMAIL_TAKEN' }])
    expect(
      (await change(admin.id, { name: 'Ada', email: 'ada@example.com', isAdmin: false })).updateUser.userErrors,
    ).toMatchObject([{ code: 'LAST_ADMIN' }])
    expect(await auditOf(shop, admin, id)).toEqual([])
    expect(await auditOf(shop, admin, admin.id)).toEqual([])
  })

  test.each([
    [{ entity: 'USER', action: 'CLOSED' }, 1],
    [{ entity: 'PRODUCT' }, 0],
    [{ actor: 'ADA' }, 2],
    [{ actor: '%' }, 0],
    [{ actorId: 'abc' }, 0],
    [{ entityId: '\0' }, 0],
    [{ from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' }, 0],
    [{ from: '2020-01-01T00:00:00Z' }, 3],
  ])('is filtered by %j', async (filter, total) => {
    expect(
      (
        await ask(
          shop,
          admin,
          'query($filter: AuditFilter) { auditLog(filter: $filter) { total page pages items { at id } } }',
          { filter },
        )
      ).auditLog,
    ).toMatchObject({ total, page: 1, pages: 1 })
  })
})
