import { formatCents } from '#schema/rules/money'
import type { Order } from './order.entity.ts'

/** What sending an order costs, where something is sent. */
export const shippingLine = ({ isDownload, isPickup, shippingPrice }: Order): [label: string, amount: string][] =>
  isDownload ? [] : [[isPickup ? 'Pickup' : 'Shipping', shippingPrice === 0 ? 'Free' : formatCents(shippingPrice)]]
