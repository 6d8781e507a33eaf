import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lapseOrders } from '../order/lapse-orders.ts'
import { ask } from '../testing/admin.ts'
import { bought, line, placed, placeOrder } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { nth, present } from '#schema/rules/present'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop?.close())

const eventsOf = (id: string) =>
  shop
    .em()
    .execute<{ type: string; data: { order: { status: string; refundedAmount: number } } }[]>(
      'select type, data from events where subject_id = ? order by sequence',
      [id],
    )

it('writes down how an order was placed, paid, delivered and refunded', async () => {
  const [buyer, admin] = [await makeUser(shop.em()), await makeUser(shop.em(), { isAdmin: true })]
  const product = await makeProduct(shop.em())
  const order = await bought(shop, buyer, [line(product)])
  await shop.gql('mutation($id: ID!) { deliverOrder(id: $id) { userErrors { code } } }', { id: order.id }, admin)
  await shop.gql(
    'mutation($id: ID!) { refundOrder(orderId: $id, amount: 100, idempotencyKey: "one") { userErrors { code message } } }',
    { id: order.id },
    admin,
  )
  const events = await eventsOf(order.id)
  expect(events.map(({ type, data }) => [type, data.order.status, data.order.refundedAmount])).toEqual([
    ['ORDER_PLACED', 'UNPAID', 0],
    ['ORDER_PAID', 'PAID', 0],
    ['ORDER_DELIVERED', 'DELIVERED', 0],
    ['ORDER_REFUNDED', 'DELIVERED', 100],
  ])
  expect(nth(events, 0).data.order).toEqual({
    id: order.id,
    reference: order.reference,
    accountId: buyer.id,
    isPickup: false,
    status: 'UNPAID',
    lines: [
      {
        productId: product.id,
        sku: product.sku,
        name: product.name,
        quantity: 1,
        price: product.price,
        discount: 0,
        isGiftCard: false,
        lots: [],
        expectedOn: null,
        fulfilledQuantity: 0,
      },
    ],
    totalPrice: order.totalPrice,
    itemsPrice: product.price,
    discount: 0,
    shippingPrice: expect.any(Number),
    taxPrice: expect.any(Number),
    includedTax: 0,
    taxBasisPoints: 1500,
    taxes: [{ basisPoints: 1500, isReduced: false, amount: expect.any(Number) }],
    giftCardAmount: 0,
    amountDue: order.totalPrice,
    giftCardsSold: 0,
    refundedAmount: 0,
    currency: 'USD',
    updatedAt: expect.stringMatching(/Z$/),
    version: expect.any(Number),
  })
})

it('writes down that an order lapsed, once', async () => {
  const order = await placed(shop, await makeUser(shop.em()), [line(await makeProduct(shop.em()))])
  await shop.em().execute(`update orders set held_until = now() - interval '1 minute' where id = ?`, [order.id])
  await Promise.all([lapseOrders(shop.em()), lapseOrders(shop.em())])
  expect((await eventsOf(order.id)).map(({ type, data }) => [type, data.order.status])).toEqual([
    ['ORDER_PLACED', 'UNPAID'],
    ['ORDER_LAPSED', 'LAPSED'],
  ])
})

it('writes nothing down of an order that was refused', async () => {
  const product = await makeProduct(shop.em(), { countInStock: 1 })
  const before = await shop.em().execute('select count(*) from events')
  const { userErrors } = await placeOrder(shop, await makeUser(shop.em()), [line(product, 2)])
  expect(userErrors).toMatchObject([{ code: 'OUT_OF_STOCK' }])
  expect(await shop.em().execute('select count(*) from events')).toEqual(before)
})

