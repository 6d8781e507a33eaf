import { LockMode, type EntityManager } from '@mikro-orm/postgresql'
import { formatCents } from '#schema/rules/money'
import { readShelf } from '../catalog/stock.ts'
import { takeCodeAgain } from '../discount/apply-code.ts'
import { takeGiftCardsAgain } from '../gift-card/use-gift-cards.ts'
import { clock } from '../kernel/clock.ts'
import type { Context } from '../context.ts'
import { refuse } from '../kernel/errors.ts'
import { admitHold, holderOf } from '../order/admit-hold.ts'
import { findOrder } from '../order/find-order.ts'
import { paymentHold, type Order } from '../order/order.entity.ts'
import { canPay, type OrderAsker } from '../order/order.policy.ts'
import { isId } from '../kernel/validation.ts'
import { write } from '../query/read.ts'
import { cancelled, capturePayment } from './capture-payment.ts'
import { PaypalRefused, PaypalUnavailable } from './paypal.ts'
import { stateOf } from './record-outcome.ts'
import { misfitOf, settle, takeStockAgain, type Settled } from './settle.ts'

const FAILED = 'Payment failed. Please try again.'

type Paying = OrderAsker & Pick<Context, 'em' | 'paypal' | 'stockHoldMinutes' | 'holdLimits' | 'ip' | 'scopes' | 'log'>

/** The PayPal order that pays this order: the one still open, or a new one over what gift cards leave to pay. */
export async function openPaypalOrder(
  { em, paypal, stockHoldMinutes, log, ...asking }: Paying,
  orderId: string,
): Promise<{ paypalOrderId: string } & Pick<Settled, 'mayMoveStock'>> {
  const order = await findPayable(em, asking, orderId)
  if (order.isPaid) throw refuse('ALREADY_PAID', 'This order has already been paid.')
  const mayMoveStock = await holdForPayment(em, order, stockHoldMinutes, admitAgain(asking))

  return asUserErrors(log, async () => {
    const open = order.paypalOrderId ? await paypal.getOrder(order.paypalOrderId) : null
    // A pending payment that PayPal declined in the end paid nothing: the shopper may try with a new one.
    if (open?.status === 'COMPLETED' && stateOf(open) !== 'DECLINED') {
      await settle(em, order.id, open)
      throw refuse('ALREADY_PAID', 'This order has already been paid.')
    }
    if (open && ['CREATED', 'APPROVED', 'PAYER_ACTION_REQUIRED'].includes(open.status))
      return { paypalOrderId: open.id, mayMoveStock }
    // Two buttons pressed at once ask with the same request id, so PayPal makes one order for both.
    const attempt = order.paypalOrderId ? await nextAttempt(em, order) : order.paymentAttempt
    const created = await paypal.createOrder({
      orderId: order.id,
      reference: order.reference,
      amount: order.charge,
      parts: order,
      requestId: `create:${order.id}:${order.charge}:${attempt}`,
    })
    await write(
      em,
      'update orders set paypal_order_id = ?, paypal_watched_from = ?, paypal_checked_at = null where id = ?',
      [created.id, clock.now(), order.id],
    )
    return { paypalOrderId: created.id, mayMoveStock }
  })
}

/** Captures an approved PayPal order and settles it. Safe to repeat: PayPal sees the same request id. */
export async function capture(
  { em, paypal, log, ...asker }: OrderAsker & Pick<Paying, 'em' | 'paypal' | 'log'>,
  orderId: string,
  paypalOrderId: string,
) {
  const order = await findPaying(em, asker, orderId, paypalOrderId)
  return asUserErrors(log, () => capturePayment(em, paypal, order.id, paypalOrderId))
}

/**
 * Makes use of a payment the client names, after reading it back from PayPal: of the shop's own, or of one the client
 * opened by itself. What the buyer has approved and nobody captured is captured, but only when it fits the order.
 */
export async function confirmPayment(
  { em, paypal, stockHoldMinutes, log, ...asking }: Paying,
  orderId: string,
  paypalOrderId: string,
) {
  const order = await findPayable(em, asking, orderId)
  return asUserErrors(log, async () => {
    const payment = await paypal.getOrder(paypalOrderId)
    if (!payment) throw refuse('PAYMENT_FAILED', 'PayPal does not know this payment. Please pay the order on its page.')
    if (payment.status === 'APPROVED') {
      if (order.isPaid) throw refuse('ALREADY_PAID', 'This order has already been paid. Nothing more was taken.')
      if (misfitOf(order, payment))
        throw refuse(
          'PAYMENT_FAILED',
          `This payment does not fit the order over ${formatCents(order.charge)}. Nothing was taken. Please pay the order on its page.`,
        )
      const mayMoveStock = await holdForPayment(em, order, stockHoldMinutes, admitAgain(asking))
      const settled = await capturePayment(em, paypal, order.id, paypalOrderId)
      return { ...settled, mayMoveStock: mayMoveStock || settled.mayMoveStock }
    }
    if (payment.status !== 'COMPLETED')
      throw refuse('PAYMENT_FAILED', 'This payment has not been approved at PayPal yet. Please approve it there first.')
    // Captured by the client. What PayPal has not decided yet is written down, so that somebody follows it.
    if (payment.capture?.status === 'PENDING' && !misfitOf(order, payment))
      return capturePayment(em, paypal, order.id, paypalOrderId, { isTaken: true })
    return settle(em, order.id, payment)
  })
}

