import type { EventType } from '../../generated/types.ts'

/** What happens in the shop, as people read it. */
export const eventWords: Record<EventType, string> = {
  ORDER_PLACED: 'Order placed',
  ORDER_PAID: 'Order paid',
  ORDER_EXPECTED: 'Order expected',
  ORDER_DELIVERED: 'Order delivered',
  ORDER_LAPSED: 'Order lapsed',
  ORDER_CANCELLED: 'Order cancelled',
  ORDER_REFUNDED: 'Order refunded',
  ORDER_ATTENTION: 'Order needs attention',
  ORDER_ANNOTATED: 'Order annotated',
  ORDER_PACKED: 'Parcel packed',
  ORDER_UNPACKED: 'Parcel unpacked',
  ORDER_SENT: 'Parcel sent',
  ORDER_TRACKED: 'Parcel tracked',
  ORDER_PARTLY_DELIVERED: 'Parcel delivered',
  ORDER_RETURNED: 'Parcel returned',
  PRODUCT_CHANGED: 'Product changed',
  STOCK_CHANGED: 'Stock changed',
  STOCK_LOW: 'Stock low',
  REVIEW_CHANGED: 'Review changed',
  CUSTOMER_CHANGED: 'Customer changed',
}

export const eventMeaning: Record<EventType, string> = {
  ORDER_PLACED: 'Its stock is held, and it waits to be paid.',
  ORDER_PAID: 'It can be packed and sent.',
  ORDER_EXPECTED: 'What was ordered ahead is expected on another day, or is here.',
  ORDER_DELIVERED: 'All of it was marked delivered.',
  ORDER_LAPSED: 'It was not paid in time, or you ended its hold, and its stock went back.',
  ORDER_CANCELLED: 'Its shopper cancelled it before it was paid, and its stock went back.',
  ORDER_REFUNDED: 'All of its money or a part went back to the shopper.',
  ORDER_ATTENTION: 'Something about its money has to be looked at, or was dealt with.',
  ORDER_ANNOTATED: 'Its note, tags or external ids were changed.',
  ORDER_PACKED: 'It waits to be sent.',
  ORDER_UNPACKED: 'It was cancelled, and what was in it is left to send.',
  ORDER_SENT: 'It left, with all of the order or a part.',
  ORDER_TRACKED: 'Its carrier or number was corrected.',
  ORDER_PARTLY_DELIVERED: 'Others of the order are still to come.',
  ORDER_RETURNED: 'All of it or a part came back.',
  PRODUCT_CHANGED: 'It was put on sale, changed, annotated, or taken off sale. Sales are no change.',
  STOCK_CHANGED: 'Units were sold, came back or were counted: before, after, why, and for which order.',
  STOCK_LOW: 'A sale left fewer units than count as well stocked.',
  REVIEW_CHANGED: 'It was written, changed, answered, found helpful, hidden or shown again.',
  CUSTOMER_CHANGED: 'An account was opened, changed, annotated or closed. Nothing is said about the person.',
}

/** What an event is about. */
export function eventGroup(event: EventType): string {
  if (event === 'REVIEW_CHANGED' || event === 'CUSTOMER_CHANGED') return 'Customers'
  if (!event.startsWith('ORDER_')) return 'Products'
  return eventWords[event].startsWith('Order') ? 'Orders' : 'Parcels'
}

export const events = Object.keys(eventWords) as EventType[]

/** "order.paid" for ORDER_PAID, as requests spell it. */
export const wireType = (event: EventType) => event.toLowerCase().replace('_', '.')

/** "Order paid" for what a request calls "order.paid". */
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
