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

/** What the order list is narrowed by: a status, a status as long as goods are due, or an incident that is open. */
const orderFilters = {
  UNPAID: 'STATUS',
  PAID: 'STATUS',
  TO_SEND: 'DUE',
  TO_DELIVER: 'DUE',
  DELIVERED: 'STATUS',
  LAPSED: 'STATUS',
  CANCELLED: 'STATUS',
  NEEDS_ATTENTION: 'INCIDENT',
} as const
export type OrderFilterName = keyof typeof orderFilters
export type OrderFilterKind = (typeof orderFilters)[OrderFilterName]
export const orderFilterNames = Object.keys(orderFilters) as OrderFilterName[]
export const filterKind = (filter: OrderFilterName): OrderFilterKind => orderFilters[filter]

interface StatusRules {
  /** What can be done next. Whose money went back is sent no goods, but what has left arrives. SPEC §4. */
  next: readonly ('pay' | 'cancel' | 'send' | 'deliver')[]
  /** Whether there is an arrival to look forward to. */
  isAwaited: boolean
  /** The filters of the order list that show it. */
  shownUnder: readonly OrderFilterName[]
}

/** What each status means. SQL, board and chips go by it. */
const orderStatuses: Record<OrderStatus, StatusRules> = {
  UNPAID: { next: ['pay', 'cancel'], isAwaited: true, shownUnder: ['UNPAID'] },
  LAPSED: { next: ['pay', 'cancel'], isAwaited: false, shownUnder: ['LAPSED'] },
  CANCELLED: { next: [], isAwaited: false, shownUnder: ['CANCELLED'] },
  PAID: { next: ['send', 'deliver'], isAwaited: true, shownUnder: ['PAID', 'TO_SEND', 'TO_DELIVER'] },
  PARTLY_SENT: { next: ['send', 'deliver'], isAwaited: true, shownUnder: ['PAID', 'TO_SEND', 'TO_DELIVER'] },
  SENT: { next: ['deliver'], isAwaited: true, shownUnder: ['PAID', 'TO_DELIVER'] },
  DELIVERED: { next: [], isAwaited: false, shownUnder: ['PAID', 'DELIVERED'] },
}
export const orderStatusNames = Object.keys(orderStatuses) as OrderStatus[]

export const isAwaited = (status: OrderStatus) => orderStatuses[status].isAwaited

export const statusesUnder = (filter: OrderFilterName) =>
  orderStatusNames.filter(status => orderStatuses[status].shownUnder.includes(filter))

/** Where an order stands, and whether all that was paid for it went back. */
interface Standing {
  status: OrderStatus
  isRefunded: boolean
}

const allows = (status: OrderStatus, step: StatusRules['next'][number]) => orderStatuses[status].next.includes(step)

/** Nothing more goes to whom all money went back. */
const isDue = ({ status, isRefunded }: Standing) => !isRefunded || !allows(status, 'send')

/** What can be done with an order. */
export const orderCan = {
  pay: (status: OrderStatus) => allows(status, 'pay'),
  cancel: (status: OrderStatus) => allows(status, 'cancel'),
  send: (order: Standing) => allows(order.status, 'send') && isDue(order),
  deliver: (order: Standing) => allows(order.status, 'deliver') && isDue(order),
}

/** `toDeliver`: how the contract counts what a filter shows. */
export const countName = (filter: OrderFilterName) =>
  filter.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as CountName<OrderFilterName>

type CountName<Name extends string> = Name extends `${infer First}_${infer Second}`
  ? `${Lowercase<First>}${Capitalize<Lowercase<Second>>}`
  : Lowercase<Name>

const isShown: Record<OrderFilterKind, (order: Standing & { isOpen: boolean }, inOne: boolean) => boolean> = {
  STATUS: (_, inOne) => inOne,
  DUE: (order, inOne) => inOne && isDue(order),
  INCIDENT: ({ isOpen }) => isOpen,
}

/** Whether the order list shows an order under a filter. */
export const isShownUnder = (filter: OrderFilterName, order: Standing & { isOpen: boolean }): boolean =>
  isShown[filterKind(filter)](order, orderStatuses[order.status].shownUnder.includes(filter))
