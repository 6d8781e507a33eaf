import { countryNamed } from '#schema/rules/countries'
import { dayIn, estimateDelivery, type DayRange, type DeliveryTerms } from '#schema/rules/delivery'
import { isAwaited } from '#schema/rules/order-status'
import { awaitedOf, lastDay } from '#schema/rules/preorder'
import { clock } from '../kernel/clock.ts'
import type { Order, OrderItem } from './order.entity.ts'

/** Estimates of a shop: what its owner set, and where its days begin. */
export interface Estimating {
  delivery: DeliveryTerms
  timeZone: string
}

/** When an order has likely arrived, or is ready for who picks it up; null when there is nothing to wait for. */
export function estimateArrival(
  { delivery, timeZone }: Estimating,
  order: Order,
  lines: readonly Pick<OrderItem, 'expectedOn' | 'quantity' | 'fulfilledQuantity'>[],
): DayRange | null {
  const { status, isRefunded, isPickup, isDownload, sentAt, paidAt, shippingAddress } = order
  if (isRefunded || isDownload || !isAwaited(status) || (isPickup && sentAt)) return null
  return estimateDelivery(delivery, {
    day: dayIn(timeZone, sentAt ?? paidAt ?? clock.now()),
    abroad: countryNamed(shippingAddress.country) !== delivery.country,
    isPickup,
    sent: Boolean(sentAt),
    expectedOn: lastDay(lines.map(awaitedOf)),
  })
}
