import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  bought,
  createPaypalOrder,
  holdRunsOut,
  line,
  placed,
  placeOrder,
  readOrder,
  stockOf,
} from '../testing/purchase.ts'
import { makeProduct, makeUser, makeUsers, openShop, type TestShop } from '../testing/shop.ts'
import { lapseOrders } from './lapse-orders.ts'
import { nth } from '#schema/rules/present'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop?.close())

async function heldOrder(quantity = 4) {
  const [nell, yarn] = [await makeUser(shop.em()), await makeProduct(shop.em())]
  return { nell, yarn, order: await placed(shop, nell, [line(yarn, quantity)]) }
}

describe('an order that is not paid in time', () => {
  it('lapses, and its stock goes back', async () => {
    const { nell, yarn, order } = await heldOrder()
    await holdRunsOut(shop, order.id)
    expect(await lapseOrders(shop.em())).toBe(1)
    expect(await readOrder(shop, nell, order.id)).toMatchObject({ status: 'LAPSED', heldUntil: null, isPaid: false })
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 10, ledger: 10, sold: 0 })
  })

  it('gives its stock back once, however many shops sweep at the same time', async () => {
    const held = await Promise.all(Array.from({ length: 12 }, () => heldOrder()))
    for (const { order } of held) await holdRunsOut(shop, order.id)
    const swept = await Promise.all(Array.from({ length: 6 }, () => lapseOrders(shop.em())))
    const rest = await lapseOrders(shop.em())
    expect(swept.reduce((sum, count) => sum + count, rest)).toBe(12)
    for (const { yarn } of held) expect(await stockOf(shop, yarn.id)).toEqual({ left: 10, ledger: 10, sold: 0 })
  })

  it('keeps its stock until then', async () => {
    const { nell, yarn, order } = await heldOrder()
    expect(await lapseOrders(shop.em(), new Date(Date.now() + 14 * 60_000))).toBe(0)
    expect(await readOrder(shop, nell, order.id)).toMatchObject({ status: 'UNPAID' })
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 6, ledger: 6, sold: 4 })
    expect(await lapseOrders(shop.em(), new Date(Date.now() + 16 * 60_000))).toBe(1)
    expect((await stockOf(shop, yarn.id)).left).toBe(10)
  })

  it('keeps it for an hour from the moment its shopper turns to paying, and no longer for doing so again', async () => {
    const { nell, yarn, order } = await heldOrder()
    await createPaypalOrder(shop, nell, order.id)
    const { heldUntil } = await readOrder(shop, nell, order.id)
    expect((Date.parse(heldUntil) - Date.now()) / 60_000).toBeGreaterThan(59)
    for (let again = 0; again < 3; again++) await createPaypalOrder(shop, nell, order.id)
    expect(await readOrder(shop, nell, order.id)).toMatchObject({ heldUntil })
    expect(await lapseOrders(shop.em(), new Date(Date.now() + 59 * 60_000))).toBe(0)
    expect(await lapseOrders(shop.em(), new Date(Date.now() + 61 * 60_000))).toBe(1)
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 10, ledger: 10, sold: 0 })
  })

  it('does not get in the way of those who buy: crossing carts and sweepers all come through', async () => {
    const shelf = [
      await makeProduct(shop.em(), { countInStock: 500 }),
      await makeProduct(shop.em(), { countInStock: 500 }),
    ]
    const buyers = await makeUsers(shop.em(), 40)
    // The sweep takes orders by when their holds ran out, so it meets the products in the wrong order half of the time.
    for (const [index, buyer] of buyers.entries())
      await holdRunsOut(shop, (await placed(shop, buyer, [line(nth(shelf, (index + 1) % 2), 1)])).id)
    const [answers] = await Promise.all([
      Promise.all(buyers.map(buyer => placeOrder(shop, buyer, [line(nth(shelf, 0)), line(nth(shelf, 1))]))),
      Promise.all(Array.from({ length: 3 }, () => lapseOrders(shop.em()))),
    ])
    expect(answers.flatMap(({ userErrors }) => userErrors)).toEqual([])
    await lapseOrders(shop.em())
    for (const { id } of shelf) expect(await stockOf(shop, id)).toEqual({ left: 460, ledger: 460, sold: 40 })
  })
})

it('a paid order never lapses', async () => {
  const [nell, yarn] = [await makeUser(shop.em()), await makeProduct(shop.em())]
  const order = await bought(shop, nell, [line(yarn)])
  await lapseOrders(shop.em(), new Date(Date.now() + 24 * 3_600_000))
  expect(await readOrder(shop, nell, order.id)).toMatchObject({ status: 'PAID' })
  expect(await stockOf(shop, yarn.id)).toEqual({ left: 9, ledger: 9, sold: 1 })
})

describe('a lapsed order', () => {
  it('can be paid again while the stock is there: it is held anew', async () => {
    const { nell, yarn, order } = await heldOrder()
    await holdRunsOut(shop, order.id)
    await lapseOrders(shop.em())
    expect(await createPaypalOrder(shop, nell, order.id)).toMatchObject({
      paypalOrderId: expect.stringMatching(/^[A-Z0-9]{17}$/),
      userErrors: [],
    })
    expect(await readOrder(shop, nell, order.id)).toMatchObject({ status: 'UNPAID', heldUntil: expect.any(String) })
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 6, ledger: 6, sold: 4 })
  })

  it('is out of stock when others have bought it', async () => {
    const { nell, yarn, order } = await heldOrder()
    await holdRunsOut(shop, order.id)
    await lapseOrders(shop.em())
    await placed(shop, await makeUser(shop.em()), [line(yarn, 7)])
    expect(await createPaypalOrder(shop, nell, order.id)).toMatchObject({
      paypalOrderId: null,
      userErrors: [{ code: 'OUT_OF_STOCK' }],
    })
    expect(await readOrder(shop, nell, order.id)).toMatchObject({ status: 'LAPSED', totalPrice: order.totalPrice })
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 3, ledger: 3, sold: 7 })
  })

  it('is held anew once, however often its owner clicks', async () => {
    const { nell, yarn, order } = await heldOrder()
    await holdRunsOut(shop, order.id)
    await lapseOrders(shop.em())
    const answers = await Promise.all(Array.from({ length: 8 }, () => createPaypalOrder(shop, nell, order.id)))
    expect(answers.flatMap(({ userErrors }) => userErrors)).toEqual([])
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 6, ledger: 6, sold: 4 })
  })
})
