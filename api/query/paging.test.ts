import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask } from '../testing/admin.ts'
import { makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { MOST_COUNTED, MOST_FOUND } from './page-sizes.ts'
import { present } from '#schema/rules/present'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())

const ORDERS =
  'query($page: Int, $filter: OrderFilter, $sort: OrderSort) { orders(page: $page, filter: $filter, sort: $sort) { items { reference } page pages total totalIsExact } }'
const orders = async (variables: object = {}) => (await ask(shop, admin, ORDERS, variables)).orders

const counts = async (search: string | null) =>
  (
    await ask(
      shop,
      admin,
      'query($search: String) { orderCounts(search: $search) { countsAreExact all unpaid paid } }',
      { search },
    )
  ).orderCounts

const fill = (from: number, to: number) =>
  shop.em().execute(
    `insert into orders (id, user_id, user_name, user_email, shipping_address, payment_method, items_price, shipping_price, tax_price, total_price, created_at)
     select gen_random_uuid(), id, 'Nell no.' || n % 100, email, '{}', 'PayPal', 0, 0, 0, 0, timestamptz '2026-01-01' + n * interval '1 second'
     from users, generate_series(?::int, ?::int) n where users.id = ?`,
    [from, to, admin.id],
  )

it('counts to 10,000, says when there are more, and serves no page behind them', async () => {
  await fill(1, MOST_COUNTED)
  expect(await orders()).toMatchObject({ total: MOST_COUNTED, totalIsExact: true, pages: 834 })
  await fill(MOST_COUNTED + 1, MOST_COUNTED + 100)
  const last = await orders({ page: 9_999 })
  expect(last).toMatchObject({ total: MOST_COUNTED, totalIsExact: false, page: 834, pages: 834 })
  expect(last.items.length).toBeGreaterThan(0)
  // What comes after the last page can be reached with another order or a filter.
  const [first] = (await orders({ sort: { field: 'DATE', direction: 'ASC' } })).items
  expect(last.items.map(({ reference }) => reference)).not.toContain(present(first).reference)
  expect(await orders({ filter: { search: 'Nell no.77' } })).toMatchObject({ total: 101, totalIsExact: true })
  expect(await orders({ filter: { search: 'nobody' } })).toMatchObject({ total: 0, totalIsExact: true, pages: 1 })
})

it('counts 1,000 of what a search finds, says when there are more, and serves no page behind them', async () => {
  expect(await orders({ filter: { search: 'nell' }, page: 9_999 })).toMatchObject({
    total: MOST_FOUND,
    totalIsExact: false,
    page: 84,
    pages: 84,
  })
  expect(await orders({ filter: { search: ' ' } })).toMatchObject({ total: MOST_COUNTED })
})

it.each(['ASC', 'DESC'])(
  'has what is searched for on its pages, near the beginning of an order or far behind (%s)',
  async direction => {
    const found = await shop
      .em()
      .execute<{ reference: string }[]>(
        `select '#' || number as reference from orders where user_name like '%no.9%' order by lower(user_name) ${direction}, id ${direction}`,
      )
    expect(found.length).toBeGreaterThan(MOST_FOUND)
    for (const page of [1, 2, 40, 83]) {
      const { items } = await orders({ filter: { search: 'no.9' }, sort: { field: 'NAME', direction }, page })
      expect(items).toEqual(found.slice(12 * (page - 1), 12 * page))
    }
  },
)

it('counts 1,000 of what a search finds by status, says when there are more, and knows exactly how many there are in all', async () => {
  expect(await counts('nell')).toMatchObject({
    countsAreExact: false,
    all: MOST_FOUND,
    unpaid: MOST_FOUND,
    paid: 0,
  })
  expect(await counts('nell no.77')).toMatchObject({ countsAreExact: true, all: 101, unpaid: 101 })
  expect(await counts(null)).toMatchObject({
    countsAreExact: true,
    all: MOST_COUNTED + 100,
    unpaid: MOST_COUNTED + 100,
  })
})
