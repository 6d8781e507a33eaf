import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { toDecimal } from '#schema/rules/money'
import { lapseOrders } from '../order/lapse-orders.ts'
import {
  approvedPayment,
  bought,
  buyerDoes,
  capturePaypalOrder,
  captures,
  createPaypalOrder,
  holdRunsOut,
  line,
  openOwnPayment,
  payOrder,
  placed,
  plan,
  readOrder,
  reconcile,
  stockOf,
} from '../testing/purchase.ts'
import { ANY_HOLD, makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { confirmPayment } from './pay-order.ts'
import { connectPaypal } from './connect-paypal.ts'
import { nth, present } from '#schema/rules/present'

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
  shop
    .em()
    .execute<{ paypal_order_id: string; capture_id: string; amount: number }[]>(
      'select paypal_order_id, capture_id, amount from payments where order_id = ?',
      [orderId],
    )

/** How many payments were opened at PayPal. */
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

    expect(paid).toMatchObject({
      captureId: expect.stringMatching(/^[A-Z0-9]{17}$/),
      userErrors: [],
      order: { id: order.id, status: 'PAID', isPaid: true, heldUntil: null, attention: null },
    })
    expect(Date.now() - Date.parse(paid.order.paidAt)).toBeLessThan(60_000)
    expect(await payments(order.id)).toEqual([
      { paypal_order_id: paypalOrderId, capture_id: paid.captureId, amount: order.totalPrice },
    ])
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
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => capturePaypalOrder(shop, nell, order.id, paypalOrderId)),
    )
    expect(answers.flatMap(({ userErrors }) => userErrors)).toEqual([])
    expect(new Set(answers.map(({ captureId }) => captureId)).size).toBe(1)
    expect(await payments(order.id)).toHaveLength(1)
    expect(captures(shop)).toBe(1)
    expect(await readOrder(shop, admin, order.id)).toMatchObject({ status: 'PAID', attention: null })
  })

  it('is over once it is paid: no second PayPal order is made', async () => {
    const [nell, yarn] = [await makeUser(shop.em()), await makeProduct(shop.em())]
    const order = await bought(shop, nell, [line(yarn)])
    expect(await createPaypalOrder(shop, nell, order.id)).toMatchObject({
      paypalOrderId: null,
      userErrors: [{ code: 'ALREADY_PAID' }],
    })
    expect(created()).toBe(1)
  })

  it('needs the buyer’s consent first', async () => {
    const { nell, order } = await unpaidOrder()
    const { paypalOrderId } = await createPaypalOrder(shop, nell, order.id)
    await buyerDoes(shop, 'cancel', paypalOrderId)
    expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({
      order: null,
      userErrors: [{ code: 'PAYMENT_FAILED', message: 'Payment failed. Please try again.' }],
    })
    await expectUnpaid(nell, order.id)
    await buyerDoes(shop, 'approve', paypalOrderId)
    expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({
      userErrors: [],
      order: { isPaid: true },
    })
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
    expect(await capturePaypalOrder(shop, nell, order.id, second)).toMatchObject({
      userErrors: [],
      order: { isPaid: true },
    })
  })

  it('that was captured behind our back is settled when the buyer comes back', async () => {
    const { nell, order } = await unpaidOrder()
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    const paypal = connectPaypal({ baseUrl: shop.simulator.url, clientId: 'test-client', clientSecret: 'test-secret' })
    await paypal.captureOrder(paypalOrderId, 'somewhere-else')
    expect(await createPaypalOrder(shop, nell, order.id)).toMatchObject({
      paypalOrderId: null,
      userErrors: [{ code: 'ALREADY_PAID' }],
    })
    expect(await readOrder(shop, nell, order.id)).toMatchObject({ status: 'PAID' })
  })

  it('belongs to the order’s owner: anyone else, administrators too, finds no order', async () => {
    const { nell, order } = await unpaidOrder()
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    for (const other of [await makeUser(shop.em()), admin]) {
      expect(await createPaypalOrder(shop, other, order.id)).toMatchObject({
        paypalOrderId: null,
        userErrors: [{ code: 'NOT_FOUND' }],
      })
      expect(await capturePaypalOrder(shop, other, order.id, paypalOrderId)).toMatchObject({
        order: null,
        userErrors: [{ code: 'NOT_FOUND' }],
      })
      expect(await payOrder(shop, other, order.id, paypalOrderId)).toMatchObject({
        order: null,
        userErrors: [{ code: 'NOT_FOUND' }],
      })
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
    expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({
      order: null,
      captureId: null,
      userErrors: [{ code: 'PAYMENT_FAILED' }],
    })
    await expectUnpaid(nell, order.id)
    expect(await readOrder(shop, nell, order.id)).toMatchObject({ attention: null })
    expect(await readOrder(shop, admin, order.id)).toMatchObject({ attention: expect.stringContaining(complaint) })
    // Asking again does not help, neither with a capture nor with a hint.
    expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({
      userErrors: [{ code: 'PAYMENT_FAILED' }],
    })
    expect(await payOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({
      userErrors: [{ code: 'PAYMENT_FAILED' }],
    })
    await expectUnpaid(nell, order.id)
  })

  it.each(['11111111111111111', 'COMPLETED', '', '../../v1/oauth2/token', '{"id":"1","status":"COMPLETED"}'])(
    'because it was made up (%j) is not believed',
    async forged => {
      const { nell, order } = await unpaidOrder()
      await createPaypalOrder(shop, nell, order.id)
      expect(await payOrder(shop, nell, order.id, forged)).toMatchObject({
        order: null,
        captureId: null,
        userErrors: [{ code: 'PAYMENT_FAILED' }],
      })
      expect(await capturePaypalOrder(shop, nell, order.id, forged)).toMatchObject({
        userErrors: [{ code: 'PAYMENT_FAILED' }],
      })
      await expectUnpaid(nell, order.id)
    },
  )

  it('because nobody approved it is not believed', async () => {
    const { nell, order } = await unpaidOrder()
    const { paypalOrderId } = await createPaypalOrder(shop, nell, order.id)
    expect(await payOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({
      order: null,
      userErrors: [{ code: 'PAYMENT_FAILED', message: expect.stringContaining('not been approved') }],
    })
    await expectUnpaid(nell, order.id)
    expect(captures(shop)).toBe(0)
  })

  it('because it paid another order already is refused, also 20 times at once', async () => {
    const [nell, yarn] = [await makeUser(shop.em()), await makeProduct(shop.em())]
    const [first, second] = [await placed(shop, nell, [line(yarn)]), await placed(shop, nell, [line(yarn)])]
    const paypalOrderId = await approvedPayment(shop, nell, first.id)
    await createPaypalOrder(shop, nell, second.id)
    expect((await capturePaypalOrder(shop, nell, first.id, paypalOrderId)).userErrors).toEqual([])

    const tries = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? payOrder : capturePaypalOrder)(shop, nell, second.id, paypalOrderId),
      ),
    )
    expect(tries.map(({ userErrors }) => nth(userErrors, 0).code)).toEqual(Array(20).fill('PAYMENT_FAILED'))
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
    expect(await payOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({
      captureId: present(capture).id,
      userErrors: [],
      order: { status: 'PAID' },
    })
  })

  it('or leaves that to the shop is paid as soon as the buyer has approved', async () => {
    const { nell, order } = await unpaidOrder()
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    expect(await payOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({
      userErrors: [],
      order: { status: 'PAID' },
    })
    expect(captures(shop)).toBe(1)
  })
})

