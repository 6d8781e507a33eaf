import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ask, auditOf, REFUSED } from '../testing/admin.ts'
import { approvedPayment, bought, capturePaypalOrder, line, placed, plan, reconcile } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { present } from '#schema/rules/present'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop()
  shop.simulator.webhooks.sendTo(`${shop.url}/api/webhooks/paypal`)
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())
beforeEach(async () => {
  await shop.simulator.webhooks.arrived()
  shop.simulator.reset()
})

const REFUNDED =
  'id status totalPrice refundedAmount isRefunded attention refunds { id amount reason status refundedBy }'

async function paidOrder() {
  const [nell, yarn] = [await makeUser(shop.em()), await makeProduct(shop.em())]
  const order = await bought(shop, nell, [line(yarn, 2)])
  await shop.simulator.webhooks.arrived()
  return { nell, id: order.id as string, total: order.totalPrice as number }
}

let serial = 0

async function refund(orderId: string, amount: number | null, more: { reason?: string; idempotencyKey?: string } = {}) {
  const data = await ask(
    shop,
    admin,
    `mutation($orderId: ID!, $amount: Cents, $reason: String, $key: String!) { refundOrder(orderId: $orderId, amount: $amount, reason: $reason, idempotencyKey: $key) { order { ${REFUNDED} } ${REFUSED} } }`,
    { orderId, amount, reason: more.reason ?? null, key: more.idempotencyKey ?? `refund-${++serial}` },
  )
  return data.refundOrder
}

const read = async (id: string, reader = admin) =>
  (await ask(shop, reader, `query($id: ID!) { order(id: $id) { ${REFUNDED} } }`, { id })).order

/** The amounts refunded, according to PayPal. */
async function backAtPaypal(orderId: string): Promise<number[]> {
  const [row] = await shop
    .em()
    .execute<{ paypal_order_id: string }[]>('select paypal_order_id from orders where id = ?', [orderId])
  return present(await shop.paypal.getOrder(present(row).paypal_order_id)).refunds.map(({ amount }) => present(amount))
}

