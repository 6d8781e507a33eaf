import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest'
import { ask } from '../testing/admin.ts'
import { line, placed } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { connectionBy } from './connection.ts'
import { nth, present } from '#schema/rules/present'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { isAdmin: true })
  const em = shop.em()
  // Two products share a price and a creation time, so that only the id tells them apart.
  for (let index = 0; index < 9; index++)
    await makeProduct(em, {
      name: `Heather ${'CAHBGDFEI'[index]}`,
      price: 1000 + Math.floor(index / 2),
      createdAt: new Date(1_790_000_000_000 + Math.floor(index / 2)),
    })
})
afterAll(() => shop?.close())

const PAGE = 'edges { cursor node { id name price } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }'
const PRODUCTS = `query($first: Int, $after: String, $last: Int, $before: String, $keyword: String, $filter: ProductFilter, $sort: ProductSort) {
  productsConnection(first: $first, after: $after, last: $last, before: $before, keyword: $keyword, filter: $filter, sort: $sort) { ${PAGE} }
}`

interface Part {
  edges: { cursor: string; node: { id: string; name: string; price: number } }[]
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null }
}

const products = async (variables: object): Promise<Part> =>
  (await ask(shop, null, PRODUCTS, variables)).productsConnection

async function walk(size: number, variables: object, backwards = false): Promise<string[]> {
  const names: string[] = []
  for (let cursor: string | null = null; ;) {
    const part: Part = await products({
      ...variables,
      ...(backwards ? { last: size, before: cursor } : { first: size, after: cursor }),
    })
    const found = part.edges.map(({ node }) => node.name)
    if (backwards) names.unshift(...found)
    else names.push(...found)
    if (!(backwards ? part.pageInfo.hasPreviousPage : part.pageInfo.hasNextPage)) return names
    cursor = backwards ? part.pageInfo.startCursor : part.pageInfo.endCursor
  }
}

describe('a connection', () => {
  const sorts = ['CREATED', 'NAME', 'PRICE', 'RATING'].flatMap(field =>
    ['ASC', 'DESC'].map(direction => ({ field, direction })),
  )

  test.each(sorts.map(sort => [sort.field, sort.direction, sort] as const))(
    'by %s %s reads the same forwards, backwards and at once',
    async (_field, _direction, sort) => {
      const all = (await products({ first: 100, keyword: 'heather', sort })).edges.map(({ node }) => node.name)
      expect(all).toHaveLength(9)
      for (const size of [1, 2, 4, 9]) {
        expect(await walk(size, { keyword: 'heather', sort })).toEqual(all)
        expect(await walk(size, { keyword: 'heather', sort }, true)).toEqual(all)
      }
    },
  )

  it('sorts by name when asked to', async () => {
    expect((await walk(5, { keyword: 'heather', sort: { field: 'NAME', direction: 'ASC' } })).join('')).toBe(
      'ABCDEFGHI'.replace(/./g, 'Heather $&'),
    )
  })

  test.each<[string, object, string]>([
    ['a price range', { priceFrom: 1001, priceTo: 1003 }, 'BDEFGH'],
    ['one price', { priceFrom: 1000, priceTo: 1000 }, 'AC'],
    ['a range that is none', { priceFrom: 1003, priceTo: 1001 }, ''],
    ['a category', { category: 'Lace' }, 'E'],
    ['a category that cannot be', { category: 'La\0ce' }, ''],
    ['what is sold out', { inStock: false }, 'D'],
    ['all of it at once', { inStock: true, priceTo: 1002, priceFrom: 1001, category: null }, 'BGH'],
  ])('keeps to %s, on every part', async (_what, filter, names) => {
    const em = shop.em()
    await em.execute(`update products set category = 'Lace' where name = 'Heather E'`)
    await em.execute(`update products set count_in_stock = 0 where name = 'Heather D'`)
    const sort = { field: 'NAME', direction: 'ASC' }
    expect(await walk(2, { keyword: 'heather', filter, sort })).toEqual([...names].map(letter => `Heather ${letter}`))
  })

  it('says what is around a part', async () => {
    const { edges } = await products({ first: 9, keyword: 'heather' })
    const middle = await products({
      first: 3,
      after: nth(edges, 2).cursor,
      before: nth(edges, 8).cursor,
      keyword: 'heather',
    })
    expect(middle.edges).toEqual(edges.slice(3, 6))
    expect(middle.pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: true,
      startCursor: nth(edges, 3).cursor,
      endCursor: nth(edges, 5).cursor,
    })
    expect(await products({ first: 5, keyword: 'nothing like it' })).toEqual({
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
    })
    expect((await products({ first: 0 })).edges).toEqual([])
  })

  it('is not moved by what is added', async () => {
    const first = await products({ first: 4 })
    const rest = await products({ first: 100, after: first.pageInfo.endCursor })
    await makeProduct(shop.em(), { name: 'Newcomer' })
    expect(await products({ first: 100, after: first.pageInfo.endCursor })).toEqual(rest)
  })

  test.each<[string, object]>([
    ['101', { first: 101 }],
    ['a milliard', { first: 1_000_000_000 }],
    ['less than nothing', { first: -1 }],
    ['101 backwards', { last: 101 }],
    ['both ends', { first: 1, last: 1 }],
    ['no cursor', { after: 'x' }],
    [
      'a forged value',
      {
        after: Buffer.from('["created_at desc","yesterday or so","019a0000-0000-7000-8000-000000000001"]').toString(
          'base64url',
        ),
      },
    ],
    [
      'a forged list',
      {
        after: Buffer.from('["price; drop table users","1","019a0000-0000-7000-8000-000000000001"]').toString(
          'base64url',
        ),
      },
    ],
    ['a forged id', { after: Buffer.from('["created_at desc","2026-11-21","1 or 1=1"]').toString('base64url') }],
    [
      'NUL',
      {
        after: Buffer.from('["created_at desc","\\u0000","019a0000-0000-7000-8000-000000000001"]').toString(
          'base64url',
        ),
      },
    ],
  ])('refuses %s', async (_what, variables) => {
    expect(await shop.gql(PRODUCTS, variables)).toMatchObject({
      status: 400,
      errors: [{ extensions: { code: 'BAD_USER_INPUT' } }],
    })
  })

  it('refuses the cursor of another sort', async () => {
    const { pageInfo } = await products({ first: 1 })
    const { status, errors } = await shop.gql(PRODUCTS, { after: pageInfo.endCursor, sort: { field: 'PRICE' } })
    expect([status, nth(present(errors), 0).message]).toEqual([400, 'This is not a cursor of this list.'])
  })
})

