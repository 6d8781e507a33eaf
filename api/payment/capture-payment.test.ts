import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lapseOrders } from '../order/lapse-orders.ts'
import {
  approvedPayment,
  buyerDoes,
  capturePaypalOrder,
  createPaypalOrder,
  holdRunsOut,
  line,
  placed,
  plan,
  readOrder,
  stockOf,
} from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type TestShop } from '../testing/shop.ts'
import { capturePayment } from './capture-payment.ts'
import { PaypalUnavailable, type Paypal } from './paypal.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop?.close())
beforeEach(() => shop.simulator.reset())

async function approvedOrder() {
  const [nell, yarn] = [await makeUser(shop.em()), await makeProduct(shop.em())]
  const order = await placed(shop, nell, [line(yarn, 4)])
  return { nell, yarn, order, paypalOrderId: await approvedPayment(shop, nell, order.id) }
}

const attempts = (orderId: string) =>
  shop
    .em()
    .execute<{ number: number; request_id: string; state: string }[]>(
      'select number, request_id, state from payment_attempts where order_id = ? order by number',
      [orderId],
    )

const states = async (orderId: string) => (await attempts(orderId)).map(({ state }) => state)

/** The request ids that PayPal got with captures. */
const requestIds = () =>
  shop.simulator
    .journal()
    .filter(({ path }) => path.endsWith('/capture'))
    .map(({ requestId }) => requestId)

/** A PayPal client whose capture does what a test wants. */
function paypal(captureOrder: Paypal['captureOrder']): Paypal {
  const unused = () => Promise.reject(new Error('Not in this test'))
  return { createOrder: unused, getOrder: unused, captureOrder } as Partial<Paypal> as Paypal
}

describe('an attempt to capture', () => {
  it('is written down before PayPal is asked', async () => {
    const { order, paypalOrderId } = await approvedOrder()
    let seen: string[] = []
    const asking = capturePayment(
      shop.em(),
      paypal(async () => {
        seen = await states(order.id)
        throw new PaypalUnavailable('gone')
      }),
      order.id,
      paypalOrderId,
    )
    await expect(asking).rejects.toThrow(PaypalUnavailable)
    expect(seen).toEqual(['STARTED'])
    expect(await states(order.id)).toEqual(['UNKNOWN'])
  })

  it.each([
    ['nothing special', [], 'CAPTURED'],
    ['PENDING', ['PENDING'], 'PENDING'],
    ['DECLINED', ['DECLINED'], 'DECLINED'],
    ['declined', ['declined'], 'DECLINED'],
    ['500-after-capture', ['500-after-capture'], 'CAPTURED'],
    ['wrong-amount', ['wrong-amount'], 'CAPTURED'],
    ['disconnect', Array(12).fill('disconnect'), 'UNKNOWN'],
  ])('knows its outcome (%s)', async (_name, scenarios, state) => {
    const { nell, order, paypalOrderId } = await approvedOrder()
    await plan(shop, { capture: scenarios })
    await capturePaypalOrder(shop, nell, order.id, paypalOrderId)
    expect(await states(order.id)).toEqual([state])
  })

  it('is one for 20 at once, under one request id', async () => {
    const { nell, order, paypalOrderId } = await approvedOrder()
    await Promise.all(Array.from({ length: 20 }, () => capturePaypalOrder(shop, nell, order.id, paypalOrderId)))
    expect(await attempts(order.id)).toEqual([
      { number: 1, request_id: `capture:${paypalOrderId}:1`, state: 'CAPTURED' },
    ])
    expect(new Set(requestIds())).toEqual(new Set([`capture:${paypalOrderId}:1`]))
  })

  it('keeps its request id while nobody knows how it ended, and gets another one after a no', async () => {
    const { nell, order, paypalOrderId } = await approvedOrder()
    await plan(shop, { capture: Array(6).fill('disconnect') })
    await capturePaypalOrder(shop, nell, order.id, paypalOrderId)
    await plan(shop, { capture: 'declined' })
    await capturePaypalOrder(shop, nell, order.id, paypalOrderId)
    expect(new Set(requestIds())).toEqual(new Set([`capture:${paypalOrderId}:1`]))
    expect(await states(order.id)).toEqual(['DECLINED'])

    await buyerDoes(shop, 'approve', paypalOrderId)
    expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({
      userErrors: [],
      order: { status: 'PAID' },
    })
    expect(requestIds().at(-1)).toBe(`capture:${paypalOrderId}:2`)
    expect(await states(order.id)).toEqual(['DECLINED', 'CAPTURED'])
  })

  it('that a bank declined after all leaves the order payable, with a new PayPal order', async () => {
    const { nell, order, paypalOrderId } = await approvedOrder()
    await plan(shop, { capture: 'DECLINED' })
    await capturePaypalOrder(shop, nell, order.id, paypalOrderId)
    const { paypalOrderId: next, userErrors } = await createPaypalOrder(shop, nell, order.id)
    expect(userErrors).toEqual([])
    expect(next).not.toBe(paypalOrderId)
    await buyerDoes(shop, 'approve', next)
    expect(await capturePaypalOrder(shop, nell, order.id, next)).toMatchObject({
      userErrors: [],
      order: { status: 'PAID' },
    })
  })
})

describe('the hold on the stock', () => {
  it('does not run out while a capture is in flight', async () => {
    const { nell, yarn, order, paypalOrderId } = await approvedOrder()
    await holdRunsOut(shop, order.id)
    let lapsed = -1
    await capturePayment(
      shop.em(),
      paypal(async () => {
        lapsed = await lapseOrders(shop.em())
        throw new PaypalUnavailable('gone')
      }),
      order.id,
      paypalOrderId,
    ).catch(() => {})
    expect(lapsed).toBe(0)
    expect(await readOrder(shop, nell, order.id)).toMatchObject({ status: 'UNPAID' })

    // A shop that died in the middle does not keep the order held for ever.
    await lapseOrders(shop.em(), new Date(Date.now() + 3 * 60_000))
    expect(await readOrder(shop, nell, order.id)).toMatchObject({ status: 'LAPSED' })
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 10, ledger: 10, sold: 0 })
  })

  it('waits for a payment that PayPal is still processing, and for no failed one', async () => {
    const [pending, failed] = [await approvedOrder(), await approvedOrder()]
    await plan(shop, { capture: ['PENDING', 'DECLINED'] })
    await capturePaypalOrder(shop, pending.nell, pending.order.id, pending.paypalOrderId)
    await capturePaypalOrder(shop, failed.nell, failed.order.id, failed.paypalOrderId)
    await lapseOrders(shop.em(), new Date(Date.now() + 24 * 3_600_000))
    expect(await readOrder(shop, pending.nell, pending.order.id)).toMatchObject({ status: 'UNPAID' })
    expect(await readOrder(shop, failed.nell, failed.order.id)).toMatchObject({ status: 'LAPSED' })
  })
})

it('leaves the order with its capture, for the books', async () => {
  const { nell, order, paypalOrderId } = await approvedOrder()
  const payments = async () =>
    (
      await shop.gql(
        'query ($id: ID!) { order(id: $id) { totalPrice payments { captureId paypalOrderId amount createdAt } } }',
        order,
        nell,
      )
    ).data.order
  expect(await payments()).toMatchObject({ payments: [] })
  const { captureId } = await capturePaypalOrder(shop, nell, order.id, paypalOrderId)
  const paid = await payments()
  expect(paid.payments).toEqual([{ captureId, paypalOrderId, amount: paid.totalPrice, createdAt: expect.any(String) }])
})
