import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { recordEvents } from '../event/record-events.ts'
import { ask } from '../testing/admin.ts'
import { bought, line, placed } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { nth } from '#schema/rules/present'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())

const EVENTS = `query($after: String, $types: [EventType!], $first: Int) {
  events(after: $after, types: $types, first: $first) {
    edges { cursor node { id type subjectId createdAt payload } } pageInfo { hasNextPage endCursor }
  }
}`
const readEvents = async (variables: object) => (await ask(shop, admin, EVENTS, variables)).events

/** Open transactions in the cluster's other databases hold a feed back for a moment. */
const soon = <T>(check: () => Promise<T>) => vi.waitFor(check, { timeout: 20_000, interval: 100 })

describe('the event log', () => {
  it('has the payloads that webhooks get, oldest first, and only those of the types asked for', async () => {
    const order = await bought(shop, await makeUser(shop.em()), [line(await makeProduct(shop.em()))])
    await soon(async () => {
      const { edges } = await readEvents({ types: ['ORDER_PLACED', 'ORDER_PAID'], first: 100 })
      const own = edges.map(({ node }) => node).filter(({ subjectId }) => subjectId === order.id)
      expect(own.map(({ type }) => type)).toEqual(['ORDER_PLACED', 'ORDER_PAID'])
      const { id, createdAt, payload } = nth(own, 1)
      expect(JSON.parse(payload)).toEqual({
        id,
        type: 'order.paid',
        sequence: 2,
        createdAt,
        data: { order: expect.objectContaining({ reference: order.reference, status: 'PAID' }) },
      })
    })
  })

  it('skips nothing that was begun earlier and committed later, and tells nothing twice', async () => {
    const { pageInfo } = await readEvents({ first: 100 })
    const subjects: string[] = Array.from({ length: 3 }, () => crypto.randomUUID())
    const event = (subjectId: string) => ({ type: 'STOCK_LOW', subjectId, data: {} }) as const
    const heard: string[] = []
    let after = pageInfo.endCursor
    const read = async () => {
      const part = await readEvents({ after, first: 100 })
      heard.push(...part.edges.map(({ node }) => node.subjectId))
      after = part.pageInfo.endCursor ?? after
    }
    await shop.em().transactional(async slow => {
      await recordEvents(slow, [event(nth(subjects, 0))])
      // A later event that is committed at once.
      await recordEvents(shop.em(), [event(nth(subjects, 1))])
      await read()
      expect(heard).not.toContain(subjects[1])
    })
    await recordEvents(shop.em(), [event(nth(subjects, 2))])
    await soon(async () => {
      await read()
      expect(heard.filter(each => subjects.includes(each))).toEqual(subjects)
    })
    await read()
    expect(heard.filter(each => subjects.includes(each))).toEqual(subjects)
  })

  it('refuses cursors of another database, where transactions are counted anew', async () => {
    await soon(async () => expect((await readEvents({ first: 1 })).edges).toHaveLength(1))
    const { pageInfo } = await readEvents({ first: 1 })
    const [list, ...place] = JSON.parse(Buffer.from(pageInfo.endCursor, 'base64url').toString())
    const foreign = [list.replace(/[\da-f-]{36}$/, crypto.randomUUID()), ...place]
    const after = Buffer.from(JSON.stringify(foreign)).toString('base64url')
    const { errors } = await shop.gql(EVENTS, { after }, admin)
    expect(errors).toMatchObject([{ message: 'This is not a cursor of this list.' }])
  })
})

const CHANGED = {
  products: `query($after: String) { list: productsConnection(first: 100, after: $after, sort: { field: UPDATED, direction: ASC }) {
    edges { node { id updatedAt } } pageInfo { endCursor } } }`,
  orders: `query($after: String) { list: ordersConnection(first: 100, after: $after, sort: { field: UPDATED, direction: ASC }) {
    edges { node { id updatedAt } } pageInfo { endCursor } } }`,
} as const

/** Reads a feed to its end. Returns a function that reads what came since. */
async function follow(
  query: (typeof CHANGED)[keyof typeof CHANGED],
  said = (node: { id: string; updatedAt: string }) => node.id,
) {
  let after: string | null = null
  const read = async () => {
    const ids: string[] = []
    for (;;) {
      const { list } = await ask(shop, admin, query, { after })
      ids.push(...list.edges.map(({ node }) => said(node)))
      after = list.pageInfo.endCursor ?? after
      if (list.edges.length < 100) return ids
    }
  }
  await read()
  return read
}