describe('orders', () => {
  const MINE =
    'query($first: Int, $after: String) { viewer { orders(first: $first, after: $after) { edges { cursor node { id } } pageInfo { hasNextPage endCursor } } } }'
  const ALL =
    'query($after: String, $filter: OrderFilter, $sort: OrderConnectionSort) { ordersConnection(first: 2, after: $after, filter: $filter, sort: $sort) { edges { node { id } } pageInfo { hasNextPage endCursor } } }'

  it('are the viewer’s own, or all of them for an administrator', async () => {
    const em = shop.em()
    const [nell, purl] = [await makeUser(em), await makeUser(em, { name: 'Purl' })]
    const product = await makeProduct(em)
    const placedIds: string[] = []
    for (const buyer of [nell, purl, nell, nell]) placedIds.unshift((await placed(shop, buyer, [line(product)])).id)

    const {
      viewer: { orders },
    } = await ask(shop, nell, MINE, { first: 2 })
    expect(orders.edges.map(({ node }) => node.id)).toEqual([placedIds[0], placedIds[1]])
    const rest = await ask(shop, nell, MINE, { after: orders.pageInfo.endCursor })
    expect(rest.viewer.orders).toEqual({
      edges: [{ cursor: expect.any(String), node: { id: placedIds[3] } }],
      pageInfo: { hasNextPage: false, endCursor: expect.any(String) },
    })

    const { ordersConnection: all } = await ask(shop, admin, ALL)
    expect(all.edges.map(({ node }) => node.id)).toEqual([placedIds[0], placedIds[1]])
    const next = (await ask(shop, admin, ALL, { after: all.pageInfo.endCursor })).ordersConnection
    expect(next.edges.map(({ node }) => node.id)).toEqual([placedIds[2], placedIds[3]])
    expect(
      (await ask(shop, admin, ALL, { filter: { search: 'Purl', status: 'UNPAID' } })).ordersConnection.edges,
    ).toEqual([{ node: { id: placedIds[2] } }])
  })

  it('are sorted and restricted for partners who fetch them part by part, whatever comes in', async () => {
    const em = shop.em()
    const [anna, bert] = [await makeUser(em, { name: 'Anna Sorted' }), await makeUser(em, { name: 'Bert Sorted' })]
    const product = await makeProduct(em)
    const ids: string[] = []
    for (const [buyer, quantity] of [
      [bert, 1],
      [anna, 3],
      [bert, 2],
      [anna, 1],
    ] as const)
      ids.push((await placed(shop, buyer, [line(product, quantity)])).id)
    const [first, second, third, fourth] = ids
    for (const [day, id] of ids.entries())
      await em.execute('update orders set created_at = ? where id = ?', [new Date(Date.UTC(2026, 0, 1 + day)), id])
    const fetchAll = async (filter: object, sort: object) => {
      const found: string[] = []
      for (let after: string | null = null; ;) {
        const { edges, pageInfo } = (
          await ask(shop, admin, ALL, { after, filter: { search: 'sorted', ...filter }, sort })
        ).ordersConnection as {
          edges: { node: { id: string } }[]
          pageInfo: { hasNextPage: boolean; endCursor: string }
        }
        found.push(...edges.map(({ node }) => node.id))
        if (!pageInfo.hasNextPage) return found
        after = pageInfo.endCursor
        await placed(shop, anna, [line(product)])
      }
    }
    const january = { from: '2026-01-01T00:00:00.000Z', to: '2026-01-31T00:00:00.000Z' }
    expect(await fetchAll(january, { field: 'DATE', direction: 'ASC' })).toEqual(ids)
    expect((await fetchAll(january, { field: 'TOTAL' })).slice(0, 2)).toEqual([second, third])
    expect(new Set((await fetchAll(january, { field: 'NAME', direction: 'ASC' })).slice(0, 2))).toEqual(
      new Set([second, fourth]),
    )
    expect(
      await fetchAll(
        { from: '2026-01-02T00:00:00.000Z', to: '2026-01-04T00:00:00.000Z' },
        { field: 'DATE', direction: 'ASC' },
      ),
    ).toEqual([second, third])
    const { orders } = await ask(
      shop,
      admin,
      'query($filter: OrderFilter) { orders(filter: $filter) { items { id } } }',
      { filter: { search: 'sorted', from: null, to: '2026-01-02T00:00:00.000Z' } },
    )
    expect(orders.items).toEqual([{ id: first }])
  })
})

