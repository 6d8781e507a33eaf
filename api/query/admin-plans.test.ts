import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { bestSellers } from '../dashboard/best-sellers.ts'
import { batchOf, SECTIONS } from '../account/export-account.ts'
import { hashPassword } from '../account/password.ts'
import { connect } from '../db/config.ts'
import { seed } from '../db/seed/seed.ts'
import { MARK_TOLD } from '../order/tell-expected.ts'
import { stockUp } from '../testing/bench/fill-products.ts'
import { fillOrders } from '../testing/bench/fill-orders.ts'
import { flat, notePlans, type Node, type PlansOf } from '../testing/plans.ts'
import { ADDRESS } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'

const ORDERS = 5_000
const DAY = 86_400_000
/** After everything here was made. */
const LATELY = new Date(Date.now() + DAY).toISOString()
const GROWING = [
  'orders',
  'order_items',
  'products',
  'reviews',
  'users',
  'audit_entries',
  'sales',
  'code_uses',
  'external_ids',
  'review_votes',
]
import { present } from '#schema/rules/present'

let shop: TestShop
let admin: Account
let plansOf: PlansOf

beforeAll(async () => {
  shop = await openShop()
  await seed(shop.em())
  await stockUp(shop.databaseUrl, ORDERS)
  await fillOrders(shop.databaseUrl, ORDERS)
  // The usual state: an order not paid within the hour lapses.
  await shop
    .em()
    .execute(
      'update orders set lapsed_at = null, cancelled_at = null where number = (select max(number) from orders where paid_at is null)',
    )
  await shop.em().execute('analyze orders')
  for (const [table, column] of Object.entries({ orders: 'order_id', products: 'product_id', users: 'user_id' }))
    await shop
      .em()
      .execute(`insert into external_ids (${column}, namespace, value) select id, 'erp', id::text from ${table}`)
  await shop
    .em()
    .execute(`insert into review_votes (review_id, user_id, created_at) select id, user_id, created_at from reviews`)
  await shop.em().execute(
    `insert into code_uses (order_id, discount_code_id, user_id, saved, taken_at)
     select o.id, d.id, o.user_id, 0, o.created_at from orders o, discount_codes d
     where d.code = 'CASTON15' and o.paid_at is not null and o.user_id is not null`,
  )
  await shop.em().execute('analyze external_ids, review_votes, code_uses')
  // More than are put in order once they are found.
  const own = await connect(shop.databaseUrl)
  await own.em
    .fork()
    .execute(`set statement_timeout = 0; update products set category = 'DK' where sku like 'LOT%'; analyze products`)
  await own.close()
  admin = await makeUser(shop.em(), { isAdmin: true })
  plansOf = notePlans(shop)
}, 300_000)
afterAll(() => shop?.close())

/** Whether a table that grows is read from end to end, by itself or by one of its indexes, which are called after it. */
const isWhole = (node: Node) =>
  node['Node Type'].endsWith('Seq Scan')
    ? GROWING.includes(node['Relation Name'] ?? '')
    : !node['Index Cond'] && GROWING.some(table => node['Index Name']?.startsWith(table))

/** Fails when a statement scans a whole table that grows. Returns the indexes that are used. */
async function indexesOf(query: string, variables: object): Promise<string> {
  const plans = await plansOf(query, variables, admin)
  for (const { query, nodes } of plans)
    expect(
      nodes.filter(node => node['Node Type'].endsWith('Seq Scan') && GROWING.includes(node['Relation Name'] ?? '')),
      query,
    ).toEqual([])
  return plans.flatMap(({ nodes }) => nodes.flatMap(node => node['Index Name'] ?? [])).join()
}

const listOf = (field: string, filter: string) =>
  `query ($filter: ${filter}, $sort: ${filter.replace('Filter', 'Sort')}) { ${field}(filter: $filter, sort: $sort) { total items { id } } }`
const ORDERS_LIST = listOf('orders', 'OrderFilter')
const PRODUCTS = listOf('adminProducts', 'AdminProductFilter')
const USERS = listOf('users', 'UserFilter')
const REVIEWS = listOf('reviews', 'ReviewFilter')