describe('with every change of what the API shows, once, and as it is then,', () => {
  const newest = async (subjectId: string, thing: 'order' | 'product' | 'review' | 'customer') => {
    const events = await shop
      .em()
      .execute<{ data: Record<string, { updatedAt: string }> }[]>(
        'delete from events where subject_id = ? returning data',
        [subjectId],
      )
    return events.map(({ data }) => data[thing])
  }

  it('there is an event of an order, whose version grows', async () => {
    const admin = await makeUser(shop.em(), { isAdmin: true })
    const { id } = await bought(shop, await makeUser(shop.em()), [line(await makeProduct(shop.em()), 2)])
    let last = 0
    const isNow = async () => {
      const { order } = await ask(shop, admin, 'query($id: ID!) { order(id: $id) { updatedAt version } }', { id })
      expect(await newest(id, 'order')).toMatchObject([order])
      expect(order.version).toBeGreaterThan(last)
      last = order.version
    }
    await newest(id, 'order')
    const change = (field: string) => ask(shop, admin, `mutation { ${field} { userErrors { message } } }`)
    await change(`annotateOrder(id: "${id}", input: { externalIds: [{ namespace: "erp", value: "SO-1" }] })`)
    await isNow()
    await change(`annotateOrder(id: "${id}", input: { externalIds: [{ namespace: "erp", value: "SO-1" }] })`)
    expect(await newest(id, 'order')).toEqual([])
    await change(`fulfilOrder(id: "${id}", isSent: false)`)
    await isNow()
    const { order } = await ask(shop, admin, 'query($id: ID!) { order(id: $id) { fulfilments { id } } }', { id })
    const parcel = nth(present(order).fulfilments, 0).id
    await change(`sendFulfilment(id: "${parcel}")`)
    await isNow()
    await change(`trackFulfilment(id: "${parcel}", carrier: "UPS", trackingNumber: "1Z999AA10123456784")`)
    await isNow()
    await change(`returnFulfilment(id: "${parcel}")`)
    await isNow()
    await change(`refundOrder(orderId: "${id}", amount: 100, idempotencyKey: "one")`)
    await isNow()
  })

  it('there is one of a product', async () => {
    const admin = await makeUser(shop.em(), { isAdmin: true })
    const { id, version } = await makeProduct(shop.em())
    await newest(id, 'product')
    const change = (field: string) => ask(shop, admin, `mutation { ${field} { userErrors { message } } }`)
    await change(`annotateProduct(id: "${id}", input: { tags: ["sock"] })`)
    expect(await newest(id, 'product')).toMatchObject([{ id, version }])
    await change(`annotateProduct(id: "${id}", input: { tags: ["sock"] })`)
    expect(await newest(id, 'product')).toEqual([])
  })

  it('there is an event of a review', async () => {
    const [reader, writer, admin] = [
      await makeUser(shop.em()),
      await makeUser(shop.em()),
      await makeUser(shop.em(), { isAdmin: true }),
    ]
    const product = await makeProduct(shop.em())
    const { createReview } = await ask(
      shop,
      writer,
      `mutation($id: ID!) { createReview(productId: $id, input: { rating: 4, comment: "Soft" }) { review { id } } }`,
      { id: product.id },
    )
    const { id } = createReview.review
    const isNow = async (fields: object) => {
      const { node } = await ask(
        shop,
        admin,
        'query($id: ID!) { node(id: $id) { ... on Review { updatedAt version } } }',
        {
          id,
        },
      )
      expect(await newest(id, 'review')).toEqual([expect.objectContaining({ ...node, ...fields })])
    }
    await isNow({ productId: product.id, sku: product.sku, accountId: writer.id, rating: 4, isHidden: false })
    const change = (as: Account, field: string) => ask(shop, as, `mutation { ${field} { userErrors { message } } }`)
    await change(reader, `markReviewHelpful(id: "${id}")`)
    await isNow({ helpful: 1 })
    await change(reader, `markReviewHelpful(id: "${id}")`)
    expect(await newest(id, 'review')).toEqual([])
    await change(admin, `answerReview(id: "${id}", answer: "Thank you")`)
    await isNow({ isAnswered: true })
    await change(admin, `hideReview(id: "${id}", reason: "Rude")`)
    await isNow({ isHidden: true })
    await change(admin, `restoreReview(id: "${id}")`)
    await isNow({ isHidden: false })
  })

  it('there is one of an account', async () => {
    const admin = await makeUser(shop.em(), { isAdmin: true })
    const { register } = await ask(
      shop,
      null,
      `mutation { register(input: { name: "Nell", email: "nell@example.com", password: "six hanks of moss" }) { user { id } token } }`,
    )
    const { id } = register.user
    const isNow = async (fields: object) => {
      const { user } = await ask(
        shop,
        admin,
        'query($id: ID!) { user(id: $id) { updatedAt version isAdmin emailVerified } }',
        {
          id,
        },
      )
      expect(await newest(id, 'customer')).toEqual([{ id, isClosed: false, ...user, ...fields }])
    }
    await isNow({ emailVerified: false })
    const change = (field: string) => ask(shop, admin, `mutation { ${field} { userErrors { message } } }`)
    await change(`updateUser(id: "${id}", input: { name: "Nell", email: "fen@example.com", isAdmin: false })`)
    await isNow({ emailVerified: true })
    await change(`updateUser(id: "${id}", input: { name: "Nell", email: "fen@example.com", isAdmin: true })`)
    await isNow({ isAdmin: true })
    await change(`updateUser(id: "${id}", input: { name: "Nell", email: "fen@example.com", isAdmin: true })`)
    expect(await newest(id, 'customer')).toEqual([])
    await change(`annotateUser(id: "${id}", input: { tags: ["wholesale"] })`)
    await isNow({})
    await change(`annotateUser(id: "${id}", input: { tags: ["wholesale"] })`)
    expect(await newest(id, 'customer')).toEqual([])
    await change(`deleteUser(id: "${id}")`)
    expect(await newest(id, 'customer')).toMatchObject([{ id, isClosed: true }])
  })
})

it('hands events of one thing on in the order they happened, also where a plan was made for an empty table', async () => {
  const fresh = await openShop()
  try {
    const sql = fresh.em()
    await sql.execute('delete from events')
    // For an empty table, a look through all of it is cheapest. The plan is made when the shop looks next, in three seconds.
    await sql.execute('vacuum analyze events')
    await pause(3_500)
    const id = randomUUID()
    // Later events lie before earlier ones, as where room of deleted rows is used again.
    await sql.execute(
      `insert into events (id, type, subject_id, data, sequence)
       select gen_random_uuid(), 'ORDER_PLACED', ?, '{}', n from generate_series(5, 1, -1) n`,
      [id],
    )
    const waiting = () => sql.execute('select from events where relayed_at is null')
    await expect.poll(async () => (await waiting()).length, { timeout: 10_000 }).toBe(0)
    const inOrder = await sql.execute<{ sequence: number }[]>('select sequence from events order by place')
    expect(inOrder.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5])
  } finally {
    await fresh.close()
  }
})
