import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lapseOrders } from './lapse-orders.ts'
import { ask } from '../testing/admin.ts'
import {
  approvedPayment,
  bought,
  cancelOrder,
  capturePaypalOrder,
  captures,
  createPaypalOrder,
  holdRunsOut,
  line,
  payOrder,
  placed,
  plan,
  readOrder,
  reconcile,
  stockOf,
} from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())
beforeEach(() => shop.simulator.reset())

async function heldOrder(quantity = 4) {
  const [nell, yarn] = [await makeUser(shop.em()), await makeProduct(shop.em())]
  return { nell, yarn, order: await placed(shop, nell, [line(yarn, quantity)]) }
}

const releaseHold = async (orderId: string) =>
  (
    await ask(
      shop,
      admin,
      'mutation($orderId: ID!) { releaseHold(orderId: $orderId) { order { status heldUntil } userErrors { code message } } }',
      { orderId },
    )
  ).releaseHold

/** An order with a capture whose result the shop did not hear. */
async function withPaymentUnderWay() {
  const made = await heldOrder()
  const paypalOrderId = await approvedPayment(shop, made.nell, made.order.id)
  await plan(shop, { capture: Array(12).fill('disconnect'), get: Array(12).fill('disconnect') })
  await capturePaypalOrder(shop, made.nell, made.order.id, paypalOrderId)
  await plan(shop, {})
  return { ...made, paypalOrderId }
}

describe('a shopper who cancels an unpaid order', () => {
  it('gives its stock back once, however often they press', async () => {
    const { nell, yarn, order } = await heldOrder()
    const answers = await Promise.all(Array.from({ length: 10 }, () => cancelOrder(shop, nell, order.id)))
    expect(answers.flatMap(({ userErrors }) => userErrors)).toEqual([])
    expect(await readOrder(shop, nell, order.id)).toMatchObject({ status: 'CANCELLED', heldUntil: null, isPaid: false })
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 10, ledger: 10, sold: 0 })
    await lapseOrders(shop.em(), new Date(Date.now() + 24 * 3_600_000))
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 10, ledger: 10, sold: 0 })
  })

  it('cannot pay it any more, and nobody captures what they had approved', async () => {
    const { nell, order } = await heldOrder()
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    await cancelOrder(shop, nell, order.id)
    expect(await createPaypalOrder(shop, nell, order.id)).toMatchObject({ userErrors: [{ code: 'ORDER_CANCELLED' }] })
    expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({
      userErrors: [{ code: 'ORDER_CANCELLED' }],
    })
    expect(await payOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({
      userErrors: [{ code: 'ORDER_CANCELLED' }],
    })
    await shop.em().execute('update orders set paypal_watched_from = now() where id = ?', [order.id])
    await reconcile(shop, 120)
    expect(captures(shop)).toBe(0)
  })

  it('may do so after it has lapsed', async () => {
    const { nell, yarn, order } = await heldOrder()
    await holdRunsOut(shop, order.id)
    await lapseOrders(shop.em())
    expect(await cancelOrder(shop, nell, order.id)).toMatchObject({ order: { status: 'CANCELLED' }, userErrors: [] })
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 10, ledger: 10, sold: 0 })
  })

  it('is refused while a payment is under way, and after it', async () => {
    const { nell, order } = await withPaymentUnderWay()
    expect(await cancelOrder(shop, nell, order.id)).toMatchObject({
      order: null,
      userErrors: [{ code: 'PAYMENT_PENDING' }],
    })
    await reconcile(shop, 60)
    expect(await readOrder(shop, nell, order.id)).toMatchObject({ status: 'PAID' })
    expect(await cancelOrder(shop, nell, order.id)).toMatchObject({
      order: null,
      userErrors: [{ code: 'ALREADY_PAID' }],
    })
  })

  it('at the moment it is captured either pays or cancels', async () => {
    for (let round = 0; round < 6; round++) {
      const { nell, yarn, order } = await heldOrder()
      const paypalOrderId = await approvedPayment(shop, nell, order.id)
      const before = captures(shop)
      const [paid, cancelled] = await Promise.all([
        capturePaypalOrder(shop, nell, order.id, paypalOrderId),
        cancelOrder(shop, nell, order.id),
      ])
      const { status, attention } = await readOrder(shop, admin, order.id)
      expect(attention).toBeNull()
      expect([paid.userErrors.length === 0, cancelled.userErrors.length === 0, captures(shop) - before]).toEqual(
        status === 'PAID' ? [true, false, 1] : [false, true, 0],
      )
      expect(await stockOf(shop, yarn.id)).toMatchObject(status === 'PAID' ? { left: 6 } : { left: 10 })
    }
  })

  it('finds only their own', async () => {
    const { order } = await heldOrder()
    for (const other of [admin, await makeUser(shop.em())])
      expect(await cancelOrder(shop, other, order.id)).toMatchObject({
        order: null,
        userErrors: [{ code: 'NOT_FOUND' }],
      })
  })
})

it('money that comes all the same is recorded, and the administrator asked', async () => {
  const { nell, yarn, order } = await heldOrder()
  const paypalOrderId = await approvedPayment(shop, nell, order.id)
  await shop.paypal.captureOrder(paypalOrderId, 'somewhere-else')
  await cancelOrder(shop, nell, order.id)
  await payOrder(shop, nell, order.id, paypalOrderId)
  expect(await readOrder(shop, admin, order.id)).toMatchObject({
    status: 'PAID',
    attention: expect.stringContaining('had cancelled it'),
  })
  expect(await stockOf(shop, yarn.id)).toEqual({ left: 6, ledger: 6, sold: 4 })
})

describe('an administrator who releases a hold', () => {
  it('gives the stock back once and writes it down; the order can be paid while stock is there', async () => {
    const { nell, yarn, order } = await heldOrder()
    const answers = await Promise.all(Array.from({ length: 6 }, () => releaseHold(order.id)))
    expect(answers.flatMap(({ userErrors }) => userErrors.map(({ code }: { code: string }) => code))).toEqual(
      Array(5).fill('NOT_HELD'),
    )
    expect(await readOrder(shop, nell, order.id)).toMatchObject({ status: 'LAPSED', heldUntil: null })
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 10, ledger: 10, sold: 0 })
    const {
      order: { history },
    } = await ask(
      shop,
      admin,
      'query($id: ID!) { order(id: $id) { history { items { action changes { field before after } } } } }',
      { id: order.id },
    )
    expect(history.items).toEqual([
      { action: 'HOLD_RELEASED', changes: [{ field: 'heldUntil', before: order.heldUntil, after: null }] },
    ])
    expect((await createPaypalOrder(shop, nell, order.id)).userErrors).toEqual([])
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 6, ledger: 6, sold: 4 })
  })

  it('is refused while a payment is under way, and where nothing is held', async () => {
    const { order } = await withPaymentUnderWay()
    expect(await releaseHold(order.id)).toMatchObject({ order: null, userErrors: [{ code: 'PAYMENT_PENDING' }] })
    const paid = await bought(shop, await makeUser(shop.em()), [line(await makeProduct(shop.em()))])
    expect(await releaseHold(paid.id)).toMatchObject({ order: null, userErrors: [{ code: 'NOT_HELD' }] })
  })
})

it('says while nobody knows how a payment ended', async () => {
  const { nell, order } = await withPaymentUnderWay()
  const known = async () =>
    (await shop.gql('query($id: ID!) { order(id: $id) { isPaymentUnderWay } }', { id: order.id }, nell)).data.order
      .isPaymentUnderWay
  expect(await known()).toBe(true)
  await reconcile(shop, 60)
  expect(await known()).toBe(false)
})