describe('among many orders, products, accounts and reviews', () => {
  it.each<[string, string, object, string]>([
    ['orders that were cancelled', ORDERS_LIST, { filter: { status: 'CANCELLED' } }, 'orders_cancelled'],
    ['orders that lapsed', ORDERS_LIST, { filter: { status: 'LAPSED' } }, 'orders_lapsed'],
    ['orders nobody paid', ORDERS_LIST, { filter: { status: 'UNPAID' } }, 'orders_unpaid'],
    ['orders to send', ORDERS_LIST, { filter: { status: 'TO_SEND' } }, 'orders_to_deliver'],
    ['orders ready at the shop', ORDERS_LIST, { filter: { status: 'TO_PICK_UP' } }, 'orders_to_pick_up'],
    ['orders that wait for pre-orders', ORDERS_LIST, { filter: { status: 'EXPECTED' } }, 'order_items_expected'],
    ['orders of one customer', ORDERS_LIST, { filter: { search: 'knitter400@' } }, 'orders_search'],
    ['an order by its number', ORDERS_LIST, { filter: { search: '#10400' } }, 'orders_search'],
    ['reviews of a word', REVIEWS, { filter: { search: 'knitter 4004' } }, 'reviews_search'],
    ['hidden reviews', REVIEWS, { filter: { hidden: true } }, 'reviews_hidden'],
    ['an account by its name', USERS, { filter: { search: 'knitter400@' } }, 'users_search'],
    ['administrators', USERS, { filter: { role: 'ADMIN' } }, 'users_admins'],
    ['a product by its SKU', PRODUCTS, { filter: { search: 'lot512' } }, 'products_sku_search'],
    ['products that are sold out', PRODUCTS, { filter: { stock: 'OUT' } }, 'products_by_stock'],
    ['products that are expected', PRODUCTS, { filter: { stock: 'EXPECTED' } }, 'products_expected'],
    ['drafts', PRODUCTS, { filter: { draft: true } }, 'products_drafts'],
    ['orders changed since an instant', ORDERS_LIST, { filter: { updatedFrom: LATELY } }, 'orders_changed'],
    ['accounts changed since an instant', USERS, { filter: { updatedFrom: LATELY } }, 'users_changed'],
    ['reviews changed since an instant', REVIEWS, { filter: { updatedFrom: LATELY } }, 'reviews_changed'],
  ])('%s are read by an index', async (_what, query, variables, index) => {
    expect(await indexesOf(query, variables)).toContain(index)
  })

  it('finds few before it puts them in order', async () => {
    const used = await indexesOf(ORDERS_LIST, { filter: { status: 'UNPAID' }, sort: { field: 'NAME' } })
    expect(used).toContain('orders_unpaid')
    expect(used).not.toContain('orders_by_name')
  })

  it.each<[string, object, string]>([
    ['a category by name', { filter: { category: 'DK' }, sort: { field: 'NAME' } }, 'products_by_name'],
    ['a category', { filter: { category: 'DK' } }, 'products_category'],
  ])('looks for the rows of a page of %s in an index before it reads them', async (_what, variables, index) => {
    const used = await indexesOf(PRODUCTS, variables)
    expect(used).toContain(index)
    expect(used).toContain('products_pkey')
  })

  it.each([
    ['products', PRODUCTS, 'lot', 'products_admin'],
    ['orders', ORDERS_LIST, 'knitter', 'orders_newest'],
    ['accounts', USERS, 'knitter', 'users_newest'],
    ['reviews', REVIEWS, 'knitter', 'reviews_newest'],
  ])(
    '%s of a word that many have are looked for in their order, not found and sorted',
    async (_what, query, search, index) => {
      const nodes = (await plansOf(query, { filter: { search } }, admin)).flatMap(plan => plan.nodes)
      expect(nodes.map(node => node['Index Name'] ?? '')).toContain(index)
    },
  )

  it.each([
    ['products', PRODUCTS, 'lot', 'products_by_name'],
    ['orders', ORDERS_LIST, 'knitter', 'orders_by_name'],
    ['accounts', USERS, 'knitter', 'users_by_name'],
  ])(
    '%s of a word are looked for near the beginning of an order, not all the way through it',
    async (_what, query, search, index) => {
      const variables = { filter: { search }, sort: { field: 'NAME' } }
      const looks = (await plansOf(query, variables, admin))
        .flatMap(plan => plan.nodes)
        .filter(node => node['Index Name'] === index)
      expect(looks).not.toEqual([])
      expect(looks.filter(node => /like|~~/.test(node.Filter ?? ''))).toEqual([])
    },
  )

  it.each(['PAID', 'DELIVERED'])(
    'what lapsed has no date of the field %s, and is sorted by that of the order',
    async field => {
      const listedBy = async (field: string) => {
        const sort = { field, direction: 'DESC' }
        const { data } = await shop.gql(ORDERS_LIST, { filter: { status: 'LAPSED' }, sort }, admin)
        return data
      }
      expect(await listedBy(field)).toEqual(await listedBy('DATE'))
    },
  )

  it.each([
    ['users', `lower(name || ' ' || email) like '%knitter%'`],
    ['products', `lower(sku) like '%lot%'`],
  ])('knows how many %s a common word finds', async (table, condition) => {
    const [{ 'QUERY PLAN': plan }] = await shop
      .em()
      .execute<[{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }]>(
        `explain (format json) select 1 from ${table} where ${condition}`,
      )
    expect(plan[0].Plan['Plan Rows']).toBeGreaterThan(ORDERS / 10)
  })

  it.each([
    ['DAY', 30],
    ['DAY', 365],
    ['WEEK', 52],
    ['MONTH', 12],
  ])('the best sellers of a time (%s, %i) are read by indexes', async (period, count) => {
    const query = `query ($period: DashboardPeriod!, $count: Int!) { dashboard(period: $period, count: $count) { bestSellers { productId } } }`
    expect(await indexesOf(query, { period, count })).toContain('product_sales_most')
  })

  it('the best sellers are found at the first look though many sold equally much', async () => {
    const em = shop.em()
    await em.transactional(async tx => {
      await tx.execute(
        'delete from product_sales s using product_sales later where later.product_id = s.product_id and later.day > s.day',
      )
      await tx.execute('update product_sales set units = 1')
      await tx.execute('delete from product_sales_totals')
      await tx.execute(
        'insert into product_sales_totals select days, product_id, 1 from product_sales_windows join product_sales on day >= since',
      )
      const looking = vi.spyOn(tx, 'execute')
      const [start, end] = [60, 30].map(days => new Date((Math.floor(Date.now() / DAY) - days) * DAY)) as [Date, Date]
      const found = await bestSellers(tx, { start, end })
      expect(looking).toHaveBeenCalledTimes(2)
      expect(found.map(({ units }) => units)).toEqual(Array.from({ length: 10 }, () => 1))
    })
  })

  it('new days of pre-orders are looked for among the lines that have one', async () => {
    const [{ 'QUERY PLAN': plan }] = await shop
      .em()
      .execute<[{ 'QUERY PLAN': [{ Plan: Node }] }]>(`explain (format json) ${MARK_TOLD}`, [200])
    const whole = flat(plan[0].Plan).filter(isWhole)
    expect(whole.map(node => node['Index Name'])).toEqual(['order_items_expected_untold'])
  })
})

