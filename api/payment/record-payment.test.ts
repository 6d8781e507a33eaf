import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { present } from '#schema/rules/present'
import { lapseOrders } from '../order/lapse-orders.ts'
import { ask, auditOf, REFUSED } from '../testing/admin.ts'
import { mailsTo } from '../testing/mail.ts'
import {
  approvedPayment,
  buyerDoes,
  cancelOrder,
  captures,
  capturePaypalOrder,
  createPaypalOrder,
  line,
  ORDER,
  placed,
  plan,
  readOrder,
  reconcile,
  stockOf,
} from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { Refund } from './refund.entity.ts'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop({ mail: { to: 'mailbox' } })
  shop.simulator.webhooks.sendTo(`${shop.url}/api/webhooks/paypal`)
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())
beforeEach(async () => {
  await shop.simulator.webhooks.arrived()
  shop.simulator.reset()
})

const PAYMENTS = 'payments { method captureId paypalOrderId note amount }'

async function recorded(orderId: string, more: { method?: string; note?: string } = {}) {
  const { recordPayment } = await ask(
    shop,
    admin,
    `mutation($orderId: ID!, $method: PaymentMethod!, $note: String) {
      recordPayment(orderId: $orderId, method: $method, note: $note) { captureId order { ${ORDER} ${PAYMENTS} } ${REFUSED} }
    }`,
    { orderId, method: 'CASH', ...more },
  )
  return recordPayment
}

const refund = async (orderId: string, amount: number | null, reason: string | null = null) =>
  (
    await ask(
      shop,
      admin,
      `mutation($orderId: ID!, $amount: Cents, $reason: String, $key: String!) {
        refundOrder(orderId: $orderId, amount: $amount, reason: $reason, idempotencyKey: $key) {
          order { refundedAmount isRefunded refunds { amount status } } ${REFUSED}
        }
      }`,
      { orderId, amount, reason, key: `${orderId} ${amount}` },
    )
  ).refundOrder

async function unpaid(quantity = 2) {
  const [nell, yarn] = [await makeUser(shop.em()), await makeProduct(shop.em())]
  return { nell, yarn, ...(await placed(shop, nell, [line(yarn, quantity)])) }
}

const codes = ({ userErrors }: { userErrors: { code: string }[] }) => userErrors.map(({ code }) => code)

