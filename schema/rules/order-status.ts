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

/** What the order list is narrowed by: a status, a status while goods are still due, or are still expected, or wait at the shop, or an open incident. */
export const orderFilters = {
  UNPAID: 'STATUS',
  PAID: 'STATUS',
  TO_SEND: 'DUE',
  TO_DELIVER: 'DUE',
  TO_PICK_UP: 'PICKUP',
  EXPECTED: 'PREORDER',
  DELIVERED: 'STATUS',
  LAPSED: 'STATUS',
  CANCELLED: 'STATUS',
  NEEDS_ATTENTION: 'INCIDENT',
} as const
export type OrderFilterName = keyof typeof orderFilters

interface StatusRules {
  /** What can be done next. SPEC §4: after a full refund no goods are sent, but a sent parcel can still arrive. */
  next: readonly ('pay' | 'cancel' | 'send' | 'deliver')[]
  /** Whether goods are expected to arrive. */
  isAwaited: boolean
  /** Whether it ended unpaid: it can no longer be paid, and nothing is sent. */
  isCalledOff: boolean
  /** Under which filters orders of this status are shown. The SQL, the board and the chips follow it. */
  filters: readonly OrderFilterName[]
}

/** What each status means. */
const orderStatuses: Record<OrderStatus, StatusRules> = {
  UNPAID: { next: ['pay', 'cancel'], isAwaited: true, isCalledOff: false, filters: ['UNPAID'] },
  LAPSED: { next: ['pay', 'cancel'], isAwaited: false, isCalledOff: false, filters: ['LAPSED'] },
  CANCELLED: { next: [], isAwaited: false, isCalledOff: true, filters: ['CANCELLED'] },
  PAID: {
    next: ['send', 'deliver'],
    isAwaited: true,
    isCalledOff: false,
    filters: ['PAID', 'TO_SEND', 'TO_DELIVER', 'EXPECTED'],
  },
  PARTLY_SENT: {
    next: ['send', 'deliver'],
    isAwaited: true,
    isCalledOff: false,
    filters: ['PAID', 'TO_SEND', 'TO_DELIVER', 'TO_PICK_UP', 'EXPECTED'],
  },
  SENT: { next: ['deliver'], isAwaited: true, isCalledOff: false, filters: ['PAID', 'TO_DELIVER', 'TO_PICK_UP'] },
  DELIVERED: { next: [], isAwaited: false, isCalledOff: false, filters: ['PAID', 'DELIVERED'] },
}
export const orderStatusNames = Object.keys(orderStatuses) as OrderStatus[]

export const shownUnder = (status: OrderStatus) => orderStatuses[status].filters
export const isAwaited = (status: OrderStatus) => orderStatuses[status].isAwaited
export const isCalledOff = (status: OrderStatus) => orderStatuses[status].isCalledOff

/** An order's status, and whether everything paid for it was refunded. */
export interface Standing {
  status: OrderStatus
  isRefunded: boolean
}

const allows = (status: OrderStatus, step: StatusRules['next'][number]) => orderStatuses[status].next.includes(step)

/** After a full refund nothing more is sent. */
export const isDue = ({ status, isRefunded }: Standing) => !isRefunded || !allows(status, 'send')

/** What can be done with an order. */
export const orderCan = {
  pay: (status: OrderStatus) => allows(status, 'pay'),
  cancel: (status: OrderStatus) => allows(status, 'cancel'),
  send: (order: Standing) => allows(order.status, 'send') && isDue(order),
  deliver: (order: Standing) => allows(order.status, 'deliver') && isDue(order),
}
