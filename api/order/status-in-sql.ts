import type { OrderStatus } from '#schema/rules/order-status'

/** `orderStatus` as SQL. Each says all that partial indexes ask for. */
export const inStatus: Record<OrderStatus, string> = {
  UNPAID: 'paid_at is null and lapsed_at is null',
  LAPSED: 'paid_at is null and lapsed_at is not null and cancelled_at is null',
  CANCELLED: 'paid_at is null and lapsed_at is not null and cancelled_at is not null',
  PAID: 'paid_at is not null and delivered_at is null and first_sent_at is null',
  PARTLY_SENT: 'paid_at is not null and delivered_at is null and first_sent_at is not null and sent_at is null',
  SENT: 'paid_at is not null and delivered_at is null and first_sent_at is not null and sent_at is not null',
  DELIVERED: 'paid_at is not null and delivered_at is not null',
}

/** The status of a row. */
export const STATUS = `case ${Object.entries(inStatus)
  .map(([status, is]) => `when ${is} then '${status}'`)
  .join(' ')} end`
