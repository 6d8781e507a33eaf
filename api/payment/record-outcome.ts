import type { EntityManager } from '@mikro-orm/postgresql'
import { clock } from '../kernel/clock.ts'
import { listed, write } from '../query/read.ts'
import type { AttemptState } from './payment-attempt.entity.ts'
import type { PaypalPayment } from './paypal.ts'

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
 * Writes the outcome of the latest attempt on a PayPal order down. Returns what it was before; null when nothing changed.
 * Locks the order first, as beginning an attempt does: its time of change moves with the attempt.
 */
export async function recordOutcome(
  em: EntityManager,
  paypalOrderId: string,
  state: AttemptState,
): Promise<AttemptState | null> {
  const [row] = await write<{ before: AttemptState }>(
    em,
    `with paid as (
       select id from orders where id in (select order_id from payment_attempts where paypal_order_id = ?) for no key update
     ), last as (
       select a.id, a.state from payment_attempts a join paid on paid.id = a.order_id
       where a.paypal_order_id = ? order by a.number desc limit 1 for update of a
     )
     update payment_attempts a set state = ?, updated_at = ?::timestamptz from last where a.id = last.id and last.state = any(?::text[]) returning last.state as before`,
    [paypalOrderId, paypalOrderId, state, clock.now(), listed(MAY_FOLLOW[state])],
  )
  return row?.before ?? null
}
