import type { EntityManager } from '@mikro-orm/postgresql'
import { recordOrderEvents } from '../order/order-event.ts'
import type { Parcel } from './lock-fulfilment.ts'

/** Tells the world that something happened to a parcel: how its order stands, and what is in it. */
export async function recordParcelEvent(
  em: EntityManager,
  type:
    'ORDER_PACKED' | 'ORDER_UNPACKED' | 'ORDER_SENT' | 'ORDER_TRACKED' | 'ORDER_PARTLY_DELIVERED' | 'ORDER_RETURNED',
  { fulfilment, order }: Parcel,
  more: object = {},
): Promise<void> {
  const { id, status, carrier, trackingNumber, trackingUrl, sentAt, deliveredAt } = fulfilment
  const lines = fulfilment.lines
    .getItems()
    .map(({ item: { productId, sku }, quantity, lots }) => ({ productId, sku, quantity, lots }))
  const parcel = {
    id,
    status,
    carrier: carrier ?? null,
    trackingNumber: trackingNumber ?? null,
    trackingUrl,
    lines,
    sentAt: sentAt?.toISOString() ?? null,
    deliveredAt: deliveredAt?.toISOString() ?? null,
  }
  await recordOrderEvents(em, type, [order], { fulfilment: parcel, ...more })
}