describe('a feed of changes', () => {
  it('misses no product while many write at the same time', async () => {
    const products: { id: string }[] = []
    for (let index = 0; index < 6; index++) products.push(await makeProduct(shop.em(), { countInStock: 1_000 }))
    // A thing together with the time of its change: open transactions also delay the news that it was made.
    const asItIs = ({ id, updatedAt }: { id: string; updatedAt: string }) => `${id} ${updatedAt}`
    const read = await follow(CHANGED.products, asItIs)
    const seen = new Set<string>()
    const written = new AbortController()
    const reader = (async () => {
      while (!written.signal.aborted) for (const id of await read()) seen.add(id)
    })()
    // All start at once, and the first to write is the last to commit.
    await Promise.all(
      products.map(({ id }, index) =>
        shop.em().transactional(async em => {
          await new Promise(done => setTimeout(done, index * 20))
          await em.execute('update products set price = price + 1 where id = ?', [id])
          await new Promise(done => setTimeout(done, (products.length - index) * 150))
        }),
      ),
    )
    const { nodes } = await ask(
      shop,
      admin,
      'query($ids: [ID!]!) { nodes(ids: $ids) { ... on Product { id updatedAt } } }',
      { ids: products.map(({ id }) => id) },
    )
    const last = (nodes as { id: string; updatedAt: string }[]).map(asItIs)
    await soon(async () => expect([...seen]).toEqual(expect.arrayContaining(last)))
    written.abort()
    await reader
    expect(await read()).toEqual([])
  })

  it('shows an order again when anything of it changed, and not for what nobody is shown', async () => {
    const buyer = await makeUser(shop.em())
    const order = await placed(shop, buyer, [line(await makeProduct(shop.em()))])
    const read = await follow(CHANGED.orders)
    const untilTold = () =>
      soon(async () => {
        expect(await read()).toEqual([order.id])
      })
    await shop.em().execute('update orders set paypal_checked_at = now() where id = ?', [order.id])
    await shop.em().execute(`update orders set held_until = held_until + interval '1 minute' where id = ?`, [order.id])
    await untilTold()
    await shop
      .em()
      .execute(
        `insert into order_incidents (id, order_id, code, data, at) values (gen_random_uuid(), ?, 'NOTED', '{"text": "x"}', now())`,
        [order.id],
      )
    await untilTold()
    await shop.em().execute('update orders set paypal_checked_at = now() where id = ?', [order.id])
    expect(await read()).toEqual([])
  })

  it.each([
    ['products', 'price = price + 1', 'sold_last_90_days = sold_last_90_days + 1'],
    ['users', `name = name || '.'`, `password_hash = password_hash || '.'`],
  ])('of %s moves with what is shown, and only with that', async (table, shown, hidden) => {
    const { id } = table === 'users' ? await makeUser(shop.em()) : await makeProduct(shop.em())
    const moment = async () =>
      (
        await shop
          .em()
          .execute<[{ updated_at: string; updated_in: string }]>(
            `select updated_at, updated_in::text from ${table} where id = ?`,
            [id],
          )
      )[0]
    const before = await moment()
    await shop.em().execute(`update ${table} set ${hidden} where id = ?`, [id])
    expect(await moment()).toEqual(before)
    await shop.em().execute(`update ${table} set ${shown} where id = ?`, [id])
    const after = await moment()
    expect([after.updated_at > before.updated_at, after.updated_in === before.updated_in]).toEqual([true, false])
  })

  it('tells when each thing changed last, and finds what changed between two moments, by ids and by SKU', async () => {
    const [one, two] = [await makeProduct(shop.em()), await makeProduct(shop.em())]
    await shop.em().execute('update products set count_in_stock = count_in_stock where id = ?', [one.id])
    const query = `query($filter: ProductFilter) { productsConnection(filter: $filter) { edges { node { id updatedAt } } } }`
    const find = async (filter: object) =>
      (await ask(shop, null, query, { filter })).productsConnection.edges.map(({ node }) => node)
    const { updatedAt } = nth(await find({ ids: [two.id, 'x'] }), 0)
    expect(await find({ ids: [one.id, two.id], updatedFrom: updatedAt })).toEqual([{ id: two.id, updatedAt }])
    expect((await find({ ids: [one.id, two.id], updatedTo: updatedAt })).map(({ id }) => id)).toEqual([one.id])
    expect((await find({ skus: [one.sku.toLowerCase()] })).map(({ id }) => id)).toEqual([one.id])
    expect(await find({ ids: ['x'] })).toEqual([])
  })
})

it('many things are asked for by their ids at once, as whoever asks may see them', async () => {
  const em = shop.em()
  const [product, stranger] = [await makeProduct(em), await makeUser(em)]
  const order = await placed(shop, stranger, [line(product)])
  const query = 'query($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }'
  const ids = [order.id, 'x', product.id, stranger.id, product.id]
  const kinds = async (identity: Account | null) =>
    (await ask(shop, identity, query, { ids })).nodes.map(node => node?.__typename ?? null)
  expect(await kinds(null)).toEqual([null, null, 'Product', null, 'Product'])
  expect(await kinds(stranger)).toEqual(['Order', null, 'Product', 'User', 'Product'])
  const { errors } = await shop.gql(query, { ids: Array.from({ length: 51 }, () => product.id) })
  expect(errors).toMatchObject([{ message: '`ids` takes at most 50 ids.' }])
})