describe('money that the shop took itself', () => {
  it('pays the order, and says how on its page, in its letter and in its history', async () => {
    const { nell, yarn, id, totalPrice } = await unpaid()
    const { order, captureId } = await recorded(id, { method: 'BANK_TRANSFER', note: 'No. 4711' })
    expect(order).toMatchObject({
      status: 'PAID',
      isPaid: true,
      heldUntil: null,
      paymentMethod: 'Bank transfer',
      payments: [
        { method: 'BANK_TRANSFER', captureId, paypalOrderId: captureId, note: 'No. 4711', amount: totalPrice },
      ],
    })
    expect(await readOrder(shop, nell, id)).toMatchObject({ isPaid: true, paymentMethod: 'Bank transfer' })
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 8, ledger: 8, sold: 2 })
    expect(await auditOf(shop, admin, id)).toMatchObject([
      {
        action: 'PAID',
        changes: [
          { field: 'paymentMethod', before: null, after: 'Bank transfer' },
          { field: 'note', before: null, after: 'No. 4711' },
        ],
      },
    ])
    const letters = await mailsTo(shop, nell.user.email, 2)
    expect(letters.map(({ text }) => text).join()).toContain('You paid with bank transfer on')
  })

  it('is not taken twice: not by another record, and not by PayPal', async () => {
    const { nell, id } = await unpaid()
    const paypalOrderId = await approvedPayment(shop, nell, id)
    const answers = await Promise.all([recorded(id), recorded(id), recorded(id)])
    expect(answers.map(codes).toSorted()).toEqual([[], ['ALREADY_PAID'], ['ALREADY_PAID']])

    expect(codes(await createPaypalOrder(shop, nell, id))).toEqual(['ALREADY_PAID'])
    expect(codes(await capturePaypalOrder(shop, nell, id, paypalOrderId))).toEqual(['ALREADY_PAID'])
    await reconcile(shop, 60)
    expect(captures(shop)).toBe(0)
    expect(await readOrder(shop, admin, id)).toMatchObject({ paymentMethod: 'Cash', attention: null })
  })

  it('is taken from no other card that the buyer tries meanwhile', async () => {
    const { nell, id } = await unpaid()
    const { paypalOrderId } = await createPaypalOrder(shop, nell, id)
    await buyerDoes(shop, 'decline', paypalOrderId, 'card')
    expect(codes(await capturePaypalOrder(shop, nell, id, paypalOrderId))).toEqual(['INSTRUMENT_DECLINED'])
    expect((await recorded(id, { method: 'CARD' })).order).toMatchObject({ status: 'PAID' })
    await buyerDoes(shop, 'approve', paypalOrderId, 'card')
    expect(codes(await capturePaypalOrder(shop, nell, id, paypalOrderId))).toEqual(['ALREADY_PAID'])
    expect(captures(shop)).toBe(0)
  })

  it('waits where PayPal is about to take it', async () => {
    const { nell, id } = await unpaid()
    const paypalOrderId = await approvedPayment(shop, nell, id)
    await plan(shop, { capture: 'PENDING' })
    await capturePaypalOrder(shop, nell, id, paypalOrderId)
    expect(codes(await recorded(id))).toEqual(['PAYMENT_PENDING'])
  })

  it('pays a lapsed order while its stock is there, and nothing where it is not', async () => {
    const { yarn, id } = await unpaid(6)
    await lapseOrders(shop.em(), new Date(Date.now() + 86_400_000))
    expect(await stockOf(shop, yarn.id)).toMatchObject({ left: 10 })
    const other = await placed(shop, await makeUser(shop.em()), [line(yarn, 5)])
    const { userErrors } = await recorded(id)
    expect(userErrors).toMatchObject([{ code: 'OUT_OF_STOCK', message: expect.stringContaining(yarn.name) }])
    expect(await readOrder(shop, admin, id)).toMatchObject({ status: 'LAPSED', isPaid: false })
    expect(await auditOf(shop, admin, id)).toEqual([])

    await ask(shop, admin, 'mutation($id: ID!) { releaseHold(orderId: $id) { userErrors { code } } }', { id: other.id })
    expect((await recorded(id)).order).toMatchObject({ status: 'PAID' })
    expect(await stockOf(shop, yarn.id)).toMatchObject({ left: 4, sold: 6 })
  })

  it('pays nothing that was cancelled, that is not there, or that PayPal is said to have taken', async () => {
    const { nell, id } = await unpaid()
    expect(await recorded(id, { method: 'PAYPAL' })).toMatchObject({
      userErrors: [
        {
          code: 'INVALID',
          field: ['method'],
          message: 'The shop writes down payments by PayPal and gift card itself.',
        },
      ],
    })
    expect(await recorded(id, { note: 'x'.repeat(201) })).toMatchObject({
      userErrors: [{ code: 'INVALID', field: ['note'] }],
    })
    await cancelOrder(shop, nell, id)
    expect(codes(await recorded(id))).toEqual(['ORDER_CANCELLED'])
    expect(codes(await recorded(admin.user.id))).toEqual(['NOT_FOUND'])
    expect(codes(await recorded('none'))).toEqual(['NOT_FOUND'])
  })

  test('a payment has PayPal’s id, or is none of PayPal’s', async () => {
    const { id } = await unpaid()
    await recorded(id)
    const change = shop.em().execute(`update payments set method = 'PAYPAL' where order_id = ?`, [id])
    await expect(change).rejects.toThrow(/payments_have_ids_of_their_kind/)
  })
})

describe('what the shop gives back of it', () => {
  it('is written down without PayPal, never more than was taken', async () => {
    const { nell, id, totalPrice } = await unpaid()
    await recorded(id)
    expect((await refund(id, 500, 'A knot')).order).toMatchObject({
      refundedAmount: 500,
      refunds: [{ amount: 500, status: 'COMPLETED' }],
    })
    expect(codes(await refund(id, totalPrice))).toEqual(['INVALID'])
    expect((await refund(id, null)).order).toMatchObject({ refundedAmount: totalPrice, isRefunded: true })
    expect(shop.simulator.journal().filter(({ path }) => path.includes('refund'))).toEqual([])
    const letters = await mailsTo(shop, nell.user.email, 4)
    expect(letters.map(({ text }) => text).join()).toContain('We have given $5.00 back to you.')
  })

  it('is written down later where the shop stopped in between', async () => {
    const { id, totalPrice } = await unpaid()
    const { captureId } = await recorded(id)
    const em = shop.em()
    em.create(Refund, {
      orderId: id,
      captureId: present(captureId),
      amount: 300,
      state: 'STARTED',
      actorId: admin.user.id,
      actorName: 'Nell',
      idempotencyKey: 'cut off',
    })
    await em.flush()
    // Long after PayPal would have forgotten it.
    await reconcile(shop, 86_400)
    expect((await refund(id, null)).order).toMatchObject({
      refundedAmount: totalPrice,
      refunds: [{ status: 'COMPLETED' }, { amount: 300, status: 'COMPLETED' }],
    })
  })
})
