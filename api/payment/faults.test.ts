import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import {
  approvedPayment,
  buyerDoes,
  capturePaypalOrder,
  captures,
  createPaypalOrder,
  line,
  payOrder,
  placed,
  plan,
  readOrder,
  reconcile,
  stockOf,
} from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { connectPaypal } from './connect-paypal.ts'
import { nth } from '#schema/rules/present'

// The short form of `faults × moments`: whatever PayPal does, and wherever the shop is interrupted, a minute later both
// agree, and money moved at most once.

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())
beforeEach(async () => {
  await shop.simulator.webhooks.arrived()
  shop.simulator.webhooks.sendTo(null)
  shop.simulator.reset()
  await shop
    .em()
    .execute(
      `update orders set paypal_watched_from = null; update payment_attempts set state = 'FAILED' where state in ('STARTED', 'UNKNOWN', 'PENDING')`,
    )
})

async function unpaidOrder() {
  const [nell, yarn] = [await makeUser(shop.em()), await makeProduct(shop.em())]
  return { nell, yarn, order: await placed(shop, nell, [line(yarn, 2)]) }
}

const payments = async (orderId: string) =>
  (await shop.em().execute('select 1 from payments where order_id = ?', [orderId])).length

/** Runs a test with a shop that waits only 300 milliseconds for PayPal. */
async function impatient<T>(run: (hasty: TestShop) => Promise<T>): Promise<T> {
  const paypal = connectPaypal(
    { baseUrl: shop.simulator.url, clientId: 'test-client', clientSecret: 'test-secret' },
    { timeoutMs: 300 },
  )
  const hasty = await openShop({ paypal })
  try {
    return await run({ ...hasty, simulator: shop.simulator, paypal })
  } finally {
    await hasty.close()
  }
}

/** Checks what PayPal and the shop each say about the payment. */
async function expectAgreement(at: TestShop, orderId: string, paid: boolean) {
  const orders = await at
    .em()
    .execute<{ paid: boolean; paypal_order_id: string }[]>(
      'select paid_at is not null as paid, paypal_order_id from orders where id = ?',
      [orderId],
    )
  const atPaypal = await shop.paypal.getOrder(nth(orders, 0).paypal_order_id)
  expect({ shop: nth(orders, 0).paid, paypal: atPaypal?.capture?.status === 'COMPLETED' }).toEqual({
    shop: paid,
    paypal: paid,
  })
  expect(captures(shop)).toBe(paid ? 1 : 0)
  expect(await at.em().execute('select 1 from payments where order_id = ?', [orderId])).toHaveLength(paid ? 1 : 0)
}

const TROUBLE = ['500', '429', 'disconnect', 'nonsense', '401', 'in-progress']
const lasting = (fault: string) => Array<string>(12).fill(fault)