describe('a refund', () => {
  it('of all that was paid', async () => {
    const { nell, id, total } = await paidOrder()
    const { order, userErrors } = await refund(id, null, { reason: 'Moths' })
    expect(userErrors).toEqual([])
    expect(order).toMatchObject({
      status: 'PAID',
      refundedAmount: total,
      isRefunded: true,
      refunds: [{ amount: total, reason: 'Moths', status: 'COMPLETED', refundedBy: 'Nell Knitter' }],
    })
    expect(await backAtPaypal(id)).toEqual([total])
    expect(await auditOf(shop, admin, id)).toMatchObject([
      {
        action: 'REFUNDED',
        changes: [
          { field: 'refundedAmount', before: '0', after: String(total) },
          { field: 'reason', before: null, after: 'Moths' },
        ],
      },
    ])
    expect(await read(id, nell)).toMatchObject({ refundedAmount: total, isRefunded: true })
  })

  it('in parts, never more than was paid', async () => {
    const { id, total } = await paidOrder()
    expect((await refund(id, 1000)).order).toMatchObject({ refundedAmount: 1000, isRefunded: false })
    expect((await refund(id, total)).userErrors).toMatchObject([
      { code: 'INVALID', field: ['amount'], message: expect.stringContaining('At most $') },
    ])
    expect((await refund(id, null)).order).toMatchObject({ refundedAmount: total, isRefunded: true })
    expect((await refund(id, 1)).userErrors).toMatchObject([
      { code: 'INVALID', message: 'All that was paid has been refunded.' },
    ])
    expect(await backAtPaypal(id)).toEqual([1000, total - 1000])
  })

  it('asked for many times with one key sends the money once', async () => {
    const { id } = await paidOrder()
    const answers = await Promise.all(Array.from({ length: 10 }, () => refund(id, 700, { idempotencyKey: 'once' })))
    expect(answers.flatMap(({ userErrors }) => userErrors)).toEqual([])
    expect(answers.map(({ order }) => order.refundedAmount)).toEqual(Array(10).fill(700))
    expect(await backAtPaypal(id)).toEqual([700])
    expect((await refund(id, 800, { idempotencyKey: 'once' })).userErrors).toMatchObject([
      { code: 'IDEMPOTENCY_MISMATCH' },
    ])
    expect(await auditOf(shop, admin, id)).toHaveLength(1)
    await shop.simulator.webhooks.arrived()
    expect(await read(id)).toMatchObject({ refundedAmount: 700, refunds: [{ amount: 700 }] })
  })

  it('of half asked for by ten at once goes back twice, and no cent more', async () => {
    const { id, total } = await paidOrder()
    const part = Math.floor(total / 2)
    const answers = await Promise.all(Array.from({ length: 10 }, () => refund(id, part)))
    expect(answers.filter(({ userErrors }) => userErrors.length === 0)).toHaveLength(2)
    await shop.simulator.webhooks.arrived()
    expect(await backAtPaypal(id)).toEqual([part, part])
    expect(await read(id)).toMatchObject({ refundedAmount: 2 * part })
  })

  it.each([0, -100, 2_000_000_000])('of %i cents is refused', async amount => {
    const { id } = await paidOrder()
    expect((await refund(id, amount)).userErrors).toMatchObject([{ code: 'INVALID' }])
    expect(await backAtPaypal(id)).toEqual([])
  })

  it('of an order that is not paid, or not there, is refused', async () => {
    const order = await placed(shop, await makeUser(shop.em()), [line(await makeProduct(shop.em()))])
    expect((await refund(order.id, null)).userErrors).toMatchObject([{ code: 'NOT_PAID' }])
    expect((await refund('nowhere', null)).userErrors).toMatchObject([{ code: 'NOT_FOUND' }])
  })

  it('that PayPal sends later is counted at once and done when PayPal says so', async () => {
    const { id } = await paidOrder()
    await plan(shop, { refund: 'PENDING' })
    expect((await refund(id, 500)).order).toMatchObject({ refundedAmount: 500, refunds: [{ status: 'PENDING' }] })
  })

  it('that PayPal refuses frees what was reserved', async () => {
    const { id, total } = await paidOrder()
    const [row] = await shop
      .em()
      .execute<{ capture_id: string }[]>('select capture_id from payments where order_id = ?', [id])
    shop.simulator.webhooks.sendTo(null)
    await shop.paypal.refundCapture(present(row).capture_id, {
      refundId: 'at-paypal',
      amount: total,
      note: null,
      requestId: 'at-paypal',
    })
    shop.simulator.webhooks.sendTo(`${shop.url}/api/webhooks/paypal`)
    expect((await refund(id, 500)).userErrors).toMatchObject([{ code: 'REFUND_FAILED' }])
    expect(await read(id)).toMatchObject({ refundedAmount: 0, refunds: [{ status: 'FAILED' }] })
  })
})

describe('when PayPal’s answer is lost', () => {
  it.each(['500-after-refund', 'disconnect-after-refund', '500', '429', 'nonsense'])(
    '(%s) the money goes back once',
    async scenario => {
      const { id } = await paidOrder()
      await plan(shop, { refund: scenario })
      await refund(id, 900)
      for (const seconds of [60, 120]) await reconcile(shop, seconds)
      await shop.simulator.webhooks.arrived()
      expect(await backAtPaypal(id)).toEqual([900])
      expect(await read(id)).toMatchObject({ refundedAmount: 900, refunds: [{ amount: 900, status: 'COMPLETED' }] })
      expect(await auditOf(shop, admin, id)).toHaveLength(1)
    },
  )

  it('for good, the administrator is told so, and the shop finds out by itself', async () => {
    const { id } = await paidOrder()
    await plan(shop, { refund: Array(3).fill('disconnect') })
    expect((await refund(id, 900, { idempotencyKey: 'lost' })).userErrors).toMatchObject([
      { code: 'PAYMENT_UNAVAILABLE' },
    ])
    expect(await read(id)).toMatchObject({ refundedAmount: 900, refunds: [{ status: 'PENDING' }] })
    await reconcile(shop, 60)
    expect(await backAtPaypal(id)).toEqual([900])
    expect(await read(id)).toMatchObject({ refundedAmount: 900, refunds: [{ status: 'COMPLETED' }] })
    expect((await refund(id, 900, { idempotencyKey: 'lost' })).userErrors).toEqual([])
    expect(await backAtPaypal(id)).toEqual([900])
  })

  it('and PayPal no longer remembers the request, it is not asked for again', async () => {
    const { id } = await paidOrder()
    await plan(shop, { refund: Array(3).fill('disconnect') })
    await refund(id, 900)
    await reconcile(shop, 6 * 3600)
    expect(await backAtPaypal(id)).toEqual([])
    expect(await read(id)).toMatchObject({
      refundedAmount: 0,
      attention: expect.stringContaining('$9.00'),
      refunds: [{ status: 'FAILED' }],
    })
  })
})

