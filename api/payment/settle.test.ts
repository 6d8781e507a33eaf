import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { Refusal } from '../kernel/errors.ts'
import { findOrder } from '../order/find-order.ts'
import { lapseOrders } from '../order/lapse-orders.ts'
import { holdRunsOut, line, placed, readOrder, stockOf } from '../testing/purchase.ts'
import { lockWaits } from '../testing/lock-waits.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import type { PaypalPayment } from './paypal.ts'
import { holdForPayment } from './pay-order.ts'
import { settle } from './settle.ts'
import { nth, present } from '#schema/rules/present'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())

async function unpaidOrder() {
  const [nell, yarn] = [await makeUser(shop.em()), await makeProduct(shop.em())]
  return { nell, yarn, order: await placed(shop, nell, [line(yarn)]) }
}

let serial = 0

/** PayPal's report of a payment that fits the order to the cent. */
function report(
  order: { id: string; totalPrice: number },
  capture: Partial<NonNullable<PaypalPayment['capture']>> = {},
): PaypalPayment {
  serial += 1
  return {
    id: `PAYPALORDER${serial}`,
    status: 'COMPLETED',
    orderId: order.id,
    otherPayee: null,
    paysUs: true,
    currency: 'USD',
    amount: order.totalPrice,
    updatedAt: null,
    refunds: [],
    capture: {
      id: `CAPTURE${serial}`,
      status: 'COMPLETED',
      currency: 'USD',
      amount: order.totalPrice,
      orderId: order.id,
      ...capture,
    },
  }
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Refusal)
  return nth((error as Refusal).userErrors, 0).code
}

const amounts = (orderId: string) =>
  shop.em().execute<{ amount: number }[]>('select amount from payments where order_id = ?', [orderId])

describe('settling what PayPal reports', () => {
  it('pays the order once, however often and from however many sides it is reported', async () => {
    const { order } = await unpaidOrder()
    const payment = report(order)
    const answers = await Promise.all(Array.from({ length: 10 }, () => settle(shop.em(), order.id, payment)))
    expect(answers.map(({ captureId }) => captureId)).toEqual(Array(10).fill(present(payment.capture).id))
    expect(await amounts(order.id)).toEqual([{ amount: order.totalPrice }])
    expect(await readOrder(shop, admin, order.id)).toMatchObject({ status: 'PAID', attention: null })
  })

  it.each([-1, 1, 100])('is exact: %i cents off is not paid', async off => {
    const { order } = await unpaidOrder()
    expect(await refusal(settle(shop.em(), order.id, report(order, { amount: order.totalPrice + off })))).toBe(
      'PAYMENT_FAILED',
    )
    expect(await readOrder(shop, admin, order.id)).toMatchObject({
      status: 'UNPAID',
      attention: expect.stringContaining('refund'),
    })
  })

  it.each([
    ['a pending capture', { status: 'PENDING' }, 'PAYMENT_PENDING'],
    ['a declined capture', { status: 'DECLINED' }, 'PAYMENT_FAILED'],
    ['a refunded capture', { status: 'REFUNDED' }, 'PAYMENT_FAILED'],
    ['euros', { currency: 'EUR' }, 'PAYMENT_FAILED'],
    ['another order’s capture', { orderId: '0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c' }, 'PAYMENT_FAILED'],
  ])('does not take %s for a payment', async (_what, capture, code) => {
    const { order } = await unpaidOrder()
    expect(await refusal(settle(shop.em(), order.id, report(order, capture)))).toBe(code)
    expect(await readOrder(shop, admin, order.id)).toMatchObject({ status: 'UNPAID' })
    expect(await amounts(order.id)).toEqual([])
  })

  it('pays an order whose pending capture is completed later', async () => {
    const { order } = await unpaidOrder()
    const pending = report(order, { status: 'PENDING' })
    expect(await refusal(settle(shop.em(), order.id, pending))).toBe('PAYMENT_PENDING')
    await settle(shop.em(), order.id, { ...pending, capture: { ...present(pending.capture), status: 'COMPLETED' } })
    expect(await readOrder(shop, admin, order.id)).toMatchObject({ status: 'PAID', attention: null })
  })

  it('does not take an order without a capture, or one not completed, for a payment', async () => {
    const { order } = await unpaidOrder()
    expect(await refusal(settle(shop.em(), order.id, { ...report(order), capture: null }))).toBe('PAYMENT_FAILED')
    expect(await refusal(settle(shop.em(), order.id, { ...report(order), status: 'APPROVED' }))).toBe('PAYMENT_FAILED')
    expect(await readOrder(shop, admin, order.id)).toMatchObject({ status: 'UNPAID' })
  })

  it('pays one order with one capture, even when two orders claim it at once', async () => {
    const [first, second] = [await unpaidOrder(), await unpaidOrder()]
    const payment = report(first.order, { orderId: null })
    const claim = (order: { id: string }) =>
      settle(shop.em(), order.id, { ...payment, orderId: order.id }).then(
        () => 'paid',
        (error: unknown) => (error instanceof Refusal ? nth(error.userErrors, 0).code : String(error)),
      )
    expect((await Promise.all([claim(first.order), claim(second.order)])).toSorted()).toEqual([
      'PAYMENT_FAILED',
      'paid',
    ])
    expect([...(await amounts(first.order.id)), ...(await amounts(second.order.id))]).toHaveLength(1)
  })

  it('pays an order with one of two captures that come at the same moment, and tells of the other', async () => {
    const { order } = await unpaidOrder()
    const settling = await shop.em().transactional(async tx => {
      await tx.execute('select 1 from orders where id = ? for update', [order.id])
      const both = [report(order), report(order)].map(payment => settle(shop.em(), order.id, payment))
      await lockWaits(shop.em(), 2)
      return { both }
    })
    await Promise.all(settling.both)
    expect(await readOrder(shop, admin, order.id)).toMatchObject({
      status: 'PAID',
      attention: expect.stringContaining('Paid a second time'),
    })
    expect(
      await shop.em().execute(`select 1 from events where subject_id = ? and type = 'ORDER_PAID'`, [order.id]),
    ).toHaveLength(1)
    expect(
      await shop.em().execute(`select 1 from mails where about ->> 'orderId' = ? and kind = 'ORDER_PAID'`, [order.id]),
    ).toHaveLength(1)
  })

  it('records a second payment of one order and asks for a refund', async () => {
    const { yarn, order } = await unpaidOrder()
    await settle(shop.em(), order.id, report(order))
    const { paidAt } = await readOrder(shop, admin, order.id)
    await settle(shop.em(), order.id, report(order))
    expect(await amounts(order.id)).toHaveLength(2)
    expect(await readOrder(shop, admin, order.id)).toMatchObject({
      status: 'PAID',
      paidAt,
      attention: expect.stringContaining('Paid a second time'),
    })
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 9, ledger: 9, sold: 1 })
  })
})

test.each([
  ['waits for its payment', false],
  ['had lapsed', true],
])('of an order that %s says whether stock may have moved', async (_how, hasLapsed) => {
  const how = async () => {
    const { order } = await unpaidOrder()
    if (hasLapsed) await holdRunsOut(shop, order.id)
    expect(await lapseOrders(shop.em())).toBe(hasLapsed ? 1 : 0)
    return order
  }
  const [held, settled] = [await how(), await how()]
  const em = shop.em()
  expect(await holdForPayment(em, present(await findOrder(em, held.id)), 60)).toBe(hasLapsed)
  expect(await settle(shop.em(), settled.id, report(settled))).toMatchObject({ mayMoveStock: hasLapsed })
})