async function findPayable(em: EntityManager, asker: OrderAsker, orderId: string): Promise<Order> {
  const order = isId(orderId) ? await findOrder(em, orderId) : null
  if (!order || !canPay(asker, order)) throw refuse('NOT_FOUND', 'There is no such order.')
  return order
}

async function findPaying(
  em: EntityManager,
  asker: OrderAsker,
  orderId: string,
  paypalOrderId: string,
): Promise<Order> {
  const order = await findPayable(em, asker, orderId)
  if (order.paypalOrderId !== paypalOrderId) throw refuse('PAYMENT_FAILED', FAILED)
  return order
}

/**
 * Lets the hold count from the start of a payment. A lapsed order can be paid when its stock can be taken once more,
 * and when `admit` lets it hold that. Returns whether it may have taken stock.
 */
export async function holdForPayment(
  em: EntityManager,
  order: Order,
  stockHoldMinutes: number,
  admit?: (tx: EntityManager, order: Order) => Promise<void>,
): Promise<boolean> {
  if (order.isPaid || (order.paymentStartedAt && order.heldUntil)) return false
  const now = clock.now()
  const held = await write(
    em,
    `update orders set payment_started_at = ?, held_until = greatest(held_until, ?) where id = ?
       and paid_at is null and lapsed_at is null and cancelled_at is null and payment_started_at is null returning id`,
    [now, paymentHold(now, stockHoldMinutes), order.id],
  )
  if (held.length > 0) return false
  await em.transactional(async tx => {
    await tx.refresh(order, { lockMode: LockMode.PESSIMISTIC_WRITE })
    if (order.status === 'CANCELLED') throw cancelled()
    if (order.status === 'LAPSED') {
      await admit?.(tx, order)
      await takeAgain(tx, order)
    }
    if (order.status === 'UNPAID') order.startPayment(clock.now(), stockHoldMinutes)
  })
  return true
}

/** Takes what a lapsed order gave back, all of it or none, so that it can be paid. */
export async function takeAgain(em: EntityManager, order: Order): Promise<void> {
  if (!(await takeGiftCardsAgain(em, order.id)))
    throw refuse(
      'GIFT_CARD_SPENT',
      'What a gift card was to pay of this order has been used elsewhere since. Please cancel it, and order again.',
      { field: ['giftCards'] },
    )
  if (!(await takeCodeAgain(em, order.id)))
    throw refuse(
      'CODE_USED_UP',
      `The code ${order.discountCode} of this order has been used elsewhere since. Please cancel it, and order again without.`,
      { field: ['code'] },
    )
  const taken = await takeStockAgain(em, order)
  if (taken === 'SHORT') throw refuse('OUT_OF_STOCK', `No longer in stock: ${await namesOfShort(em, order)}.`)
  if (taken === 'OTHER_LOTS')
    throw refuse(
      'LOTS_GONE',
      'The dye lots of this order have gone to others. Please cancel it, and order again to choose from what is there.',
    )
  order.lapsedAt = null
}

async function namesOfShort(em: EntityManager, order: Order): Promise<string> {
  const items = await order.items.loadItems()
  const { shortages } = await readShelf(em, items)
  const names = items
    .filter(item => shortages.some(({ productId }) => productId === item.productId))
    .map(({ name }) => `“${name}”`)
  return new Intl.ListFormat('en-US').format(names)
}

/** Paying a lapsed order holds as much as a new order does. */
const admitAgain =
  ({ holdLimits, ip, scopes }: Pick<Paying, 'holdLimits' | 'ip' | 'scopes'>) =>
  async (tx: EntityManager, order: Order) => {
    const holder = holderOf(order.owner, { ip, scopes })
    await admitHold(tx, holdLimits, holder, await order.items.loadItems())
    order.placedFrom = holder.placedFrom
  }

async function nextAttempt(em: EntityManager, order: Order): Promise<number> {
  const [row] = await em.execute<[{ payment_attempt: number }]>(
    'update orders set payment_attempt = payment_attempt + 1 where id = ? returning payment_attempt',
    [order.id],
  )
  return row.payment_attempt
}

async function asUserErrors<T>(log: Context['log'], run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof PaypalRefused) {
      log.warn({ issue: error.issue, debugId: error.debugId }, 'PayPal refused')
      if (error.issue === 'INSTRUMENT_DECLINED')
        throw refuse('INSTRUMENT_DECLINED', 'Your card or account was declined. Please choose another one.')
      throw refuse('PAYMENT_FAILED', FAILED)
    }
    if (error instanceof PaypalUnavailable) {
      log.warn({ reason: error.message }, 'PayPal unavailable')
      throw refuse('PAYMENT_UNAVAILABLE', 'PayPal cannot be reached right now. Please try again in a moment.')
    }
    throw error
  }
}