describe('how many there are in all', () => {
  it('is counted behind the filter and the keyword, whatever part is asked for', async () => {
    const count = async (variables: object) =>
      (
        await ask(
          shop,
          null,
          'query ($first: Int, $last: Int, $keyword: String, $filter: ProductFilter) { productsConnection(first: $first, last: $last, keyword: $keyword, filter: $filter) { totalCount edges { cursor } } }',
          variables,
        )
      ).productsConnection
    expect(await count({ first: 2, keyword: 'heather' })).toMatchObject({ totalCount: 9, edges: [{}, {}] })
    expect(await count({ last: 1, keyword: 'heather', filter: { priceFrom: 1002 } })).toMatchObject({ totalCount: 5 })
    expect(await count({ first: 0, keyword: 'nothing like it' })).toEqual({ totalCount: 0, edges: [] })
  })

  it('of orders, and of one shopper’s', async () => {
    const [nell, yarn] = [await makeUser(shop.em()), await makeProduct(shop.em())]
    for (let count = 0; count < 3; count++) await placed(shop, nell, [line(yarn)])
    expect(await ask(shop, nell, '{ viewer { orders(first: 1) { totalCount } } }')).toEqual({
      viewer: { orders: { totalCount: 3 } },
    })
    const { ordersConnection } = await ask(shop, admin, '{ ordersConnection(first: 1) { totalCount } }')
    const [counted] = await shop.em().execute<{ count: string }[]>('select count(*) from orders')
    expect(ordersConnection.totalCount).toBe(Number(counted?.count))
  })

  it('ends behind 10,000', async () => {
    await shop.em().execute(
      `insert into orders (id, user_id, user_name, user_email, shipping_address, payment_method, items_price, shipping_price, tax_price, total_price, created_at)
       select gen_random_uuid(), id, name, email, '{}', 'PayPal', 0, 0, 0, 0, now() from users, generate_series(1, 10100) where users.id = ?`,
      [admin.id],
    )
    expect(await ask(shop, admin, '{ ordersConnection(first: 1) { totalCount } }')).toEqual({
      ordersConnection: { totalCount: 10_001 },
    })
  })
})

it('shows nothing that goes off sale between finding and reading it', async () => {
  const filter = { priceFrom: 90_000 }
  const own = shop.em()
  for (const name of ['Alder', 'Birch', 'Cedar']) await makeProduct(own, { name, price: 90_000 })
  const pool = (await own.getConnection().getNativeClient()) as Pool
  const query = pool.query.bind(pool) as (...statement: unknown[]) => Promise<unknown>
  const sent = vi.spyOn(pool, 'query').mockImplementation((async (...statement: unknown[]) => {
    const [{ text }] = statement as [{ text?: string }]
    if (text?.includes('to_json(shown)')) await query(`update products set published_at = null where name = 'Birch'`)
    return query(...statement)
  }) as never)
  const { edges } = await products({ filter, sort: { field: 'NAME', direction: 'ASC' }, first: 3 })
  sent.mockRestore()
  expect(edges.map(({ node }) => node.name)).toEqual(['Alder', 'Cedar'])
})

it('is not at its end where what it found last has left the list meanwhile', async () => {
  const keys = ['a', 'b', 'c'].map(id => ({ value: id, id: `00000000-0000-4000-8000-00000000000${id}` }))
  const left = new Set(['b'])
  const { edges, pageInfo } = await connectionBy(
    {
      list: 'of letters',
      direction: 'asc',
      find: async ({ limit }) =>
        keys.slice(0, limit).map(({ value, id }) => ({ value, id, node: left.has(value) ? null : value })),
      countAll: async () => 3,
    },
    { first: 2 },
  )
  expect(edges.map(({ node }) => node)).toEqual(['a'])
  expect(pageInfo.hasNextPage).toBe(true)
  expect(JSON.parse(Buffer.from(present(pageInfo.endCursor), 'base64url').toString())).toContain('b')
})
