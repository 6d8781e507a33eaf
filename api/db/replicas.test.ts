import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { TELL_OF_PRODUCTS } from '../graphql/note-sources.ts'
import { ask } from '../testing/admin.ts'
import { call } from '../testing/gates/operations.ts'
import { line, placed } from '../testing/purchase.ts'
import { startReplicated } from '../testing/replica.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { connect, connectReplicas, migrate } from './config.ts'
import { present } from '#schema/rules/present'

let servers: Awaited<ReturnType<typeof startReplicated>>
let shop: TestShop
let second: Awaited<ReturnType<TestShop['another']>>
beforeAll(async () => {
  servers = await startReplicated()
  const orm = await connect(servers.primary)
  await migrate(orm)
  await orm.close()
  shop = await openShop({
    database: servers.primary,
    replicaUrls: [servers.replica],
    keepAnswersMs: 1_000,
    mail: { to: 'mailbox' },
  })
  second = await shop.another()
})
afterAll(async () => {
  await second?.stop()
  await shop?.close()
  await servers?.stop()
})
afterEach(() => servers.keepBehind(0))

/** Makes each query different, because a repeated query is answered from memory for a moment. */
let serial = 0
const PRICE = () => `query Price${++serial}($id: ID!) { product(id: $id) { price countInStock bell } }`

async function shown(url: string, id: string, who: Account | null = null) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(who && { authorization: `Bearer ${who.token}` }) },
    body: JSON.stringify({ query: PRICE(), variables: { id } }),
  })
  expect(response.status).toBe(200)
  const { data, errors } = (await response.json()) as {
    errors?: unknown
    data: { product: { price: number; countInStock: number; bell: boolean | null } }
  }
  expect(errors).toBeUndefined()
  return data.product
}

/** A product that the replica has. The shop learns nothing of rows written directly to the database. */
async function onSale(fields: Parameters<typeof makeProduct>[1] = {}) {
  const product = await makeProduct(shop.em(), fields)
  const known = () =>
    servers.onReplica(`select id from products where id = '${product.id}' and facts_changed is not null`)
  await expect.poll(known).toHaveLength(1)
  return product
}

/** The last query that the shop sent to the replica. */
async function lastAsked(): Promise<string> {
  const rows = (await servers.onReplica(
    `select query from pg_stat_activity where datname = 'skein' and pid <> pg_backend_pid() and query !~ 'wal_replay'
     order by state_change desc nulls last limit 1`,
  )) as { query: string }[]
  return rows[0]?.query ?? ''
}

/** Waits until the shop reads what it shows of a product from the replica. */
async function readsThere(id: string) {
  const asks = async () => {
    await shown(shop.url, id)
    return lastAsked().catch(() => '')
  }
  await expect.poll(asks, { timeout: 20_000 }).toContain('products')
}

const setPrice = (admin: Account, id: string, price: number) =>
  ask(
    shop,
    admin,
    'mutation($id: ID!, $price: Cents!) { patchProduct(id: $id, input: { price: $price }) { userErrors { message } } }',
    {
      id,
      price,
    },
  )

