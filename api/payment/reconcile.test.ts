import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lapseOrders } from '../order/lapse-orders.ts'
import {
  approvedPayment,
  buyerDoes,
  capturePaypalOrder,
  captures,
  createPaypalOrder,
  holdRunsOut,
  line,
  placed,
  plan,
  readOrder,
  reconcile,
  stockOf,
} from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { settle } from './settle.ts'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())
beforeEach(async () => {
  shop.simulator.reset()
  // Closes what earlier tests left open.
  await shop
    .em()
    .execute(
      `update orders set paypal_watched_from = null; update payment_attempts set state = 'FAILED' where state in ('STARTED', 'UNKNOWN', 'PENDING')`,
    )
})

async function approvedOrder(quantity = 2) {
  const [nell, yarn] = [await makeUser(shop.em()), await makeProduct(shop.em())]
  const order = await placed(shop, nell, [line(yarn, quantity)])
  return { nell, yarn, order, paypalOrderId: await approvedPayment(shop, nell, order.id) }
}

const payments = async (orderId: string) =>
  (await shop.em().execute('select 1 from payments where order_id = ?', [orderId])).length
const states = async (orderId: string) =>
  (
    await shop
      .em()
      .execute<{ state: string }[]>('select state from payment_attempts where order_id = ? order by number', [orderId])
  ).map(({ state }) => state)

/** Leaves behind what a shop does that died during a capture. */
async function diedCapturing(orderId: string, paypalOrderId: string) {
  await shop
    .em()
    .execute(
      `insert into payment_attempts (id, order_id, paypal_order_id, number, request_id, state, created_at, updated_at) values (gen_random_uuid(), ?, ?, 1, ?, 'STARTED', now(), now())`,
      [orderId, paypalOrderId, `capture:${paypalOrderId}:1`],
    )
}

async function expectPaidOnce(orderId: string) {
  expect(await readOrder(shop, admin, orderId)).toMatchObject({ status: 'PAID', attention: null })
  expect(await payments(orderId)).toBe(1)
  expect(captures(shop)).toBe(1)
}

describe('after a crash', () => {
  it('between asking PayPal and settling, the captured payment is found within a minute', async () => {
    const { order, paypalOrderId } = await approvedOrder()
    await diedCapturing(order.id, paypalOrderId)
    await shop.paypal.captureOrder(paypalOrderId, `capture:${paypalOrderId}:1`)
    await reconcile(shop, 30)
    await expectPaidOnce(order.id)
    expect(await states(order.id)).toEqual(['CAPTURED'])
  })

  it('before PayPal heard of it, the capture is made up for, under the same request id', async () => {
    const { order, paypalOrderId } = await approvedOrder()
    await diedCapturing(order.id, paypalOrderId)
    await reconcile(shop, 60)
    await expectPaidOnce(order.id)
    expect(shop.simulator.journal().find(({ effect }) => effect === 'captured')?.requestId).toBe(
      `capture:${paypalOrderId}:1`,
    )
  })

  it('between settling and writing the outcome down, nothing changes but the attempt', async () => {
    const { order, paypalOrderId } = await approvedOrder()
    await diedCapturing(order.id, paypalOrderId)
    await settle(shop.em(), order.id, await shop.paypal.captureOrder(paypalOrderId, `capture:${paypalOrderId}:1`))
    await reconcile(shop, 30)
    await expectPaidOnce(order.id)
    expect(await states(order.id)).toEqual(['CAPTURED'])
  })

  it('of the browser, what the shopper approved is captured after 20 seconds', async () => {
    const { order } = await approvedOrder()
    await reconcile(shop, 15)
    expect(await readOrder(shop, admin, order.id)).toMatchObject({ status: 'UNPAID' })
    await reconcile(shop, 30)
    await expectPaidOnce(order.id)
  })

  it('of the browser of a client that captured by itself, the payment is found', async () => {
    const { order, paypalOrderId } = await approvedOrder()
    await shop.paypal.captureOrder(paypalOrderId, 'by-the-client')
    await reconcile(shop, 30)
    await expectPaidOnce(order.id)
  })
})

