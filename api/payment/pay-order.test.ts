import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lapseOrders } from '../order/lapse-orders.ts'
import {
  approvedPayment, bought, buyerDoes, capturePaypalOrder, captures, createPaypalOrder, holdRunsOut, line, payOrder, placed, plan, readOrder, stockOf,
} from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { connectPaypal } from './paypal.ts'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())
beforeEach(() => shop.simulator.reset())

async function unpaidOrder(quantity = 2) {
  const [nell, yarn] = [await makeUser(shop.em()), await makeProduct(shop.em())]
  return { nell, yarn, order: await placed(shop, nell, [line(yarn, quantity)]) }
}

const payments = (orderId: string) =>
  shop.em().execute<{ paypal_order_id: string; capture_id: string; amount: number }[]>('select paypal_order_id, capture_id, amount from payments where order_id = ?', [orderId])

/** What PayPal was asked for. */
const created = () => shop.simulator.journal().filter(({ effect }) => effect === 'created').length

async function expectUnpaid(buyer: Account, orderId: string) {
  expect(await readOrder(shop, buyer, orderId)).toMatchObject({ status: 'UNPAID', isPaid: false, paidAt: null })
  expect(await payments(orderId)).toEqual([])
}

describe('paying an order', () => {
  it.each(['paypal', 'card'] as const)('by %s marks it paid and keeps the payment', async source => {
    const { nell, yarn, order } = await unpaidOrder()
    const paypalOrderId = await approvedPayment(shop, nell, order.id, source)
    const paid = await capturePaypalOrder(shop, nell, order.id, paypalOrderId)

    expect(paid).toMatchObject({ captureId: expect.stringMatching(/^[A-Z0-9]{17}$/), userErrors: [], order: { id: order.id, status: 'PAID', isPaid: true, heldUntil: null, attention: null } })
    expect(Date.now() - Date.parse(paid.order.paidAt)).toBeLessThan(60_000)
    expect(await payments(order.id)).toEqual([{ paypal_order_id: paypalOrderId, capture_id: paid.captureId, amount: order.totalPrice }])
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 8, ledger: 8, sold: 2 })
  })

  it('again changes nothing and is no error', async () => {
    const { nell, order } = await unpaidOrder()
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    const first = await capturePaypalOrder(shop, nell, order.id, paypalOrderId)
    expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toEqual(first)
    expect(await payOrder(shop, nell, order.id, paypalOrderId)).toEqual(first)
    expect(await payments(order.id)).toHaveLength(1)
    expect(captures(shop)).toBe(1)
  })

  it('20 times at once moves the money once', async () => {
    const { nell, order } = await unpaidOrder()
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    const answers = await Promise.all(Array.from({ length: 20 }, () => capturePaypalOrder(shop, nell, order.id, paypalOrderId)))
    expect(answers.flatMap(({ userErrors }) => userErrors)).toEqual([])
    expect(new Set(answers.map(({ captureId }) => captureId)).size).toBe(1)
    expect(await payments(order.id)).toHaveLength(1)
    expect(captures(shop)).toBe(1)
    expect(await readOrder(shop, admin, order.id)).toMatchObject({ status: 'PAID', attention: null })
  })

  it('is over once it is paid: no second PayPal order is made', async () => {
    const [nell, yarn] = [await makeUser(shop.em()), await makeProduct(shop.em())]
    const order = await bought(shop, nell, [line(yarn)])
    expect(await createPaypalOrder(shop, nell, order.id)).toMatchObject({ paypalOrderId: null, userErrors: [{ code: 'ALREADY_PAID' }] })
    expect(created()).toBe(1)
  })

  it('needs the buyer’s consent first', async () => {
    const { nell, order } = await unpaidOrder()
    const { paypalOrderId } = await createPaypalOrder(shop, nell, order.id)
    await buyerDoes(shop, 'cancel', paypalOrderId)
    expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({ order: null, userErrors: [{ code: 'PAYMENT_FAILED', message: 'Payment failed. Please try again.' }] })
    await expectUnpaid(nell, order.id)
    await buyerDoes(shop, 'approve', paypalOrderId)
    expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({ userErrors: [], order: { isPaid: true } })
  })
})