describe('a shop whose primary is followed by a replica', () => {
  it('reads what everyone may see there, and all else at the primary', async () => {
    const product = await onSale()
    const buyer = await makeUser(shop.em())
    const order = await placed(shop, buyer, [line(product)])
    await readsThere(product.id)
    const before = await lastAsked()
    await ask(shop, buyer, 'query($id: ID!) { order(id: $id) { reference } viewer { name } }', { id: order.id })
    // One private field sends the whole query to the primary.
    await ask(shop, buyer, 'query($id: ID!) { categories product(id: $id) { name } viewer { name } }', {
      id: product.id,
    })
    expect(await lastAsked()).toBe(before)
  })

  it('can be asked there for everything that everyone may see', async () => {
    const product = await onSale()
    const user = await makeUser(shop.em(), { isAdmin: true })
    const world = { productId: product.id, discontinuedId: product.id, orderId: product.id, userId: user.id }
    for (const name of TELL_OF_PRODUCTS)
      expect((await call(shop, 'Query', name, world, user)).errors, name).toBeUndefined()
    expect(await lastAsked()).toContain('products')
  })

  it('cannot write there', async () => {
    const replicas = await connectReplicas(shop.orm, [servers.replica], () => true, shop.log)
    onTestFinished(() => present(replicas).close())
    // On a busy machine, the replica is sometimes too far behind to be used.
    const em = await vi.waitFor(async () => {
      const em = await present(replicas).em()
      expect(em.getDriver()).not.toBe(shop.orm.driver)
      return em
    }, 20_000)
    expect(await em.execute('show default_transaction_read_only')).toEqual([{ default_transaction_read_only: 'on' }])
    await expect(em.execute('delete from reviews')).rejects.toThrow('read-only transaction')
    expect(await em.execute('select pg_is_in_recovery() as follows')).toEqual([{ follows: true }])
  })

  it('reads at the primary while it hears nothing, and where a replica follows nobody', async () => {
    for (const [url, isListening] of [
      [servers.replica, false],
      [servers.primary, true],
    ] as const) {
      const replicas = await connectReplicas(shop.orm, [url], () => isListening, shop.log)
      onTestFinished(() => present(replicas).close())
      const em = await present(replicas).em()
      expect(em.getDriver()).toBe(shop.orm.driver)
    }
  })

  it.each([0, 20, 200])('shows nobody what was before a change they were told of, %d ms behind', async ms => {
    const product = await onSale({ price: 1_000, countInStock: 100 })
    const [admin, buyer] = [await makeUser(shop.em(), { isAdmin: true }), await makeUser(shop.em())]
    await servers.keepBehind(ms)
    for (let round = 1; round <= 8; round++) {
      await setPrice(admin, product.id, 1_000 + round)
      const asked = [shop.url, second.url].flatMap(url => [shown(url, product.id), shown(url, product.id, buyer)])
      expect(await Promise.all(asked)).toEqual(
        asked.map(() => expect.objectContaining({ price: 1_000 + round, countInStock: 101 - round })),
      )
      await placed(shop, buyer, [line(product)])
      expect(await shown(second.url, product.id)).toMatchObject({ price: 1_000 + round, countInStock: 100 - round })
    }
  })

  it('keeps no answer that is older than what dropped the last one', async () => {
    const product = await onSale({ countInStock: 100 })
    const buyer = await makeUser(shop.em())
    await servers.keepBehind(20)
    const LEFT = 'query($id: ID!) { product(id: $id) { countInStock } }'
    for (let left = 99; left > 91; left--) {
      await placed(shop, buyer, [line(product)])
      const asked = Array.from({ length: 4 }, () => ask(shop, null, LEFT, { id: product.id }))
      for (const each of await Promise.all(asked)) expect(each).toEqual({ product: { countInStock: left } })
    }
  })

  it('shows shoppers what they alone see of a product', async () => {
    const [product, buyer] = [await onSale({ countInStock: 0 }), await makeUser(shop.em())]
    await servers.keepBehind(20)
    for (const [field, bell] of [
      ['addBell', true],
      ['removeBell', false],
    ] as const) {
      await ask(shop, buyer, `mutation($id: ID!) { ${field}(productId: $id) { userErrors { message } } }`, {
        id: product.id,
      })
      for (const url of [shop.url, second.url]) expect(await shown(url, product.id, buyer)).toMatchObject({ bell })
    }
  })

  it('goes on when the replica dies, and reads there again when it is back', async () => {
    const product = await onSale({ price: 500 })
    const over = new AbortController()
    onTestFinished(() => over.abort())
    let asked = 0
    const readers = Array.from({ length: 8 }, async () => {
      while (!over.signal.aborted) {
        expect(await shown(shop.url, product.id)).toMatchObject({ price: 500 })
        asked++
      }
    })
    const more = (answers: number) => expect.poll(() => asked, { timeout: 50_000 }).toBeGreaterThan(asked + answers)
    await more(8)
    servers.kill()
    await more(50)
    over.abort()
    await Promise.all(readers)
    await readsThere(product.id)
  })
})
