/** See `OrderStatus` in schema/order.graphql. */
export type OrderStatus = 'UNPAID' | 'LAPSED' | 'CANCELLED' | 'PAID' | 'PARTLY_SENT' | 'SENT' | 'DELIVERED'

export interface OrderDates {
  paidAt?: unknown
  /** When the first parcel left, and when the last. */
  firstSentAt?: unknown
  sentAt?: unknown
  deliveredAt?: unknown
  lapsedAt?: unknown
  cancelledAt?: unknown
}

export function orderStatus(order: OrderDates): OrderStatus {
  if (order.deliveredAt) return 'DELIVERED'
  if (order.paidAt) return order.sentAt ? 'SENT' : order.firstSentAt ? 'PARTLY_SENT' : 'PAID'
  if (order.cancelledAt) return 'CANCELLED'
  return order.lapsedAt ? 'LAPSED' : 'UNPAID'
}

/** Where an order stands, and whether all that was paid for it went back. */
interface Standing {
  status: OrderStatus
  isRefunded: boolean
}

const canSend = ({ status, isRefunded }: Standing) => !isRefunded && (status === 'PAID' || status === 'PARTLY_SENT')

/** What can be done with an order. Whose money went back is sent no goods, but what has left arrives. SPEC §4. */
export const orderCan = {
  pay: (status: OrderStatus) => status === 'UNPAID' || status === 'LAPSED',
  cancel: (status: OrderStatus) => status === 'UNPAID' || status === 'LAPSED',
  send: canSend,
  deliver: (order: Standing) => canSend(order) || order.status === 'SENT',
}

/**
 * Which statuses a filter of the order list shows; null for whatever has an open incident. What is to be sent or delivered
 * is shown only when it can be. SQL, board and chips go by it.
 */
export const orderFilters = {
  UNPAID: ['UNPAID'],
  PAID: ['PAID', 'PARTLY_SENT', 'SENT', 'DELIVERED'],
  TO_SEND: ['PAID', 'PARTLY_SENT'],
  TO_DELIVER: ['PAID', 'PARTLY_SENT', 'SENT'],
  DELIVERED: ['DELIVERED'],
  LAPSED: ['LAPSED'],
  CANCELLED: ['CANCELLED'],
  NEEDS_ATTENTION: null,
} as const satisfies Record<string, readonly OrderStatus[] | null>

export type OrderFilterName = keyof typeof orderFilters

export const orderFilterNames = Object.keys(orderFilters) as OrderFilterName[]

/** `toDeliver`: how the contract counts what a filter shows. */
export const countName = (filter: OrderFilterName) =>
  filter.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as CountName<OrderFilterName>

type CountName<Name extends string> = Name extends `${infer First}_${infer Second}`
  ? `${Lowercase<First>}${Capitalize<Lowercase<Second>>}`
  : Lowercase<Name>

/** Whether the order list shows an order under a filter. */
export function isShownUnder(filter: OrderFilterName, order: Standing & { isOpen: boolean }): boolean {
  if (filter === 'TO_SEND') return orderCan.send(order)
  if (filter === 'TO_DELIVER') return orderCan.deliver(order)
  const statuses: readonly OrderStatus[] | null = orderFilters[filter]
  return statuses ? statuses.includes(order.status) : order.isOpen
}
