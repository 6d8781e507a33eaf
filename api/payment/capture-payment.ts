import { LockMode, UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { present } from '#schema/rules/present'
import { clock } from '../kernel/clock.ts'
import { Refusal, refuse } from '../kernel/errors.ts'
import { Order } from '../order/order.entity.ts'
import { recordIncident } from '../order/record-incident.ts'
import { write } from '../query/read.ts'
import { PaymentAttempt, type AttemptState } from './payment-attempt.entity.ts'
import { PaypalRefused, PaypalUnavailable, type Paypal, type PaypalPayment } from './paypal.ts'
import { recordOutcome, stateOf } from './record-outcome.ts'
import { lockOrder, recordRefund } from './record-refund.ts'
import { settle, USED, type Settled } from './settle.ts'

/**
 * Captures an approved PayPal order and settles it. Safe to repeat, and to be cut off anywhere: that it was captured is
 * written down with what it pays, so whatever a crash leaves behind is an open attempt. An order that is paid otherwise is
 * refused, unless the money `isTaken` already: that is followed all the same.
 */
export async function capturePayment(
  em: EntityManager,
  paypal: Paypal,
  orderId: string,
  paypalOrderId: string,
  { isTaken = false } = {},
): Promise<Settled> {
  const requestId =
    (await startFirst(em, orderId, paypalOrderId, isTaken)) ?? (await startNext(em, orderId, paypalOrderId, isTaken))
  let payment: PaypalPayment | null = null
  try {
    payment = await paypal.captureOrder(paypalOrderId, requestId)
    return await settle(em, orderId, payment)
  } catch (error) {
    const outcome = outcomeOf(error, payment)
    if (outcome) await recordOutcome(em, paypalOrderId, outcome)
    throw error
  }
}

/**
 * Makes the shop agree with what PayPal reports, no matter who asked for it, and returns what it means. A payment that
 * cannot be settled is no error here: settle has notified the administrator.
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
      const order = present(await lockOrder(tx, orderId))
      const captureId = present(payment.capture).id
      if (!order.isPaid) await recordIncident(tx, orderId, { code: 'CAPTURE_DECLINED', data: { captureId } })
    })
  return state
}

export const cancelled = () => refuse('ORDER_CANCELLED', 'This order was cancelled. Nothing was taken.')

const requestIdOf = (paypalOrderId: string, number: number) => `capture:${paypalOrderId}:${number}`

/** Begins the first attempt, which nearly always is the only one. Null when it is not the first, or nothing may be paid. */
async function startFirst(
  em: EntityManager,
  orderId: string,
  paypalOrderId: string,
  isTaken: boolean,
): Promise<string | null> {
  const now = clock.now()
  const [first] = await write<{ request_id: string }>(
    em,
    `insert into payment_attempts (id, order_id, paypal_order_id, number, request_id, state, created_at, updated_at)
     select ?::uuid, id, ?, 1, ?, 'STARTED', ?::timestamptz, ?::timestamptz from orders
     where id = ? and cancelled_at is null and (paid_at is null or ?::boolean) for no key update
     on conflict do nothing returning request_id`,
    [v7(), paypalOrderId, requestIdOf(paypalOrderId, 1), now, now, orderId, isTaken],
  )
  return first?.request_id ?? null
}

/**
 * The attempt under way, no matter who began it, or the next one when the last one ended with a no: then PayPal needs a
 * request id of its own, or it would repeat the no.
 */
async function startNext(em: EntityManager, orderId: string, paypalOrderId: string, isTaken: boolean): Promise<string> {
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
        return last.requestId
      }
      // While the buyer was at PayPal.
      if (order.isPaid && !isTaken)
        throw refuse('ALREADY_PAID', 'This order has already been paid. Nothing more was taken.')
      const number = (last?.number ?? 0) + 1
      const requestId = requestIdOf(paypalOrderId, number)
      tx.create(PaymentAttempt, { orderId, paypalOrderId, number, requestId, state: 'STARTED' })
      return requestId
    })
  return start().catch((error: unknown) => {
    // A concurrent request began with the same PayPal order for another order; the second attempt finds that.
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
