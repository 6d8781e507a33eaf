import { afterAll, beforeAll, expect, it } from 'vitest'
import { lapseOrders } from '../order/lapse-orders.ts'
import { bought, line, placed, placeOrder } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type TestShop } from '../testing/shop.ts'

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
  expect(events[0]!.data.order).toEqual({
    id: order.id,
    reference: order.reference,
    accountId: buyer.id,
    status: 'UNPAID',
    lines: [
      {
        productId: product.id,
        sku: product.sku,
        name: product.name,
        quantity: 1,
        price: product.price,
        discount: 0,
        lots: [],
        fulfilledQuantity: 0,
      },
    ],
    totalPrice: order.totalPrice,
    itemsPrice: product.price,
    discount: 0,
    shippingPrice: expect.any(Number),
    taxPrice: expect.any(Number),
    refundedAmount: 0,
    currency: 'USD',
    updatedAt: expect.stringMatching(/Z$/),
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
