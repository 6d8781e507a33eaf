import { LockMode, UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql'
import { clock } from '../kernel/clock.ts'
import { Refusal, refuse } from '../kernel/errors.ts'
import { Order } from '../order/order.entity.ts'
import { recordIncident } from '../order/record-incident.ts'
import { PaymentAttempt, type AttemptState } from './payment-attempt.entity.ts'
import { PaypalRefused, PaypalUnavailable, type Paypal, type PaypalPayment } from './paypal.ts'
import { lockOrder, recordRefund } from './record-refund.ts'
import { settle, USED, type Settled } from './settle.ts'

/**
 * Captures an approved PayPal order and settles it. Safe to repeat, and to be cut off anywhere: the outcome is written
 * down after the order is settled, so whatever a crash leaves behind is an open attempt.
 */
export async function capturePayment(
  em: EntityManager,
  paypal: Paypal,
  orderId: string,
  paypalOrderId: string,
): Promise<Settled> {
  const attempt = await startAttempt(em, orderId, paypalOrderId)
  let payment: PaypalPayment | null = null
  try {
    payment = await paypal.captureOrder(paypalOrderId, attempt.requestId)
    const settled = await settle(em, orderId, payment)
    await recordOutcome(em, paypalOrderId, 'CAPTURED')
    return settled
  } catch (error) {
    const outcome = outcomeOf(error, payment)
    if (outcome) await recordOutcome(em, paypalOrderId, outcome)
    throw error
  }
}

/**
 * Makes the shop agree with what PayPal reports, whoever asked for it, and answers what it means. A payment that
 * cannot be settled is no error here: settle has told the administrator.
 */
export async function adoptReport(em: EntityManager, orderId: string, payment: PaypalPayment): Promise<AttemptState> {
  const settled = await settle(em, orderId, payment).catch((error: unknown) => {
    if (error instanceof Refusal) return null
    throw error
  })
  if (settled) for (const refund of payment.refunds) await recordRefund(em, orderId, settled.captureId, refund)
  const state = stateOf(payment)
  const before = await recordOutcome(em, payment.id, state)
  if (before === 'PENDING' && state === 'DECLINED')
    await em.transactional(async tx => {
      const order = (await lockOrder(tx, orderId))!
      if (!order.isPaid)
        await recordIncident(tx, orderId, { code: 'CAPTURE_DECLINED', data: { captureId: payment.capture!.id! } })
    })
  return state
}

/**
 * The attempt under way, whoever began it, or the next one when the last one ended with a no: then PayPal needs a
 * request id of its own, or it would repeat the no.
 */
export const cancelled = () => refuse('ORDER_CANCELLED', 'This order was cancelled. Nothing was taken.')

async function startAttempt(em: EntityManager, orderId: string, paypalOrderId: string): Promise<PaymentAttempt> {
  const start = () =>
    em.transactional(async tx => {
      // Two tries of one order take turns here, and the hold cannot run out in between.
      const order = await tx.findOneOrFail(
        Order,
        { id: orderId },
        { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
      )
      if (order.status === 'CANCELLED') throw cancelled()
      const last = await tx.findOne(PaymentAttempt, { paypalOrderId }, { orderBy: { number: 'desc' }, refresh: true })
      if (last && last.orderId !== orderId) throw refuse('PAYMENT_FAILED', USED)
      if (last && last.state !== 'DECLINED' && last.state !== 'FAILED') {
        if (last.state === 'UNKNOWN') last.state = 'STARTED'
        if (last.state === 'STARTED') last.updatedAt = clock.now()
        return last
      }
      const number = (last?.number ?? 0) + 1
      return tx.create(PaymentAttempt, {
        orderId,
        paypalOrderId,
        number,
        requestId: `capture:${paypalOrderId}:${number}`,
        state: 'STARTED',
      })
    })
  return start().catch((error: unknown) => {
    // Another order began with the same PayPal order at the same moment; the second look finds it.
    if (error instanceof UniqueConstraintViolationException) return start()
    throw error
  })
}

/** What a failure says about the money. Null when it says nothing, as a lost database does. */
function outcomeOf(error: unknown, payment: PaypalPayment | null): AttemptState | null {
  if (error instanceof PaypalUnavailable) return 'UNKNOWN'
  if (error instanceof PaypalRefused) return error.issue === 'INSTRUMENT_DECLINED' ? 'DECLINED' : 'FAILED'
  return error instanceof Refusal ? stateOf(payment) : null
}

/** What PayPal's report of an order means for the attempt that captured it. */
export function stateOf(payment: PaypalPayment | null): AttemptState {
  switch (payment?.capture?.status) {
    // Money moved, also when it does not fit the order or went back since.
    case 'COMPLETED':
    case 'PARTIALLY_REFUNDED':
    case 'REFUNDED':
      return 'CAPTURED'
    case 'PENDING':
      return 'PENDING'
    case 'DECLINED':
      return 'DECLINED'
    default:
      return 'FAILED'
  }
}

/** Open attempts only move forward: a late "unknown" does not undo what is known by now. */
const MAY_FOLLOW: Record<AttemptState, readonly AttemptState[]> = {
  STARTED: [],
  UNKNOWN: ['STARTED'],
  PENDING: ['STARTED', 'UNKNOWN'],
  DECLINED: ['STARTED', 'UNKNOWN', 'PENDING'],
  FAILED: ['STARTED', 'UNKNOWN', 'PENDING'],
  CAPTURED: ['STARTED', 'UNKNOWN', 'PENDING', 'DECLINED', 'FAILED'],
}

/**
 * Writes the outcome of the latest attempt on a PayPal order down. Answers what it was before; null when nothing changed.
 * Locks the order first, as whoever begins an attempt does: its time of change moves with the attempt.
 */
export async function recordOutcome(
  em: EntityManager,
  paypalOrderId: string,
  state: AttemptState,
): Promise<AttemptState | null> {
  const [row] = await em.execute<{ before: AttemptState }[]>(
    `with paid as (
       select id from orders where id in (select order_id from payment_attempts where paypal_order_id = ?) for no key update
     ), last as (
       select a.id, a.state from payment_attempts a join paid on paid.id = a.order_id
       where a.paypal_order_id = ? order by a.number desc limit 1 for update of a
     )
     update payment_attempts a set state = ?, updated_at = ? from last where a.id = last.id and last.state in (?) returning last.state as before`,
    [paypalOrderId, paypalOrderId, state, clock.now(), MAY_FOLLOW[state]],
  )
  return row?.before ?? null
}