describe('the reconciler', () => {
  it('checks each payment once, however many shops run it at the same time', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => approvedOrder(1)))
    for (const { paypalOrderId } of made) await shop.paypal.captureOrder(paypalOrderId, 'by-the-client')
    const checked = await Promise.all(Array.from({ length: 4 }, () => reconcile(shop, 90)))
    expect(checked.reduce((sum, count) => sum + count)).toBe(8)
    for (const { order } of made) {
      expect(await readOrder(shop, admin, order.id)).toMatchObject({ status: 'PAID', attention: null })
      expect(await payments(order.id)).toBe(1)
    }
    expect(await reconcile(shop, 180)).toBe(0)
  })

  it('captures once for shoppers who are gone, however many shops run it at the same time', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => approvedOrder(1)))
    await Promise.all(Array.from({ length: 4 }, () => reconcile(shop, 90)))
    await reconcile(shop, 120)
    for (const { order } of made)
      expect(await readOrder(shop, admin, order.id)).toMatchObject({ status: 'PAID', attention: null })
    expect(captures(shop)).toBe(8)
  })

  it('is not kept from other payments by some that PayPal gives no answer about', async () => {
    const stuck = await Promise.all(Array.from({ length: 5 }, () => approvedOrder(1)))
    for (const { order, paypalOrderId } of stuck) {
      await diedCapturing(order.id, paypalOrderId)
      await plan(shop, { order: order.id, get: Array(100).fill('nonsense') })
    }
    const { order } = await approvedOrder()
    await reconcile(shop, 30)
    await expectPaidOnce(order.id)
  })

  it('gives up for this time when PayPal answers nothing at all', async () => {
    const { order } = await approvedOrder(1)
    await shop.em().execute(
      `insert into orders (id, user_id, user_name, user_email, shipping_address, payment_method, items_price, shipping_price, tax_price, total_price, paypal_order_id, paypal_watched_from, created_at)
       select gen_random_uuid(), user_id, user_name, user_email, shipping_address, payment_method, 0, 0, 0, 0, 'WATCHED' || n, paypal_watched_from, created_at
       from orders, generate_series(1, 50) n where id = ?`,
      [order.id],
    )
    await plan(shop, { get: Array(100).fill('nonsense') })
    expect(await reconcile(shop, 30)).toBe(0)
    expect(shop.simulator.journal().filter(({ scenario }) => scenario === 'nonsense').length).toBeLessThan(40)
  })

  it('holds no lock while it waits for PayPal', async () => {
    const { nell, order } = await approvedOrder()
    await plan(shop, { get: ['timeout'] })
    const waiting = reconcile(shop, 90)
    await expect.poll(() => shop.simulator.journal().some(({ scenario }) => scenario === 'timeout')).toBe(true)
    await shop.em().transactional(em => em.execute('select 1 from orders where id = ? for update nowait', [order.id]))
    expect(await readOrder(shop, nell, order.id)).toMatchObject({ status: 'UNPAID' })
    await waiting
  })

  it('races the shopper’s own capture without moving the money twice', async () => {
    const { nell, order, paypalOrderId } = await approvedOrder()
    const [paid] = await Promise.all([
      capturePaypalOrder(shop, nell, order.id, paypalOrderId),
      reconcile(shop, 90),
      reconcile(shop, 90),
    ])
    expect(paid).toMatchObject({ userErrors: [], order: { status: 'PAID' } })
    await expectPaidOnce(order.id)
  })

  it('leaves alone what the shopper did not approve, and does not ask about it for ever', async () => {
    const [nell, yarn] = [await makeUser(shop.em()), await makeProduct(shop.em())]
    const order = await placed(shop, nell, [line(yarn)])
    await createPaypalOrder(shop, nell, order.id)
    expect(await reconcile(shop, 90)).toBe(1)
    expect(await readOrder(shop, admin, order.id)).toMatchObject({ status: 'UNPAID' })
    expect(captures(shop)).toBe(0)
    expect(await reconcile(shop, 3 * 3600)).toBe(1)
    expect(await reconcile(shop, 3 * 3600 + 60)).toBe(0)
    expect(await reconcile(shop, 25 * 3600)).toBe(0)
  })

  it('forgets what PayPal has forgotten', async () => {
    const { order } = await approvedOrder()
    shop.simulator.reset()
    expect(await reconcile(shop, 30)).toBe(1)
    expect(await reconcile(shop, 120)).toBe(0)
    expect(await readOrder(shop, admin, order.id)).toMatchObject({ status: 'UNPAID', attention: null })
  })

  it('does not press on with a card that was declined: choosing another is the shopper’s', async () => {
    const { nell, order, paypalOrderId } = await approvedOrder()
    await buyerDoes(shop, 'decline', paypalOrderId, 'card')
    await capturePaypalOrder(shop, nell, order.id, paypalOrderId)
    for (const seconds of [60, 120, 180]) await reconcile(shop, seconds)
    expect(await states(order.id)).toEqual(['DECLINED'])
    // A decline that only the reconciler saw is not tried again either.
    const other = await approvedOrder()
    await buyerDoes(shop, 'decline', other.paypalOrderId, 'card')
    for (const seconds of [90, 150, 210]) await reconcile(shop, seconds)
    expect(await states(other.order.id)).toEqual(['DECLINED'])
  })

  it('tells the administrator once about money that does not fit', async () => {
    const { order, paypalOrderId } = await approvedOrder()
    await plan(shop, { capture: 'wrong-amount' })
    await shop.paypal.captureOrder(paypalOrderId, 'by-the-client')
    await reconcile(shop, 30)
    expect(await readOrder(shop, admin, order.id)).toMatchObject({
      status: 'UNPAID',
      attention: expect.stringContaining('refund'),
    })
    await shop.gql(
      'mutation($id: ID!) { resolveAttention(orderId: $id) { userErrors { code } } }',
      { id: order.id },
      admin,
    )
    for (const seconds of [90, 150, 600]) await reconcile(shop, seconds)
    expect(await readOrder(shop, admin, order.id)).toMatchObject({ status: 'UNPAID', attention: null })
  })

  it('waits while PayPal is out of reach, and is there when it comes back', async () => {
    const { order, paypalOrderId } = await approvedOrder()
    await diedCapturing(order.id, paypalOrderId)
    await shop.paypal.captureOrder(paypalOrderId, `capture:${paypalOrderId}:1`)
    await plan(shop, { get: Array(3).fill('500') })
    expect(await reconcile(shop, 30)).toBe(0)
    expect(await states(order.id)).toEqual(['STARTED'])
    expect(await reconcile(shop, 60)).toBe(1)
    await expectPaidOnce(order.id)
  })
})

