import type { EventRecord } from '../event/record-events.ts'
import type { EventType } from '../generated/types.ts'
import type { Order } from './order.entity.ts'

type OrderEventType = Extract<EventType, `ORDER_${string}`>

/** What the world hears when something happens to an order: how it stands, and no word about who ordered. */
export function orderEvent(type: OrderEventType, order: Order): EventRecord {
  const { id, reference, status, totalPrice, refundedAmount } = order
  return {
    type,
    subjectId: id,
    data: { order: { id, reference, status, totalPrice, refundedAmount, currency: 'USD' } },
  }
}
