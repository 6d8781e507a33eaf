/** See `OrderStatus` in schema/order.graphql. */
export type OrderStatus = 'UNPAID' | 'LAPSED' | 'CANCELLED' | 'PAID' | 'DELIVERED'

export interface OrderDates {
  paidAt?: unknown
  deliveredAt?: unknown
  lapsedAt?: unknown
  cancelledAt?: unknown
}

export function orderStatus(order: OrderDates): OrderStatus {
  if (order.deliveredAt) return 'DELIVERED'
  if (order.paidAt) return 'PAID'
  if (order.cancelledAt) return 'CANCELLED'
  return order.lapsedAt ? 'LAPSED' : 'UNPAID'
}

/** What can be done with an order in a status. SPEC §4. */
export const orderCan = {
  pay: (status: OrderStatus) => status === 'UNPAID' || status === 'LAPSED',
  cancel: (status: OrderStatus) => status === 'UNPAID' || status === 'LAPSED',
  deliver: (status: OrderStatus) => status === 'PAID',
}
