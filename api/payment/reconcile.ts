import type { EntityManager } from '@mikro-orm/postgresql'
import { present } from '#schema/rules/present'
import { clock } from '../kernel/clock.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../kernel/errors.ts'
import { Order } from '../order/order.entity.ts'
import { adoptReport, capturePayment } from './capture-payment.ts'
import { holdForPayment } from './pay-order.ts'
import { PaymentAttempt } from './payment-attempt.entity.ts'
import { recordOutcome } from './record-outcome.ts'
import { isOwn } from './payment.entity.ts'
import { Refund } from './refund.entity.ts'
import { carryOut, lookedUp } from './refund-order.ts'
import { dropRefund } from './record-refund.ts'
import { PaypalRefused, PaypalUnavailable, type PaypalPayment } from './paypal.ts'

type Reconciling = Pick<Context, 'em' | 'paypal' | 'stockHoldMinutes' | 'log'>

/** A capture that began later than this is left to the request that began it. */
const ATTEMPT_MS = 20_000

/** How long a refund may be asked for again: PayPal remembers request ids for six hours. */
const REQUEST_ID_MS = 5 * 3_600_000

/** How long a shopper's browser has to capture what the shopper approved. */
const APPROVED_MS = 20_000

/** How many payments are asked about at once: one slow answer keeps no others waiting. */
const SIDE_BY_SIDE = 8

/** After so many questions without an answer it is PayPal that is in trouble, not a payment: the next sweep asks again. */
const GIVE_UP_AFTER = 24

/**
 * Makes shop and PayPal agree: asks PayPal about every attempt nobody knows the end of, every refund on its
 * way, and every unpaid order with a PayPal order. Work is claimed row by row, in a transaction that is over before PayPal is asked, so several
 * shop processes share it and no lock waits for the network. Returns how many were checked.
 */
export async function reconcilePayments(services: Reconciling, now = clock.now()): Promise<number> {
  let checked = 0
  let unanswered = 0
  async function work(): Promise<void> {
    while (unanswered < GIVE_UP_AFTER) {
      // A unit of work of its own for each, so that nothing read for one is believed for the next.
      const em = services.em.fork()
      const check = (await claimAttempt(em, now)) ?? (await claimRefund(em, now)) ?? (await claimOrder(em, now))
      if (!check) return
      try {
        await check({ ...services, em }, now)
        checked++
      } catch (error) {
        if (error instanceof PaypalUnavailable) {
          unanswered++
          services.log.warn({ reason: error.message }, 'PayPal cannot be asked about a payment now')
        } else {
          services.log.error(error, 'Could not reconcile a payment')
        }
      }
    }
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work))
  return checked
}

type Check = (services: Reconciling, now: Date) => Promise<void>

/** The open attempt that has waited longest. The older it is, the less often PayPal is asked, at last every ten minutes. */
async function claimAttempt(em: EntityManager, now: Date): Promise<Check | null> {
  const [row] = await em.execute<{ id: string }[]>(
    `update payment_attempts set checked_at = ?::timestamptz where id = (
       select id from payment_attempts
       where state in ('STARTED', 'PENDING', 'UNKNOWN')
         and greatest(updated_at, checked_at) <= ?::timestamptz - greatest(interval '20 seconds', least((?::timestamptz - created_at) / 100, interval '10 minutes'))
       order by checked_at nulls first, updated_at limit 1 for update skip locked
     ) returning id`,
    [now, now, now],
  )
  return row ? (services, now) => checkAttempt(services, row.id, now) : null
}

/**
 * The unpaid order whose PayPal order was not looked at for longest. PayPal forgets what nobody approves, so it is
 * watched for a day: in the first minutes at every sweep, later less and less often.
 */
async function claimOrder(em: EntityManager, now: Date): Promise<Check | null> {
  const [row] = await em.execute<{ id: string }[]>(
    `update orders set paypal_checked_at = ?::timestamptz where id = (
       select id from orders o
       where paypal_watched_from > ?::timestamptz - interval '1 day' and paid_at is null and cancelled_at is null and paypal_order_id is not null
         and coalesce(paypal_checked_at, paypal_watched_from) <= ?::timestamptz - greatest(interval '10 seconds', (?::timestamptz - paypal_watched_from) / 60)
         and not exists (select 1 from payment_attempts a where a.order_id = o.id and a.state in ('STARTED', 'PENDING', 'UNKNOWN'))
       order by paypal_checked_at nulls first limit 1 for update skip locked
     ) returning id`,
    [now, now, now, now],
  )
  return row ? (services, now) => checkOrder(services, row.id, now) : null
}