describe('a pending payment', () => {
  it('stays pending until PayPal decides, and is paid then', async () => {
    const { nell, order, paypalOrderId } = await approvedOrder()
    await plan(shop, { capture: 'PENDING' })
    await capturePaypalOrder(shop, nell, order.id, paypalOrderId)
    await reconcile(shop, 60)
    expect(await states(order.id)).toEqual(['PENDING'])
    expect(await readOrder(shop, admin, order.id)).toMatchObject({ status: 'UNPAID', attention: null })
    shop.simulator.decide(paypalOrderId, 'COMPLETED')
    await reconcile(shop, 120)
    await expectPaidOnce(order.id)
  })

  it('that PayPal declines is told to the administrator, and the order can be paid anew', async () => {
    const { nell, order, paypalOrderId } = await approvedOrder()
    await plan(shop, { capture: 'PENDING' })
    await capturePaypalOrder(shop, nell, order.id, paypalOrderId)
    shop.simulator.decide(paypalOrderId, 'DECLINED')
    await reconcile(shop, 60)
    expect(await states(order.id)).toEqual(['DECLINED'])
    expect(await readOrder(shop, admin, order.id)).toMatchObject({
      status: 'UNPAID',
      attention: expect.stringContaining('declined'),
    })
    const next = await approvedPayment(shop, nell, order.id)
    expect(await capturePaypalOrder(shop, nell, order.id, next)).toMatchObject({
      userErrors: [],
      order: { status: 'PAID' },
    })
  })
})

describe('an approved order that has lapsed', () => {
  async function lapsed(leftForOthers: number) {
    const made = await approvedOrder(4)
    await holdRunsOut(shop, made.order.id)
    await lapseOrders(shop.em())
    await placed(shop, await makeUser(shop.em()), [line(made.yarn, leftForOthers)])
    return made
  }

  it('is captured when its stock can be taken again', async () => {
    const { yarn, order } = await lapsed(6)
    await reconcile(shop, 90)
    await expectPaidOnce(order.id)
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 0, ledger: 0, sold: 10 })
  })

  it('is not charged when the stock is gone', async () => {
    const { order } = await lapsed(7)
    await reconcile(shop, 90)
    expect(await readOrder(shop, admin, order.id)).toMatchObject({ status: 'LAPSED', attention: null })
    expect(captures(shop)).toBe(0)
  })
})