describe('the PayPal order', () => {
  it('is the one still open, not a new one for every click', async () => {
    const { nell, order } = await unpaidOrder()
    const first = await createPaypalOrder(shop, nell, order.id)
    expect(await createPaypalOrder(shop, nell, order.id)).toEqual(first)
    await buyerDoes(shop, 'approve', first.paypalOrderId)
    expect(await createPaypalOrder(shop, nell, order.id)).toEqual(first)
    expect(created()).toBe(1)
  })

  it('is one for two buttons pressed at once', async () => {
    const { nell, order } = await unpaidOrder()
    const answers = await Promise.all(Array.from({ length: 5 }, () => createPaypalOrder(shop, nell, order.id)))
    expect(answers.flatMap(({ userErrors }) => userErrors)).toEqual([])
    expect(new Set(answers.map(({ paypalOrderId }) => paypalOrderId)).size).toBe(1)
    expect(created()).toBe(1)
  })

  it('is a new one when PayPal has forgotten the old one', async () => {
    const { nell, order } = await unpaidOrder()
    const first = await createPaypalOrder(shop, nell, order.id)
    shop.simulator.reset()
    const second = await approvedPayment(shop, nell, order.id)
    expect(second).not.toBe(first.paypalOrderId)
    expect(await capturePaypalOrder(shop, nell, order.id, second)).toMatchObject({ userErrors: [], order: { isPaid: true } })
  })

  it('that was captured behind our back is settled when the buyer comes back', async () => {
    const { nell, order } = await unpaidOrder()
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    const paypal = connectPaypal({ baseUrl: shop.simulator.url, clientId: 'test-client', clientSecret: 'test-secret' })
    await paypal.captureOrder(paypalOrderId, 'somewhere-else')
    expect(await createPaypalOrder(shop, nell, order.id)).toMatchObject({ paypalOrderId: null, userErrors: [{ code: 'ALREADY_PAID' }] })
    expect(await readOrder(shop, nell, order.id)).toMatchObject({ status: 'PAID' })
  })

  it('belongs to the order’s owner: anyone else, administrators too, finds no order', async () => {
    const { nell, order } = await unpaidOrder()
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    for (const other of [await makeUser(shop.em()), admin]) {
      expect(await createPaypalOrder(shop, other, order.id)).toMatchObject({ paypalOrderId: null, userErrors: [{ code: 'NOT_FOUND' }] })
      expect(await capturePaypalOrder(shop, other, order.id, paypalOrderId)).toMatchObject({ order: null, userErrors: [{ code: 'NOT_FOUND' }] })
      expect(await payOrder(shop, other, order.id, paypalOrderId)).toMatchObject({ order: null, userErrors: [{ code: 'NOT_FOUND' }] })
    }
    await expectUnpaid(nell, order.id)
    expect(captures(shop)).toBe(0)
  })
})