/** The refund nobody knows the end of that has waited longest. */
async function claimRefund(em: EntityManager, now: Date): Promise<Check | null> {
  const [row] = await em.execute<{ id: string }[]>(
    `update refunds set checked_at = ?::timestamptz where id = (
       select id from refunds
       where state in ('STARTED', 'UNKNOWN', 'PENDING')
         and greatest(updated_at, checked_at) <= ?::timestamptz - greatest(interval '20 seconds', least((?::timestamptz - created_at) / 100, interval '1 hour'))
       order by checked_at nulls first, updated_at limit 1 for update skip locked
     ) returning id`,
    [now, now, now],
  )
  return row ? (services, now) => checkRefund(services, row.id, now) : null
}

async function checkRefund(services: Reconciling, id: string, now: Date): Promise<void> {
  const refund = await services.em.findOneOrFail(Refund, { id })
  if ((await lookedUp(services, refund)) || refund.state === 'PENDING') return
  if (isOwn(refund.captureId) || now.getTime() - refund.createdAt.getTime() < REQUEST_ID_MS) {
    await carryOut(services, refund).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error
    })
    return
  }
  await dropRefund(services.em, refund, { code: 'REFUND_UNKNOWN', data: { refundId: id, amount: refund.amount } })
}

async function checkAttempt(services: Reconciling, id: string, now: Date): Promise<void> {
  const { em, paypal } = services
  const attempt = await em.findOneOrFail(PaymentAttempt, { id })
  const payment = await paypal.getOrder(attempt.paypalOrderId)
  if (payment?.status === 'COMPLETED') return void (await adoptReport(em, attempt.orderId, payment))
  if (now.getTime() - attempt.updatedAt.getTime() < ATTEMPT_MS) return
  if (payment?.status === 'APPROVED' && (await captureForBuyer(services, attempt.orderId, payment))) return
  // PayPal moved no money and will not: nobody asks for it any more.
  await recordOutcome(em, attempt.paypalOrderId, 'FAILED')
}

async function checkOrder(services: Reconciling, id: string, now: Date): Promise<void> {
  const { em, paypal } = services
  const order = await em.findOneOrFail(Order, { id })
  const paypalOrderId = present(order.paypalOrderId)
  const payment = await paypal.getOrder(paypalOrderId)
  if (payment?.status === 'APPROVED') {
    if (await browserDied(em, payment, order, now)) await captureForBuyer(services, id, payment)
    return
  }
  const open = payment && (payment.status !== 'COMPLETED' || (await adoptReport(em, id, payment)) === 'PENDING')
  if (!open) await em.nativeUpdate(Order, { id, paypalOrderId }, { paypalWatchedFrom: null })
}

/** The shopper approved it a while ago, and no capture was tried since. One that was refused is the shopper's to repeat. */
async function browserDied(em: EntityManager, payment: PaypalPayment, order: Order, now: Date): Promise<boolean> {
  const approvedAt = payment.updatedAt ?? present(order.paypalWatchedFrom)
  if (now.getTime() - approvedAt.getTime() < APPROVED_MS) return false
  return (await em.count(PaymentAttempt, { paypalOrderId: payment.id, updatedAt: { $gte: approvedAt } })) === 0
}

/**
 * Captures what the shopper approved with PayPal's "Pay now" when their browser cannot ask for it any more. Not when
 * the order is paid or cancelled, has another PayPal order by now, or has lapsed and its stock is gone: then no money moves at all.
 * Returns whether PayPal was asked.
 */
async function captureForBuyer(
  { em, paypal, stockHoldMinutes, log }: Reconciling,
  orderId: string,
  payment: PaypalPayment,
): Promise<boolean> {
  const order = await em.findOneOrFail(Order, { id: orderId }, { refresh: true })
  if (order.isPaid || order.paypalOrderId !== payment.id) return false
  try {
    await holdForPayment(em, order, stockHoldMinutes)
    await capturePayment(em, paypal, orderId, payment.id)
    log.info({ order: order.reference }, 'Captured a payment whose shopper was gone')
    return true
  } catch (error) {
    if (error instanceof PaypalRefused) return true
    if (error instanceof Refusal)
      return !error.userErrors.some(
        ({ code }) => code === 'OUT_OF_STOCK' || code === 'LOTS_GONE' || code === 'ORDER_CANCELLED',
      )
    throw error
  }
}
