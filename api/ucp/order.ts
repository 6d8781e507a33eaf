import { createHash } from 'node:crypto'
import { shopCurrency } from '#schema/rules/money'
import { isCalledOff } from '#schema/rules/order-status'
import * as op from '../generated/ucp.ts'
import { orderOpenedBy } from '../order/order-links.ts'
import { type Asked, type Shop } from './call.ts'
import { itemOf, lineTotals, notFound, totalsOf } from './cart.ts'

export type Order = NonNullable<op.UcpOrderQuery['order']>

/** What opens the order of a checkout: anyone with the checkout's id has it, too, and the shop stores neither. */
export const tokenOf = (checkoutId: string) => createHash('sha256').update(`order of ${checkoutId}`).digest('base64url')

/** The order that a checkout became. Null when there is none. */
export async function readOrder(shop: Shop, checkoutId: string): Promise<Order | null> {
  const orderToken = tokenOf(checkoutId)
  const id = await orderOpenedBy(shop.em, orderToken)
  return id === null ? null : (await shop.ask(op.UcpOrderDocument, { id }, { orderToken })).order
}

/** Shows exactly this order, and lets anyone who opens it pay or cancel it. */
export const pageOf = (shop: Shop, checkoutId: string, { id }: Order) =>
  `${shop.url}/order/${id}#${tokenOf(checkoutId)}`

/** To agents an order has the id of its checkout, which opens it for good. */
export const confirmationOf = (shop: Shop, checkoutId: string, order: Order) => ({
  id: checkoutId,
  label: order.reference,
  permalink_url: pageOf(shop, checkoutId, order),
})

export async function getOrder(shop: Shop, { id }: Asked<unknown>) {
  const order = await readOrder(shop, id)
  if (!order) throw notFound()
  const isCancelled = isCalledOff(order.status)
  const sent = unitsIn(order.fulfilments.filter(({ sentAt }) => sentAt))
  const returns = order.fulfilments.flatMap(({ returns }) => returns)
  const returned = unitsIn(returns)
  return {
    ...confirmationOf(shop, id, order),
    checkout_id: id,
    currency: shopCurrency(),
    line_items: order.items.map(item => {
      const gone = returned.get(item.productId) ?? 0
      const total = isCancelled ? 0 : item.quantity - gone
      const there = item.isDownload ? (order.isPaid ? item.quantity : 0) : (sent.get(item.productId) ?? 0)
      const fulfilled = there - gone
      return {
        ...itemOf(shop, item),
        quantity: { original: item.quantity, total, fulfilled },
        totals: lineTotals(item.price * item.quantity),
        status: total === 0 ? 'removed' : fulfilled >= total ? 'fulfilled' : fulfilled > 0 ? 'partial' : 'processing',
      }
    }),
    totals: totalsOf(order),
    fulfillment: {
      expectations: isCancelled ? [] : expectationsOf(order),
      events: order.fulfilments.flatMap(eventsOf),
    },
    adjustments: [...returns.map(returnOf), ...order.refunds.map(refundOf)].sort(
      (one, other) => Date.parse(one.occurred_at) - Date.parse(other.occurred_at),
    ),
    messages:
      order.isPaid || isCancelled ? [] : [{ type: 'info', code: 'payment_required', content: 'It is not paid yet.' }],
  }
}

interface Moved {
  lines: readonly { item: { productId: string }; quantity: number }[]
}

/** Units by product. */
function unitsIn(moved: readonly Moved[]): Map<string, number> {
  const units = new Map<string, number>()
  for (const { item, quantity } of moved.flatMap(({ lines }) => lines))
    units.set(item.productId, (units.get(item.productId) ?? 0) + quantity)
  return units
}

const returnOf = ({ id, reason, createdAt, lines }: Order['fulfilments'][number]['returns'][number]) => ({
  id,
  type: 'return',
  occurred_at: createdAt,
  status: 'completed',
  line_items: lines.map(({ item, quantity }) => ({ id: item.productId, quantity: -quantity })),
  ...(reason !== null && { description: reason }),
})

const refundOf = ({ id, amount, status, reason, createdAt }: Order['refunds'][number]) => ({
  id,
  type: 'refund',
  occurred_at: createdAt,
  status: status.toLowerCase(),
  totals: [{ type: 'total', amount: -amount }],
  ...(reason !== null && { description: reason }),
})

/** What goes on a journey, and what is downloaded. */
function expectationsOf({ items, shippingAddress, deliveryEstimate }: Order) {
  const [downloads, sent] = [
    items.filter(({ isDownload }) => isDownload),
    items.filter(({ isDownload }) => !isDownload),
  ]
  const expected = (id: string, lines: typeof items, more: { method_type: string; description?: string }) =>
    lines.length === 0
      ? []
      : [
          {
            id,
            line_items: lines.map(({ productId, quantity }) => ({ id: productId, quantity })),
            destination: postal(shippingAddress),
            ...more,
          },
        ]
  return [
    ...expected('parcel', sent, {
      method_type: shippingAddress.isPickup ? 'pickup' : 'shipping',
      ...(deliveryEstimate && {
        description: `Estimated to ${shippingAddress.isPickup ? 'be ready' : 'arrive'} between ${deliveryEstimate.from} and ${deliveryEstimate.to}`,
      }),
    }),
    ...expected('download', downloads, {
      method_type: 'digital',
      description: 'To download at `permalink_url` once it is paid',
    }),
  ]
}

function eventsOf({
  id,
  status,
  carrier,
  trackingNumber,
  trackingUrl,
  lines,
  createdAt,
  sentAt,
  deliveredAt,
}: Order['fulfilments'][number]) {
  const parcel = {
    line_items: lines.map(({ item, quantity }) => ({ id: item.productId, quantity })),
    ...(carrier !== null && { carrier }),
    ...(trackingNumber !== null && { tracking_number: trackingNumber }),
    ...(trackingUrl !== null && { tracking_url: trackingUrl }),
  }
  if (status === 'CANCELLED') return []
  return [
    ['processing', createdAt] as const,
    ['shipped', sentAt] as const,
    ['delivered', deliveredAt] as const,
  ].flatMap(([type, at]) => (at === null ? [] : [{ id: `${id}-${type}`, type, occurred_at: at, ...parcel }]))
}

/** An address in the protocol's terms. Here a name is one line, and it is answered as one. */
export const postal = (address: op.UcpAddressFragment) => ({
  first_name: address.name,
  street_address: address.address,
  extended_address: address.address2,
  address_locality: address.city,
  address_region: address.state,
  postal_code: address.postalCode,
  address_country: address.countryCode ?? address.country,
  phone_number: address.phone,
})