describe('what programs change one after the other', () => {
  const REFUSED = '{ userErrors { code } }'

  it.each([
    ['prices', `setProducts(lines: [{ sku: "LOT512", price: 999 }, { id: $product, price: 998 }]) ${REFUSED}`],
    ['stocks', `adjustStock(lines: [{ sku: "LOT512", delta: 1 }]) ${REFUSED}`],
    ['what a product is called elsewhere', `annotateProduct(id: $product, input: { externalIds: $ids }) ${REFUSED}`],
    ['what an order is called elsewhere', `annotateOrder(id: $order, input: { externalIds: $ids }) ${REFUSED}`],
    ['what an account is called elsewhere', `annotateUser(id: $user, input: { externalIds: $ids }) ${REFUSED}`],
  ])('%s are found by indexes', async (_what, mutation) => {
    const [ids] = await shop.em().execute<[object]>(
      `select (select id from products where sku = 'LOT513') as product, (select min(id::text) from orders) as order,
         (select min(id::text) from users where not is_admin) as user`,
    )
    const used = ['product', 'order', 'user', 'ids'].filter(name => mutation.includes(`$${name}`))
    const declared = used.map(name => `$${name}: ${name === 'ids' ? '[ExternalIdInput!]' : 'ID!'}`).join(', ')
    const query = `mutation ${declared && `(${declared})`} { ${mutation} }`
    const plans = await plansOf(query, { ...ids, ids: [{ namespace: 'erp', value: 'another' }] }, admin)
    for (const { query, nodes } of plans) expect(nodes.filter(isWhole), query).toEqual([])
  })
})