describe('a payment that does not fit the order', () => {
  it.each([
    ['wrong-amount', 'is over $'],
    ['unreadable-amount', 'an unreadable amount'],
    ['wrong-currency', 'is in EUR, not USD'],
    ['foreign-custom-id', 'names another order'],
  ])('(%s) leaves it unpaid and tells the administrator alone', async (scenario, complaint) => {
    const { nell, order } = await unpaidOrder()
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    await plan(shop, { capture: scenario })
    expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({ order: null, captureId: null, userErrors: [{ code: 'PAYMENT_FAILED' }] })
    await expectUnpaid(nell, order.id)
    expect(await readOrder(shop, nell, order.id)).toMatchObject({ attention: null })
    expect(await readOrder(shop, admin, order.id)).toMatchObject({ attention: expect.stringContaining(complaint) })
    // Asking again does not help, neither by capture nor by hint.
    expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({ userErrors: [{ code: 'PAYMENT_FAILED' }] })
    expect(await payOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({ userErrors: [{ code: 'PAYMENT_FAILED' }] })
    await expectUnpaid(nell, order.id)
  })

  it.each(['11111111111111111', 'COMPLETED', '', '../../v1/oauth2/token', '{"id":"1","status":"COMPLETED"}'])('because it was made up (%j) is not believed', async forged => {
    const { nell, order } = await unpaidOrder()
    await createPaypalOrder(shop, nell, order.id)
    expect(await payOrder(shop, nell, order.id, forged)).toMatchObject({ order: null, captureId: null, userErrors: [{ code: 'PAYMENT_FAILED' }] })
    expect(await capturePaypalOrder(shop, nell, order.id, forged)).toMatchObject({ userErrors: [{ code: 'PAYMENT_FAILED' }] })
    await expectUnpaid(nell, order.id)
  })

  it('because nothing was captured is not believed', async () => {
    const { nell, order } = await unpaidOrder()
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    expect(await payOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({ order: null, userErrors: [{ code: 'PAYMENT_FAILED' }] })
    await expectUnpaid(nell, order.id)
  })

  it('because it paid another order already is refused, also 20 times at once', async () => {
    const [nell, yarn] = [await makeUser(shop.em()), await makeProduct(shop.em())]
    const [first, second] = [await placed(shop, nell, [line(yarn)]), await placed(shop, nell, [line(yarn)])]
    const paypalOrderId = await approvedPayment(shop, nell, first.id)
    await createPaypalOrder(shop, nell, second.id)
    expect((await capturePaypalOrder(shop, nell, first.id, paypalOrderId)).userErrors).toEqual([])

    const tries = await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 ? payOrder : capturePaypalOrder)(shop, nell, second.id, paypalOrderId)))
    expect(tries.map(({ userErrors }) => userErrors[0].code)).toEqual(Array(20).fill('PAYMENT_FAILED'))
    await expectUnpaid(nell, second.id)
    expect(captures(shop)).toBe(1)
  })
})

