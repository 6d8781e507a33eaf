import type { EventType } from '../../generated/types.ts'

/** What happens in the shop, as people read it. */
export const eventWords: Record<EventType, string> = {
  ORDER_PLACED: 'Order placed',
  ORDER_PAID: 'Order paid',
  ORDER_PACKED: 'Order packed',
  ORDER_UNPACKED: 'Order unpacked',
  ORDER_SENT: 'Order sent',
  ORDER_TRACKED: 'Order tracked',
  ORDER_PARTLY_DELIVERED: 'Order partly delivered',
  ORDER_DELIVERED: 'Order delivered',
  ORDER_RETURNED: 'Order returned',
  ORDER_LAPSED: 'Order lapsed',
  ORDER_CANCELLED: 'Order cancelled',
  ORDER_REFUNDED: 'Order refunded',
  ORDER_ATTENTION: 'Order needs attention',
  CUSTOMER_CHANGED: 'Customer changed',
  REVIEW_CHANGED: 'Review changed',
  PRODUCT_CHANGED: 'Product changed',
  STOCK_LOW: 'Stock low',
}

export const eventMeaning: Record<EventType, string> = {
  ORDER_PLACED: 'Its stock is held, and it waits to be paid.',
  ORDER_PAID: 'It can be packed and sent.',
  ORDER_PACKED: 'A parcel was packed, and waits to be sent.',
  ORDER_UNPACKED: 'A packed parcel was cancelled.',
  ORDER_SENT: 'One of its parcels left, with all of it or a part.',
  ORDER_TRACKED: 'Carrier or number of one of its parcels was corrected.',
  ORDER_PARTLY_DELIVERED: 'One of its parcels was delivered, and others are still to come.',
  ORDER_DELIVERED: 'All of it was marked delivered.',
  ORDER_RETURNED: 'All of one of its parcels or a part came back.',
  ORDER_LAPSED: 'It was not paid in time, or you ended its hold, and its stock went back.',
  ORDER_CANCELLED: 'Its shopper cancelled it before it was paid, and its stock went back.',
  ORDER_REFUNDED: 'All of its money or a part went back to the shopper.',
  ORDER_ATTENTION: 'Something about its money has to be looked at, or was dealt with.',
  CUSTOMER_CHANGED: 'An account was opened, changed or closed. Only its id is told.',
  REVIEW_CHANGED: 'It was written, changed, answered, hidden or shown again.',
  PRODUCT_CHANGED: 'It was put on sale, changed, or taken off sale. Sales are no change.',
  STOCK_LOW: 'A sale left fewer units than count as well stocked.',
}

export const events = Object.keys(eventWords) as EventType[]

/** "order.paid" of ORDER_PAID: as requests spell it. */
export const wireType = (event: EventType) => event.toLowerCase().replace('_', '.')

/** "Order paid" of what a request calls "order.paid". */
export function eventName(type: string): string {
  const event = events.find(each => wireType(each) === type)
  return event ? eventWords[event] : type === 'webhook.test' ? 'Test event' : type
}

/** "Order placed, order paid"; "Every event" when none is missing. */
export function eventsInWords(chosen: readonly EventType[]): string {
  if (events.every(event => chosen.includes(event))) return 'Every event'
  const words = events
    .filter(event => chosen.includes(event))
    .map(event => eventWords[event])
    .join(', ')
  return words.charAt(0) + words.slice(1).toLowerCase()
}