describe('a code that many have used', () => {
  const PLACE = `mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id } userErrors { code } } }`
  let lines: object[]

  beforeAll(async () => {
    const em = shop.em()
    await em.execute(
      `update orders set user_id = null, guest_key = 'guest' || number || '@example.com' where paid_at is null`,
    )
    await em.execute('analyze orders')
    const { id } = await makeProduct(em, { countInStock: 10 })
    lines = [{ productId: id, quantity: 1 }]
  })

  it.each(['a shopper', 'a guest'])('is counted by its uses of %s alone', async who => {
    const account = who === 'a shopper' ? await makeUser(shop.em()) : null
    const guestEmail = account ? null : 'gwen@example.com'
    const input = { lines, code: 'CASTON15', shippingAddress: ADDRESS, guestEmail }
    const plans = await plansOf(PLACE, { input }, account)
    const counting = plans.flatMap(({ nodes }) => nodes).filter(node => node['Index Name']?.startsWith('code_uses_of'))
    expect(counting).not.toEqual([])
    expect(Math.max(...counting.map(node => node['Plan Rows']))).toBeLessThan(100)
    for (const { query, nodes } of plans) expect(nodes.filter(isWhole), query).toEqual([])
  })

  it.each([null, 'ACTIVE', 'USED_UP'])('is listed with its figures (%s) without counting them', async status => {
    const plans = await plansOf(
      `query ($status: DiscountCodeStatus) { discountCodes(status: $status) { items { status figures { uses paidOrders revenue discountGiven } } } }`,
      { status },
      admin,
    )
    const read = plans.flatMap(({ nodes }) => nodes).flatMap(node => node['Relation Name'] ?? [])
    expect(read).toContain('discount_codes')
    expect(read).not.toContain('code_uses')
    expect(read).not.toContain('orders')
  })
})

describe('what the shop knows of a person', () => {
  it.each([
    ['orders', 'orders_of_user'],
    ['reviews', 'reviews_of_account'],
    ['reviewsFoundHelpful', 'review_votes_of_account'],
    ['discountCodes', 'code_uses_of_account'],
    ['changes', 'audit_actor'],
  ])('is found by an index: %s', async (section, index) => {
    const [{ 'QUERY PLAN': plan }] = await shop
      .em()
      .execute<[{ 'QUERY PLAN': [{ Plan: Node }] }]>(`explain (format json) ${batchOf(present(SECTIONS[section]))}`, [
        admin.id,
        'ada@example.com',
        null,
        null,
      ])
    const nodes = flat(plan[0].Plan)
    expect(nodes.map(node => node['Index Name'])).toContain(index)
    expect(nodes.filter(isWhole)).toEqual([])
  })

  it('is forgotten by indexes', async () => {
    const plans = await plansOf(
      'mutation ($proof: AccountProofInput!) { deleteAccount(proof: $proof) { userErrors { message } } }',
      { proof: { currentPassword: 'loopback1' } },
      await makeUser(shop.em(), { passwordHash: await hashPassword('loopback1') }),
    )
    expect(plans.map(({ query }) => query).join()).toContain('update reviews')
    for (const { query, nodes } of plans) expect(nodes.filter(isWhole), query).toEqual([])
  })
})