describe('a minute after', () => {
  test.each([
    ...TROUBLE.map(fault => [`${fault}, once`, [fault]] as const),
    ...TROUBLE.map(fault => [`${fault}, and again and again`, lasting(fault)] as const),
    ...['disconnect-after-capture', '500-after-capture', 'no-id', 'declined', 'PENDING', 'DECLINED'].map(
      fault => [fault, [fault]] as const,
    ),
  ])('a capture that met %s', async (_name, faults) => {
    const { nell, order } = await unpaidOrder()
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    await plan(shop, { capture: [...faults] })
    await capturePaypalOrder(shop, nell, order.id, paypalOrderId)
    await plan(shop, {})
    if (faults[0] === 'PENDING') shop.simulator.decide(paypalOrderId, 'COMPLETED')
    for (const seconds of [30, 60, 90]) await reconcile(shop, seconds)
    if (/declined/i.test(faults[0])) {
      expect(await readOrder(shop, admin, order.id)).toMatchObject({ status: 'UNPAID', attention: null })
      expect(await payments(order.id)).toBe(0)
    } else {
      await expectAgreement(shop, order.id, true)
    }
  })

  test.each(TROUBLE)('a capture and its reading back that both met %s', async fault => {
    const { nell, order } = await unpaidOrder()
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    await plan(shop, { capture: ['500-after-capture'], get: lasting(fault) })
    await capturePaypalOrder(shop, nell, order.id, paypalOrderId)
    await plan(shop, {})
    for (const seconds of [30, 60]) await reconcile(shop, seconds)
    await expectAgreement(shop, order.id, true)
  })

  test.each(TROUBLE)('a PayPal order whose making met %s: it can be made, and is paid once', async fault => {
    const { nell, order } = await unpaidOrder()
    await plan(shop, { create: lasting(fault) })
    await createPaypalOrder(shop, nell, order.id)
    await plan(shop, {})
    const { paypalOrderId } = await createPaypalOrder(shop, nell, order.id)
    await buyerDoes(shop, 'approve', paypalOrderId)
    await capturePaypalOrder(shop, nell, order.id, paypalOrderId)
    await expectAgreement(shop, order.id, true)
  })

  test.each(TROUBLE)('a client’s own capture whose confirmation met %s', async fault => {
    const { nell, order } = await unpaidOrder()
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    await shop.paypal.captureOrder(paypalOrderId, 'by-the-client')
    await plan(shop, { get: lasting(fault) })
    expect(await payOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({
      userErrors: [{ code: 'PAYMENT_UNAVAILABLE' }],
    })
    await plan(shop, {})
    for (const seconds of [30, 60]) await reconcile(shop, seconds)
    await expectAgreement(shop, order.id, true)
  })

  test.each(['timeout', 'timeout-after-capture'])('a capture that met %s', async fault => {
    await impatient(async hasty => {
      const [nell, yarn] = [await makeUser(hasty.em()), await makeProduct(hasty.em())]
      const order = await placed(hasty, nell, [line(yarn)])
      const paypalOrderId = await approvedPayment(hasty, nell, order.id)
      await plan(shop, { capture: [fault], get: lasting('timeout').slice(0, 2) })
      await capturePaypalOrder(hasty, nell, order.id, paypalOrderId)
      await plan(shop, {})
      for (const seconds of [30, 60, 90]) await reconcile(hasty, seconds)
      await expectAgreement(hasty, order.id, true)
    })
  })

  test.each(['wrong-amount', 'wrong-currency', 'unreadable-amount', 'foreign-custom-id', 'other-payee'])(
    'money that does not fit (%s), nothing is paid and the administrator knows',
    async fault => {
      const { nell, order } = await unpaidOrder()
      const paypalOrderId = await approvedPayment(shop, nell, order.id)
      await plan(shop, { capture: [fault] })
      await capturePaypalOrder(shop, nell, order.id, paypalOrderId)
      for (const seconds of [30, 60, 90]) await reconcile(shop, seconds)
      expect(await readOrder(shop, admin, order.id)).toMatchObject({
        status: 'UNPAID',
        attention: expect.stringContaining('refund'),
      })
      expect(await payments(order.id)).toBe(0)
      expect(captures(shop)).toBe(1)
    },
  )
})

describe('many at once', () => {
  it('100 pays of one order are one payment', async () => {
    const { nell, yarn, order } = await unpaidOrder()
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        (index % 4 ? capturePaypalOrder : payOrder)(shop, nell, order.id, paypalOrderId),
      ),
    )
    expect(new Set(answers.map(({ captureId }) => captureId).filter(Boolean)).size).toBe(1)
    await expectAgreement(shop, order.id, true)
    expect(await readOrder(shop, admin, order.id)).toMatchObject({ attention: null })
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 8, ledger: 8, sold: 2 })
  })

  it('one capture offered to two orders 100 times pays one', async () => {
    const [first, second] = [await unpaidOrder(), await unpaidOrder()]
    const paypalOrderId = await approvedPayment(shop, first.nell, first.order.id)
    await createPaypalOrder(shop, second.nell, second.order.id)
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        index % 2
          ? capturePaypalOrder(shop, first.nell, first.order.id, paypalOrderId)
          : capturePaypalOrder(shop, second.nell, second.order.id, paypalOrderId),
      ),
    )
    await reconcile(shop, 90)
    await expectAgreement(shop, first.order.id, true)
    expect(await readOrder(shop, admin, second.order.id)).toMatchObject({ status: 'UNPAID' })
    expect(await payments(second.order.id)).toBe(0)
  })

  it('shopper, webhooks in copies and two reconcilers together make one payment', async () => {
    shop.simulator.webhooks.sendTo(`${shop.url}/api/webhooks/paypal`)
    shop.simulator.webhooks.hold()
    const { nell, order } = await unpaidOrder()
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    await Promise.all([
      capturePaypalOrder(shop, nell, order.id, paypalOrderId).then(() =>
        shop.simulator.webhooks.release({ copies: 5, reversed: true }),
      ),
      ...Array.from({ length: 5 }, () => capturePaypalOrder(shop, nell, order.id, paypalOrderId)),
      reconcile(shop, 90),
      reconcile(shop, 90),
    ])
    await shop.simulator.webhooks.arrived()
    await expectAgreement(shop, order.id, true)
    expect(await readOrder(shop, admin, order.id)).toMatchObject({ status: 'PAID', attention: null })
  })
})
