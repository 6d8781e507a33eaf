import { LockMode, UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { isAsAsked, lotsInWords } from '#schema/rules/lots'
import { formatCents, shopCurrency } from '#schema/rules/money'
import { nth } from '#schema/rules/present'
import { takeStock } from '../catalog/stock.ts'
import { takeCodeAgain } from '../discount/apply-code.ts'
import { issueBought } from '../gift-card/bought-gift-cards.ts'
import { recordGiftCardPayments, takeGiftCardsAgain } from '../gift-card/use-gift-cards.ts'
import { clock } from '../kernel/clock.ts'
import { refuse } from '../kernel/errors.ts'
import { MAIL, mailValues, queueMail } from '../mail/queue-mail.ts'
import { changeOrder, recordOrderEvents } from '../order/order-event.ts'
import { Order } from '../order/order.entity.ts'
import { recordIncident } from '../order/record-incident.ts'
import { read, write } from '../query/read.ts'
import { Payment } from './payment.entity.ts'
import type { PaypalCapture, PaypalPayment } from './paypal.ts'
import { recordOutcome } from './record-outcome.ts'

const FAILED = 'Payment failed. Please try again.'
const CHARGED =
  'PayPal took a payment that does not fit this order, so the order is not paid. The shop has been told and will put it right: please do not pay again, but write to the shop with the order’s number.'
const ELSEWHERE = 'belongs to another order'

/** For a payment that already belongs to another order. */
export const USED = 'This payment belongs to another order. Please pay this one by itself.'

/** A paid order and the capture that was offered for it. */
export interface Settled {
  order: Order
  captureId: string
  /** Whether products may have changed with it: an order that had lapsed takes its stock again. */
  mayMoveStock: boolean
}

/**
 * The only place that decides whether PayPal paid an order: from what it reports itself, never from what a browser
 * says. Repeating it with the same capture changes nothing. A capture that does not fit the order leaves it unpaid
 * and asks for the administrator's attention.
 */
export async function settle(em: EntityManager, orderId: string, payment: PaypalPayment): Promise<Settled> {
  const { capture } = payment
  if (!capture?.id) throw refuse('PAYMENT_FAILED', FAILED)
  const known = capture.status === 'COMPLETED' ? null : await em.findOne(Payment, { captureId: capture.id, orderId })
  // A capture that was refunded later still paid the order.
  if (known) {
    await recordOutcome(em, payment.id, 'CAPTURED')
    const order = await em.findOneOrFail(Order, { id: orderId }, { refresh: true })
    return { order, captureId: capture.id, mayMoveStock: true }
  }
  if (capture.status === 'PENDING') {
    throw refuse(
      'PAYMENT_PENDING',
      'PayPal is still processing your payment. Your order will be marked as paid once it is settled.',
    )
  }
  // Part of it may have been refunded before the shop heard of the capture.
  if (payment.status !== 'COMPLETED' || !['COMPLETED', 'PARTIALLY_REFUNDED'].includes(capture.status))
    throw refuse('PAYMENT_FAILED', FAILED)

  const paid = await settleUsual(em, orderId, payment, capture)
  if (paid) return { order: paid, captureId: capture.id, mayMoveStock: false }

  const apply = () =>
    em.transactional(async tx => {
      const order = await tx.findOneOrFail(
        Order,
        { id: orderId },
        { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
      )
      const [before] = await read<{ orderId: string }>(
        tx,
        'select order_id as "orderId" from payments where capture_id = ?',
        [capture.id],
      )
      if (before && before.orderId !== order.id) return { order, mismatch: ELSEWHERE }
      if (before) {
        await recordOutcome(tx, payment.id, 'CAPTURED')
        return { order }
      }

      const mismatch = misfit(order, payment, capture)
      if (mismatch) {
        await recordIncident(tx, order.id, {
          code: 'CAPTURE_MISFIT',
          data: { captureId: capture.id, misfit: mismatch },
        })
        return { order, mismatch }
      }
      await write(
        tx,
        'insert into payments (id, order_id, paypal_order_id, capture_id, amount, created_at) values (?, ?, ?, ?, ?, ?)',
        [v7(), order.id, payment.id, capture.id, order.charge, clock.now()],
      )
      await markPaid(tx, order, capture.id)
      await recordOutcome(tx, payment.id, 'CAPTURED')
      return { order }
    })
  const settled = await apply().catch((error: unknown) => {
    // A concurrent request claimed the capture for another order; the second attempt finds that.
    if (error instanceof UniqueConstraintViolationException) return apply()
    throw error
  })
  if (settled.mismatch) throw refuse('PAYMENT_FAILED', settled.mismatch === ELSEWHERE ? USED : CHARGED)
  return { order: settled.order, captureId: capture.id, mayMoveStock: true }
}

/**
 * What nearly every capture is: completed, over the order's total, of an order that holds its stock, has and is for no gift card, is not
 * paid and in nobody else's hands. One statement, so it needs no transaction. Returns the order, now paid; null when anything is otherwise, and nothing was done.
 */
async function settleUsual(
  em: EntityManager,
  orderId: string,
  payment: PaypalPayment,
  capture: PaypalCapture,
): Promise<Order | null> {
  const { id: captureId, status, amount } = capture
  if (status !== 'COMPLETED' || amount === null) return null
  if (misfit({ id: orderId, charge: amount }, payment, capture)) return null
  // Checked without a lock first: an order that is already paid would only be locked for longer.
  const order = await em.findOneOrFail(Order, { id: orderId })
  if (order.isPaid) return null
  const now = clock.now()
  const isPaid = await changeOrder(
    em,
    'ORDER_PAID',
    `payable as (
       select id from orders
       where id = ? and total_price = ? and gift_card_amount = 0 and gift_cards_sold = 0 and paid_at is null and lapsed_at is null and cancelled_at is null
       for no key update skip locked
     ), payment as (
       insert into payments (id, order_id, paypal_order_id, capture_id, amount, created_at)
       select ?::uuid, id, ?, ?, ?, ?::timestamptz from payable
       on conflict do nothing returning order_id, paypal_order_id
     ), last as (
       select a.id from payment_attempts a join payment p on p.order_id = a.order_id and p.paypal_order_id = a.paypal_order_id
       order by a.number desc limit 1 for update of a
     ), captured as (
       update payment_attempts a set state = 'CAPTURED', updated_at = ?::timestamptz from last where a.id = last.id and state <> 'CAPTURED'
     ), changed as (
       update orders o set paid_at = at, held_until = null, placed_from = null, payment_started_at = null,
         first_sent_at = case when is_download then at end, sent_at = case when is_download then at end,
         delivered_at = case when is_download then at end
       from payment, (select ?::timestamptz as at) now where o.id = payment.order_id returning o.*
     ), mailed as (
       insert into mails ${MAIL} from changed
     ), received as (
       insert into mails ${MAIL} from changed
     )`,
    [
      orderId,
      amount,
      v7(),
      payment.id,
      captureId,
      amount,
      now,
      now,
      now,
      ...mailValues(em, 'ORDER_PAID', { orderId }),
      ...mailValues(em, 'ORDER_RECEIVED', { orderId }),
    ],
  )
  if (!isPaid) return null
  const sentAt = order.isDownload ? now : null
  return em.map(Order, {
    id: orderId,
    paid_at: now,
    first_sent_at: sentAt,
    sent_at: sentAt,
    delivered_at: sentAt,
    held_until: null,
    placed_from: null,
    payment_started_at: null,
  })
}

/** Why a completed capture cannot pay this order; null when it does, to the cent. */
function misfit(order: Payable, payment: PaypalPayment, { currency, amount, orderId }: PaypalCapture): string | null {
  return misfitOf(order, { ...payment, currency, amount, orderId: orderId ?? payment.orderId })
}

type Payable = Pick<Order, 'id' | 'charge'>

/** Why money cannot pay this order; null when it does, to the cent. The shop's own payments name their order, others need not. */
export function misfitOf(
  order: Payable,
  {
    orderId,
    otherPayee,
    paysUs,
    currency,
    amount,
  }: Pick<PaypalPayment, 'orderId' | 'otherPayee' | 'paysUs' | 'currency' | 'amount'>,
): string | null {
  if (orderId !== null && orderId !== order.id) return 'names another order'
  if (otherPayee) return `went to the PayPal account ${otherPayee}, not to the shop’s`
  if (orderId === null && !paysUs)
    return 'names no order, and without PAYPAL_MERCHANT_ID the shop cannot tell whether it was paid'
  if (currency !== shopCurrency()) return `is in ${currency}, not ${shopCurrency()}`
  if (amount !== order.charge) {
    const figure = amount === null ? 'an unreadable amount' : formatCents(amount)
    return `is over ${figure}, but the order is ${formatCents(order.charge)}`
  }
  return null
}

async function markPaid(em: EntityManager, order: Order, captureId: string): Promise<void> {
  if (order.isPaid) {
    return recordIncident(em, order.id, { code: 'PAID_TWICE', data: { captureId } })
  }
  // Money that arrived is recorded whatever the stock says; the owner decides what happens next.
  if (order.cancelledAt) await recordIncident(em, order.id, { code: 'PAID_AFTER_CANCELLING', data: { captureId } })
  if (order.lapsedAt && !(await takeGiftCardsAgain(em, order.id))) {
    order.unpaidAmount = order.giftCardAmount
    order.giftCardAmount = 0
    await recordIncident(em, order.id, {
      code: 'PAID_WITHOUT_GIFT_CARD',
      data: { captureId, missing: order.unpaidAmount, unissued: order.giftCardsSold },
    })
  }
  if (order.lapsedAt) await takeCodeAgain(em, order.id)
  if (order.lapsedAt) {
    const before = (await order.items.loadItems()).map(({ lots }) => lots)
    if ((await takeStockAgain(em, order, { fromAnyLots: true })) !== 'TAKEN')
      await recordIncident(em, order.id, { code: 'PAID_WITHOUT_STOCK', data: { captureId } })
    for (const [place, { name, lots }] of order.items.getItems().entries()) {
      const ordered = nth(before, place)
      if (ordered.length > 0 && !isAsAsked(lots, ordered))
        await recordIncident(em, order.id, {
          code: 'LOTS_CHANGED',
          data: { captureId, name, ordered: lotsInWords(ordered), taken: lotsInWords(lots) },
        })
    }
  }
  await becomePaid(em, order)
}

/** What follows whenever a locked order is paid. */
export async function becomePaid(em: EntityManager, order: Order): Promise<void> {
  const now = clock.now()
  order.paidAt = now
  if (order.isDownload) {
    order.firstSentAt = now
    order.sentAt = now
    order.deliveredAt = now
  }
  order.endHold()
  order.lapsedAt = null
  order.cancelledAt = null
  if (order.giftCardAmount > 0) await recordGiftCardPayments(em, order.id)
  // Who spent the card elsewhere has not paid all of it, and would get more on new cards than they paid.
  if (order.giftCardsSold > 0 && order.unpaidAmount === 0) await issueBought(em, order)
  await recordOrderEvents(em, 'ORDER_PAID', [order])
  queueMail(em, 'ORDER_PAID', { orderId: order.id })
  queueMail(em, 'ORDER_RECEIVED', { orderId: order.id })
}

/** Takes the stock of a lapsed order a second time, all of it or none. Not from other lots than it had, but where any will do. */
export async function takeStockAgain(
  em: EntityManager,
  order: Order,
  { fromAnyLots = false } = {},
): Promise<'TAKEN' | 'SHORT' | 'OTHER_LOTS'> {
  const items = await order.items.loadItems()
  class Short extends Error {}
  class OtherLots extends Error {}
  try {
    const { lots, expected } = await em.transactional(async savepoint => {
      const taken = await takeStock(savepoint, order, items, { fromAnyLots })
      if (taken.shortages.length > 0) throw new Short()
      if (taken.otherLots.length > 0) throw new OtherLots()
      return taken
    })
    for (const item of items) {
      item.lots = lots.get(item.productId) ?? []
      item.expectedOn = expected.get(item.productId) ?? null
    }
    return 'TAKEN'
  } catch (error) {
    if (error instanceof Short) return 'SHORT'
    if (error instanceof OtherLots) return 'OTHER_LOTS'
    throw error
  }
}