describe('PayPal’s word of a refund', () => {
  it('before its answer is the same refund', async () => {
    const { id } = await paidOrder()
    shop.simulator.webhooks.hold()
    await plan(shop, { refund: Array(3).fill('500-after-refund') })
    await refund(id, 900)
    await shop.simulator.webhooks.release({ copies: 3 })
    await reconcile(shop, 60)
    expect(await read(id)).toMatchObject({
      refundedAmount: 900,
      refunds: [{ amount: 900, status: 'COMPLETED', refundedBy: 'Nell Knitter' }],
    })
    expect(await backAtPaypal(id)).toEqual([900])
  })

  it('that was made at PayPal is recorded', async () => {
    const { id, total } = await paidOrder()
    const [row] = await shop
      .em()
      .execute<{ capture_id: string }[]>('select capture_id from payments where order_id = ?', [id])
    await shop.paypal.refundCapture(present(row).capture_id, {
      refundId: 'at-paypal',
      amount: 300,
      note: null,
      requestId: 'at-paypal',
    })
    await shop.simulator.webhooks.arrived()
    expect(await read(id)).toMatchObject({
      refundedAmount: 300,
      refunds: [{ amount: 300, status: 'COMPLETED', refundedBy: null }],
    })
    expect((await refund(id, total)).userErrors).toMatchObject([{ code: 'INVALID' }])
  })

  it('before its word of the payment loses neither', async () => {
    const [nell, yarn] = [await makeUser(shop.em()), await makeProduct(shop.em())]
    const order = await placed(shop, nell, [line(yarn)])
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    await shop.simulator.webhooks.arrived()
    shop.simulator.webhooks.hold()
    const { capture } = await shop.paypal.captureOrder(paypalOrderId, 'by-the-client')
    await shop.paypal.refundCapture(present(capture).id, {
      refundId: 'at-paypal',
      amount: 300,
      note: null,
      requestId: 'at-paypal',
    })
    await shop.simulator.webhooks.release({ reversed: true, copies: 2 })
    expect(await shop.simulator.webhooks.arrived()).toEqual([200, 200, 200, 200])
    expect(await read(order.id)).toMatchObject({
      status: 'PAID',
      refundedAmount: 300,
      attention: null,
      refunds: [{ amount: 300, refundedBy: null }],
    })
  })

  it('that the bank took the money back needs attention', async () => {
    const { nell, yarn } = { nell: await makeUser(shop.em()), yarn: await makeProduct(shop.em()) }
    const order = await placed(shop, nell, [line(yarn)])
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    await capturePaypalOrder(shop, nell, order.id, paypalOrderId)
    shop.simulator.reverse(paypalOrderId)
    await shop.simulator.webhooks.arrived()
    expect(await read(order.id)).toMatchObject({
      status: 'PAID',
      isRefunded: true,
      attention: expect.stringContaining('back'),
    })
    // Paying again cannot get around it, and the shopper's repeated request gets the same answer as before.
    expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({
      userErrors: [],
      order: { status: 'PAID' },
    })
  })
})