describe('a payment that the client opened at PayPal itself', () => {
  const opened = () =>
    connectPaypal({ baseUrl: shop.simulator.url, clientId: 'test-client', clientSecret: 'test-secret' })
  const fits = (order: { totalPrice: number }) => ({
    amount: { currency_code: 'USD', value: toDecimal(order.totalPrice) },
  })

  async function ownPayment(unit: object, { approved = true, captured = false } = {}): Promise<string> {
    const paypalOrderId = await openOwnPayment(shop, unit)
    if (approved) await buyerDoes(shop, 'approve', paypalOrderId)
    if (captured) await opened().captureOrder(paypalOrderId, `own:${paypalOrderId}`)
    return paypalOrderId
  }

  it.each([
    ['captured, without a word about the order', {}, true],
    ['captured, and named after the order', { named: true }, true],
    ['approved: the shop captures it', {}, false],
  ])('pays the order it fits to the cent (%s)', async (_what, { named }: { named?: boolean }, captured) => {
    const { nell, yarn, order } = await unpaidOrder()
    const paypalOrderId = await ownPayment({ ...fits(order), ...(named && { custom_id: order.id }) }, { captured })
    const paid = await payOrder(shop, nell, order.id, paypalOrderId)
    expect(paid).toMatchObject({
      captureId: expect.stringMatching(/^[A-Z0-9]{17}$/),
      userErrors: [],
      order: { status: 'PAID' },
    })
    expect(await payOrder(shop, nell, order.id, paypalOrderId)).toEqual(paid)
    expect(captures(shop)).toBe(1)
    expect(await payments(order.id)).toEqual([
      { paypal_order_id: paypalOrderId, capture_id: paid.captureId, amount: order.totalPrice },
    ])
    expect(await readOrder(shop, admin, order.id)).toMatchObject({ attention: null })
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 8, ledger: 8, sold: 2 })
  })

  const MISFITS: [string, (order: { totalPrice: number }) => object, string][] = [
    [
      'over another amount',
      order => ({ amount: { currency_code: 'USD', value: toDecimal(order.totalPrice - 1) } }),
      'is over $',
    ],
    [
      'in another currency',
      order => ({ amount: { currency_code: 'EUR', value: toDecimal(order.totalPrice) } }),
      'is in EUR, not USD',
    ],
    [
      'to another account',
      order => ({ ...fits(order), payee: { merchant_id: 'NTTHESHQPACCT' } }),
      'went to the PayPal account NTTHESHQPACCT',
    ],
    [
      'named after another order',
      order => ({ ...fits(order), custom_id: 'another-shop-s-order' }),
      'names another order',
    ],
  ]

  it.each(MISFITS)(
    '%s is refused, the buyer told what to do, and the administrator told why',
    async (_what, unit, complaint) => {
      const { nell, order } = await unpaidOrder()
      const paypalOrderId = await ownPayment(unit(order), { captured: true })
      expect(await payOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({
        order: null,
        userErrors: [
          { code: 'PAYMENT_FAILED', message: expect.stringMatching(/does not fit this order.*do not pay again/) },
        ],
      })
      await expectUnpaid(nell, order.id)
      expect(await readOrder(shop, admin, order.id)).toMatchObject({ attention: expect.stringContaining(complaint) })
    },
  )

  it.each(MISFITS)('%s is not captured when the buyer only approved it', async (_what, unit) => {
    const { nell, order } = await unpaidOrder()
    const paypalOrderId = await ownPayment(unit(order))
    expect(await payOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({
      order: null,
      userErrors: [{ code: 'PAYMENT_FAILED', message: expect.stringMatching(/Nothing was taken/) }],
    })
    expect(captures(shop)).toBe(0)
    await expectUnpaid(nell, order.id)
    expect(await readOrder(shop, admin, order.id)).toMatchObject({ attention: null })
  })

  it('is refused where the shop does not know its own account, and the administrator is told', async () => {
    const { nell, order } = await unpaidOrder()
    const paypalOrderId = await ownPayment(fits(order), { captured: true })
    const unsure = {
      em: shop.em(),
      paypal: opened(),
      stockHoldMinutes: 60,
      holdLimits: ANY_HOLD,
      ip: '127.0.0.1',
      scopes: null,
      log: shop.log,
    }
    await expect(
      confirmPayment({ ...unsure, user: nell.user, orderToken: null }, order.id, paypalOrderId),
    ).rejects.toMatchObject({
      userErrors: [{ code: 'PAYMENT_FAILED' }],
    })
    expect(await readOrder(shop, admin, order.id)).toMatchObject({
      status: 'UNPAID',
      attention: expect.stringContaining('PAYPAL_MERCHANT_ID'),
    })
  })

  it.each([true, false])('pays one order, however many claim it at once (captured already: %s)', async captured => {
    const buyers = await Promise.all(Array.from({ length: 4 }, () => unpaidOrder()))
    const paypalOrderId = await ownPayment(fits(nth(buyers, 0).order), { captured })
    const answers = await Promise.all(buyers.map(({ nell, order }) => payOrder(shop, nell, order.id, paypalOrderId)))
    expect(answers.filter(({ order }) => order?.isPaid)).toHaveLength(1)
    expect(answers.flatMap(({ userErrors }) => userErrors.map(({ code }: { code: string }) => code))).toEqual(
      Array(3).fill('PAYMENT_FAILED'),
    )
    expect(captures(shop)).toBe(1)
    for (const { order } of buyers) expect(await readOrder(shop, admin, order.id)).toMatchObject({ attention: null })
  })

  it('that PayPal still looks at is followed to its end', async () => {
    const { nell, order } = await unpaidOrder()
    const paypalOrderId = await ownPayment(fits(order), { approved: true })
    await plan(shop, { capture: 'PENDING' })
    expect(await payOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({
      order: null,
      userErrors: [{ code: 'PAYMENT_PENDING' }],
    })
    shop.simulator.decide(paypalOrderId, 'COMPLETED')
    await reconcile(shop, 60)
    expect(await readOrder(shop, admin, order.id)).toMatchObject({ status: 'PAID', attention: null })
  })

  it('for an order that is paid already is not captured a second time', async () => {
    const [nell, yarn] = [await makeUser(shop.em()), await makeProduct(shop.em())]
    const order = await bought(shop, nell, [line(yarn)])
    const paypalOrderId = await ownPayment(fits(order))
    expect(await payOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({
      order: null,
      userErrors: [{ code: 'ALREADY_PAID' }],
    })
    expect(captures(shop)).toBe(1)
  })
})

describe('PayPal says', () => {
  it('pending: the order waits, and nobody is alarmed', async () => {
    const { nell, order } = await unpaidOrder()
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    await plan(shop, { capture: 'PENDING' })
    expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({
      order: null,
      userErrors: [{ code: 'PAYMENT_PENDING' }],
    })
    expect(await payOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({
      userErrors: [{ code: 'PAYMENT_PENDING' }],
    })
    await expectUnpaid(nell, order.id)
    expect(await readOrder(shop, admin, order.id)).toMatchObject({ attention: null })
  })

  it('declined: the buyer chooses another card and pays the same order', async () => {
    const { nell, order } = await unpaidOrder()
    const { paypalOrderId } = await createPaypalOrder(shop, nell, order.id)
    for (let round = 0; round < 2; round++) {
      await buyerDoes(shop, 'decline', paypalOrderId, 'card')
      expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({
        order: null,
        userErrors: [{ code: 'INSTRUMENT_DECLINED' }],
      })
      await expectUnpaid(nell, order.id)
    }
    expect((await createPaypalOrder(shop, nell, order.id)).paypalOrderId).toBe(paypalOrderId)
    await buyerDoes(shop, 'approve', paypalOrderId, 'card')
    expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({
      userErrors: [],
      order: { status: 'PAID' },
    })
    expect(captures(shop)).toBe(1)
  })

  it('failed, with a capture to show for it: the order stays unpaid', async () => {
    const { nell, order } = await unpaidOrder()
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    await plan(shop, { capture: 'DECLINED' })
    expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({
      order: null,
      userErrors: [{ code: 'PAYMENT_FAILED' }],
    })
    await expectUnpaid(nell, order.id)
  })

  it.each(['500-after-capture', 'disconnect-after-capture', 'no-id'])(
    'nothing usable although the money moved (%s): the order is paid all the same, once',
    async scenario => {
      const { nell, order } = await unpaidOrder()
      const paypalOrderId = await approvedPayment(shop, nell, order.id)
      await plan(shop, { capture: scenario })
      expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({
        userErrors: [],
        order: { status: 'PAID' },
      })
      expect(captures(shop)).toBe(1)
      expect(await payments(order.id)).toHaveLength(1)
    },
  )
})

describe('PayPal cannot be reached', () => {
  const down = Array(12).fill('disconnect')

  it('when the buyer wants to pay: try again later, then it works', async () => {
    const { nell, order } = await unpaidOrder()
    await plan(shop, { create: down })
    expect(await createPaypalOrder(shop, nell, order.id)).toMatchObject({
      paypalOrderId: null,
      userErrors: [{ code: 'PAYMENT_UNAVAILABLE' }],
    })
    await plan(shop, {})
    expect((await createPaypalOrder(shop, nell, order.id)).paypalOrderId).toMatch(/^[A-Z0-9]{17}$/)
  })

  it('when the money should move: the order stays payable', async () => {
    const { nell, order } = await unpaidOrder()
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    await plan(shop, { capture: down, get: down })
    expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({
      order: null,
      userErrors: [{ code: 'PAYMENT_UNAVAILABLE' }],
    })
    expect(await payOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({
      userErrors: [{ code: 'PAYMENT_UNAVAILABLE' }],
    })
    await expectUnpaid(nell, order.id)
    await plan(shop, {})
    expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({
      userErrors: [],
      order: { status: 'PAID' },
    })
    expect(captures(shop)).toBe(1)
  })

  it('because it answers nonsense: the order stays payable', async () => {
    const { nell, order } = await unpaidOrder()
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    await plan(shop, { capture: ['nonsense', 'nonsense'], get: ['nonsense', 'nonsense'] })
    expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({
      userErrors: [{ code: 'PAYMENT_UNAVAILABLE' }],
    })
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
    expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({
      userErrors: [],
      order: { status: 'PAID' },
    })
    expect(await readOrder(shop, admin, order.id)).toMatchObject({ attention: null })
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 0, ledger: 0, sold: 10 })
  })

  it('is recorded even when the stock is gone: the order is paid, and the administrator has to act', async () => {
    const { nell, yarn, order, paypalOrderId } = await lapsedAfterApproval(7)
    expect(await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({
      userErrors: [],
      order: { status: 'PAID', attention: null },
    })
    expect(await readOrder(shop, admin, order.id)).toMatchObject({
      attention: expect.stringContaining('the stock is gone'),
    })
    expect(await payments(order.id)).toHaveLength(1)
    // Only what was in stock was sold; nothing is counted twice or below zero.
    expect(await stockOf(shop, yarn.id)).toMatchObject({ left: 3, ledger: 3 })
  })

  it('while the hold is running out is paid with the stock taken exactly once', async () => {
    const { nell, yarn, order } = await unpaidOrder(4)
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    await holdRunsOut(shop, order.id)
    const [paid] = await Promise.all([
      capturePaypalOrder(shop, nell, order.id, paypalOrderId),
      lapseOrders(shop.em()),
      lapseOrders(shop.em()),
    ])
    expect(paid).toMatchObject({ userErrors: [], order: { status: 'PAID' } })
    await lapseOrders(shop.em())
    expect(await readOrder(shop, admin, order.id)).toMatchObject({ status: 'PAID', attention: null })
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 6, ledger: 6, sold: 4 })
  })
})
