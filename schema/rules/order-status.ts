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

/** What can be done with an order in a status. SPEC §4. */
export const orderCan = {
  pay: (status: OrderStatus) => status === 'UNPAID' || status === 'LAPSED',
  cancel: (status: OrderStatus) => status === 'UNPAID' || status === 'LAPSED',
  send: (status: OrderStatus) => status === 'PAID' || status === 'PARTLY_SENT',
  deliver: (status: OrderStatus) => status === 'PAID' || status === 'PARTLY_SENT' || status === 'SENT',
}

/** Which statuses a filter of the order list shows; null for whatever has an open incident. SQL, board and chips go by it. */
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
export function isShownUnder(
  filter: OrderFilterName,
  { status, isOpen }: { status: OrderStatus; isOpen: boolean },
): boolean {
  const statuses: readonly OrderStatus[] | null = orderFilters[filter]
  return statuses ? statuses.includes(status) : isOpen
}
