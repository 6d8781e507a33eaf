import { shopCurrency } from '#schema/rules/money'
import { isCalledOff, orderCan } from '#schema/rules/order-status'
import type * as op from '../generated/ucp.ts'
import { whyUnreachable } from '../order/destination.ts'
import type { Buyer } from './agent-checkout.entity.ts'
import { error, type Message, type Shop } from './call.ts'
import { itemOf, lineTotals, linksOf, totalsOf, type Cart } from './cart.ts'
import { confirmationOf, pageOf, postal, type Order } from './order.ts'

/** What agents call the lines of an address. */
const POSTAL = { country: 'address_country', state: 'address_region', postalCode: 'postal_code' }

/** What an order needs and nobody has said yet or said wrong, unless that is told already. */
export function missingOf(
  { terms }: Shop,
  { lines, shippingAddress }: Cart,
  { email }: Buyer,
  messages: Message[],
): Message[] {
  const isNamed = (path: string) => messages.some(message => message.path?.startsWith(path))
  const address = '$.fulfillment.methods[0].destinations'
  const unreachable = shippingAddress && whyUnreachable(terms, shippingAddress)
  return [
    ...(lines.length === 0 ? [error('field_required', 'Nothing is ordered.', 'recoverable', '$.line_items')] : []),
    ...(email === undefined && !isNamed('$.buyer.email')
      ? [error('field_required', 'Say where the shop writes to.', 'recoverable', '$.buyer.email')]
      : []),
    ...(shippingAddress === null && !isNamed(address)
      ? [error('field_required', 'Say where it goes: at least name and country.', 'recoverable', address)]
      : []),
    ...(unreachable && !isNamed(address)
      ? [
          error(
            unreachable.line === 'country' ? 'address_undeliverable' : 'invalid_address',
            unreachable.message,
            'recoverable',
            `${address}[0].${POSTAL[unreachable.line]}`,
          ),
        ]
      : []),
  ]
}

/** One that was ordered: what is left to do is its buyer’s. */
export function orderedView(shop: Shop, id: string, order: Order, messages: Message[]) {
  const { status, isPaid, isPaymentUnderWay, heldUntil } = order
  const ending = isCalledOff(status) ? 'canceled' : orderCan.pay(status) ? null : 'completed'
  const isOver = ending !== null
  return {
    id,
    status: ending ?? (isPaymentUnderWay ? 'complete_in_progress' : 'requires_escalation'),
    buyer: { email: order.user.email },
    line_items: order.items.map(item => ({
      ...itemOf(shop, item),
      quantity: item.quantity,
      totals: lineTotals(item.price * item.quantity),
    })),
    currency: shopCurrency(),
    totals: totalsOf(order),
    ...(order.discountCode !== null && {
      discounts: {
        codes: [order.discountCode],
        applied: [{ code: order.discountCode, title: 'Discount', amount: order.discount }],
      },
    }),
    fulfillment: fulfillmentOf(order.items, order.shippingAddress, order.shippingPrice),
    messages: isOver
      ? messages
      : [
          ...messages,
          error(
            'payment_required',
            'The order is placed. Its buyer looks at it and pays it at `continue_url`.',
            'requires_buyer_review',
          ),
        ],
    links: linksOf(shop),
    ...(isPaid && { order: confirmationOf(shop, id, order) }),
    ...(!isOver && { continue_url: pageOf(shop, id, order) }),
    ...(!isOver && heldUntil !== null && { expires_at: heldUntil }),
  }
}

interface Line {
  productId: string
  isDownload: boolean
}

/** The shop sends everything in one way, for what its rules say; what is downloaded takes none, but an address for the invoice. */
export function fulfillmentOf(lines: readonly Line[], address: op.UcpAddressFragment | null, price: number) {
  const idsOf = (some: readonly Line[]) => some.map(({ productId }) => productId)
  const group = (id: string, ids: string[], option: { id: string; title: string }, amount: number) =>
    ids.length === 0
      ? []
      : [
          {
            id,
            line_item_ids: ids,
            selected_option_id: option.id,
            options: [{ ...option, totals: [{ type: 'total', amount }] }],
          },
        ]
  const sent = idsOf(lines.filter(({ isDownload }) => !isDownload))
  const downloads = idsOf(lines.filter(({ isDownload }) => isDownload))
  return {
    methods: [
      {
        id: 'shipping',
        type: 'shipping',
        line_item_ids: idsOf(lines),
        ...(address && { destinations: [{ id: 'address', ...postal(address) }], selected_destination_id: 'address' }),
        groups: [
          ...group('parcel', sent, { id: 'standard', title: 'Standard shipping' }, price),
          ...group('download', downloads, { id: 'download', title: 'Download, once it is paid' }, 0),
        ],
      },
    ],
  }
}