describe('a client that captured by itself', () => {
  it('is believed when PayPal says the same', async () => {
    const { nell, order } = await unpaidOrder()
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    const paypal = connectPaypal({ baseUrl: shop.simulator.url, clientId: 'test-client', clientSecret: 'test-secret' })
    const { capture } = await paypal.captureOrder(paypalOrderId, 'by-the-client')
    expect(await payOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({ captureId: capture!.id, userErrors: [], order: { status: 'PAID' } })
  })
})

describe('PayPal says', () => {
  it('pending: the order waits, and nobody is alarmed', async () => {
    const { nell, order } = await unpaidOrder()
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    await plan(shop, { capture: 'PENDING' })
    expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({ order: null, userErrors: [{ code: 'PAYMENT_PENDING' }] })
    expect(await payOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({ userErrors: [{ code: 'PAYMENT_PENDING' }] })
    await expectUnpaid(nell, order.id)
    expect(await readOrder(shop, admin, order.id)).toMatchObject({ attention: null })
  })

  it('declined: the buyer chooses another card and pays the same order', async () => {
    const { nell, order } = await unpaidOrder()
    const { paypalOrderId } = await createPaypalOrder(shop, nell, order.id)
    for (let round = 0; round < 2; round++) {
      await buyerDoes(shop, 'decline', paypalOrderId, 'card')
      expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({ order: null, userErrors: [{ code: 'INSTRUMENT_DECLINED' }] })
      await expectUnpaid(nell, order.id)
    }
    expect((await createPaypalOrder(shop, nell, order.id)).paypalOrderId).toBe(paypalOrderId)
    await buyerDoes(shop, 'approve', paypalOrderId, 'card')
    expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({ userErrors: [], order: { status: 'PAID' } })
    expect(captures(shop)).toBe(1)
  })

  it('failed, with a capture to show for it: the order stays unpaid', async () => {
    const { nell, order } = await unpaidOrder()
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    await plan(shop, { capture: 'DECLINED' })
    expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({ order: null, userErrors: [{ code: 'PAYMENT_FAILED' }] })
    await expectUnpaid(nell, order.id)
  })

  it.each(['500-after-capture', 'disconnect-after-capture', 'no-id'])('nothing usable although the money moved (%s): the order is paid all the same, once', async scenario => {
    const { nell, order } = await unpaidOrder()
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    await plan(shop, { capture: scenario })
    expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({ userErrors: [], order: { status: 'PAID' } })
    expect(captures(shop)).toBe(1)
    expect(await payments(order.id)).toHaveLength(1)
  })
})

describe('PayPal cannot be reached', () => {
  const down = Array(12).fill('disconnect')

  it('when the buyer wants to pay: try again later, then it works', async () => {
    const { nell, order } = await unpaidOrder()
    await plan(shop, { create: down })
    expect(await createPaypalOrder(shop, nell, order.id)).toMatchObject({ paypalOrderId: null, userErrors: [{ code: 'PAYMENT_UNAVAILABLE' }] })
    await plan(shop, {})
    expect((await createPaypalOrder(shop, nell, order.id)).paypalOrderId).toMatch(/^[A-Z0-9]{17}$/)
  })

  it('when the money should move: the order stays payable', async () => {
    const { nell, order } = await unpaidOrder()
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    await plan(shop, { capture: down, get: down })
    expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({ order: null, userErrors: [{ code: 'PAYMENT_UNAVAILABLE' }] })
    expect(await payOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({ userErrors: [{ code: 'PAYMENT_UNAVAILABLE' }] })
    await expectUnpaid(nell, order.id)
    await plan(shop, {})
    expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({ userErrors: [], order: { status: 'PAID' } })
    expect(captures(shop)).toBe(1)
  })

  it('because it answers nonsense: the order stays payable', async () => {
    const { nell, order } = await unpaidOrder()
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    await plan(shop, { capture: ['nonsense', 'nonsense'], get: ['nonsense', 'nonsense'] })
    expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({ userErrors: [{ code: 'PAYMENT_UNAVAILABLE' }] })
    await expectUnpaid(nell, order.id)
  })
})

describe('money that comes after the hold has lapsed', () => {
  async function lapsedAfterApproval(leftForOthers: number) {
    const { nell, yarn, order } = await unpaidOrder(4)
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    await holdRunsOut(shop, order.id)
    await lapseOrders(shop.em())
    if (leftForOthers > 0) await placed(shop, await makeUser(shop.em()), [line(yarn, leftForOthers)])
    return { nell, yarn, order, paypalOrderId }
  }

  it('takes the stock again when it is there', async () => {
    const { nell, yarn, order, paypalOrderId } = await lapsedAfterApproval(6)
    expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({ userErrors: [], order: { status: 'PAID' } })
    expect(await readOrder(shop, admin, order.id)).toMatchObject({ attention: null })
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 0, ledger: 0, sold: 10 })
  })

  it('is recorded even when the stock is gone: the order is paid, and the administrator has to act', async () => {
    const { nell, yarn, order, paypalOrderId } = await lapsedAfterApproval(7)
    expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({ userErrors: [], order: { status: 'PAID', attention: null } })
    expect(await readOrder(shop, admin, order.id)).toMatchObject({ attention: expect.stringContaining('the stock is gone') })
    expect(await payments(order.id)).toHaveLength(1)
    // Only what was in stock was taken; nothing is counted twice or below zero.
    expect(await stockOf(shop, yarn.id)).toMatchObject({ left: 3, ledger: 3 })
  })

  it('while the hold is running out is paid with the stock taken exactly once', async () => {
    const { nell, yarn, order } = await unpaidOrder(4)
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    await holdRunsOut(shop, order.id)
    const [paid] = await Promise.all([capturePaypalOrder(shop, nell, order.id, paypalOrderId), lapseOrders(shop.em()), lapseOrders(shop.em())])
    expect(paid).toMatchObject({ userErrors: [], order: { status: 'PAID' } })
    await lapseOrders(shop.em())
    expect(await readOrder(shop, admin, order.id)).toMatchObject({ status: 'PAID', attention: null })
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 6, ledger: 6, sold: 4 })
  })
})
