import type { EventRecord } from '../event/record-events.ts'
import { orderEvent } from '../order/order-event.ts'
import type { Parcel } from './lock-fulfilment.ts'

/** What the world hears when something happens to a parcel: how its order stands, and what is in it. */
export function parcelEvent(
  type: 'ORDER_SENT' | 'ORDER_TRACKED' | 'ORDER_PARTLY_DELIVERED' | 'ORDER_RETURNED',
  { fulfilment, order }: Parcel,
): EventRecord {
  const { id, status, carrier, trackingNumber, trackingUrl, sentAt, deliveredAt } = fulfilment
  const lines = fulfilment.lines
    .getItems()
    .map(({ item: { productId, sku }, quantity, lots }) => ({ productId, sku, quantity, lots }))
  const ofOrder = orderEvent(type, order)
  return {
    ...ofOrder,
    data: {
      ...ofOrder.data,
      fulfilment: {
        id,
        status,
        carrier: carrier ?? null,
        trackingNumber: trackingNumber ?? null,
        trackingUrl,
        lines,
        sentAt: sentAt?.toISOString() ?? null,
        deliveredAt: deliveredAt?.toISOString() ?? null,
      },
    },
  }
}
