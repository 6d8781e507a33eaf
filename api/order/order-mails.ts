import { addressLines } from '#schema/rules/address-lines'
import { dayRangeWords, estimateLabel } from '#schema/rules/delivery'
import { dyeLots, type LotPortion } from '#schema/rules/lots'
import { formatCents } from '#schema/rules/money'
import { inSentence } from '#schema/rules/payment-methods'
import { awaitedOf, preorderWords } from '#schema/rules/preorder'
import { zonedMoment } from '#schema/rules/time-zone'
import {
  NO_ZONE,
  writeLetter,
  type Letter,
  type LetterLine,
  type Part,
  type Shop,
  type Templates,
} from '../mail/template.ts'
import { clock } from '../kernel/clock.ts'
import { batched } from '../query/batch.ts'
import { estimateArrival } from './estimate-arrival.ts'
import { findToldOrders, type ToldOrder } from './find-order.ts'
import { giftCardLines } from './gift-card-lines.ts'
import { makeOrderToken } from './order-links.ts'
import type { Order, OrderItem } from './order.entity.ts'
import { shippingLine } from './shipping-line.ts'
import { taxRows } from './tax-rows.ts'

declare module '../mail/mail.entity.ts' {
  interface MailAbout {
    ORDER_PLACED: { orderId: string }
    ORDER_PAID: { orderId: string }
    /** What was ordered ahead is expected on another day. */
    ORDER_EXPECTED: { orderId: string }
    ORDER_DELIVERED: { orderId: string }
    ORDER_CANCELLED: { orderId: string }
  }
}

type OrderMailKind = 'ORDER_PLACED' | 'ORDER_PAID' | 'ORDER_EXPECTED' | 'ORDER_DELIVERED' | 'ORDER_CANCELLED'

const writerOf =
  (kind: OrderMailKind) =>
  (shop: Shop, { orderId }: { orderId: string }): Promise<Letter | null> =>
    writeAbout(shop, orderId, contents[kind])

/** What is mailed to the shopper when something happens to their order. */
export const orderMails = {
  ORDER_PLACED: writerOf('ORDER_PLACED'),
  ORDER_PAID: writerOf('ORDER_PAID'),
  ORDER_EXPECTED: writerOf('ORDER_EXPECTED'),
  ORDER_DELIVERED: writerOf('ORDER_DELIVERED'),
  ORDER_CANCELLED: writerOf('ORDER_CANCELLED'),
} satisfies Partial<Templates>

/** What a letter says of an order; `see` leads to its page, a guest's too, and `arrives` is in words, without a full stop. */
export type About = (
  order: Order,
  see: (label: string) => Part,
  arrives: string | null,
  lines: ToldOrder['lines'],
  hasDownloads: boolean,
) => { subject: string; parts: Part[] }

/** A mail to the buyer. Null without the order, or when their account is deleted. */
export async function writeAbout(shop: Shop, orderId: string, about: About): Promise<Letter | null> {
  const { em, reader, shopUrl } = shop
  const told = await batched(reader, findToldOrders, orderId)
  if (!told?.order.userEmail) return null
  const { order, lines, hasDownloads } = told
  // In the fragment (`#`), which browsers send to no server. Made only when the mail is sent, so that it is stored nowhere
  // but in the letter.
  const opening = order.isGuests ? `#${makeOrderToken(em, order.id)}` : ''
  await em.flush()
  const see = (label: string): Part => ({ link: `${shopUrl}/order/${order.id}${opening}`, label })
  const estimate = estimateArrival(shop, order, lines)
  const arrives = estimate && `${estimateLabel(order.isPickup)}: ${dayRangeWords(estimate)}`
  return writeLetter(shop, {
    recipient: order.userEmail,
    name: order.userName,
    ...about(order, see, arrives, lines, hasDownloads),
  })
}

const contents: Record<OrderMailKind, About> = {
  ORDER_PLACED: (order, see, arrives, lines) => ({
    subject: `Your order ${order.reference}`,
    parts: [
      order.heldUntil && order.isDownload
        ? `You can pay until ${hour(order, order.heldUntil)}. Then it is yours.`
        : order.heldUntil
          ? `We have put your yarn aside until ${hour(order, order.heldUntil)}. It is yours as soon as it is paid.`
          : 'Thank you for your order.',
      `You ordered on ${hour(order, order.createdAt)}.`,
      ...(arrives ? [`${arrives}${order.isPaid ? '' : ', if you pay today'}.`] : []),
      bill(order, lines),
      destination(order),
      see(order.isPaid ? 'See your order' : 'Pay your order'),
    ],
  }),
  ORDER_PAID: (order, see, arrives, lines, hasDownloads) => ({
    subject: `Paid: your order ${order.reference}`,
    parts: [
      lines.some(line => awaitedOf(line))
        ? 'Thank you! Your payment has arrived. What you ordered ahead leaves as soon as it is here.'
        : `Thank you! Your payment has arrived${order.isDownload ? '' : ', and we are packing your yarn'}.`,
      ...(order.paidAt ? [`You paid with ${inSentence(order.paymentMethod)} on ${hour(order, order.paidAt)}.`] : []),
      ...(arrives ? [`${arrives}.`] : []),
      ...(order.isPickup ? ['We write to you again when you can come for it.'] : []),
      ...(order.giftCardsSold > 0
        ? ['Your gift card comes in a letter of its own, and its code is on the order’s page, too.']
        : []),
      ...(hasDownloads ? ['What comes with it to download is on the order’s page, now and whenever you need it.'] : []),
      bill(order, lines),
      destination(order),
      see('See your order'),
    ],
  }),
  ORDER_EXPECTED: (order, see, arrives, lines) => ({
    subject: `Another day for your pre-order ${order.reference}`,
    parts: [
      'What you ordered ahead is expected at our shop on another day than we told you. We send it as soon as it is here.',
      ...(arrives ? [`${arrives}.`] : []),
      bill(order, lines),
      see('See your order'),
      'If you would rather not wait, write to us: you get your money back for what has not left.',
    ],
  }),
  ORDER_DELIVERED: (order, see, _arrives, lines) => ({
    subject: `${order.isPickup ? 'Picked up' : 'Delivered'}: your order ${order.reference}`,
    parts: [
      order.isPickup
        ? 'You have picked up your order. Happy knitting!'
        : 'Your parcel has been delivered. Happy knitting!',
      bill(order, lines),
      see('See your order'),
      'If you like what you knit with, a review on its page helps the next knitter.',
    ],
  }),
  ORDER_CANCELLED: (order, see, _arrives, lines) => ({
    subject: `Cancelled: your order ${order.reference}`,
    parts: [
      `You cancelled this order${order.cancelledAt ? ` on ${hour(order, order.cancelledAt)}` : ''}. Nothing was charged${order.isDownload ? '' : ', and the yarn is back on the shelf'}.${order.giftCardAmount > 0 ? ' What a gift card was to pay is on it again.' : ''}`,
      bill(order, lines),
      see('See your order'),
      'Changed your mind? From its page everything goes into your cart again.',
    ],
  }),
}

/** In the time zone of the buyer. */
const hour = ({ timeZone }: Order, instant: Date) => zonedMoment(instant, timeZone ?? NO_ZONE)

/** A line of an order, or what of it is in a parcel. */
export const letterLine = (
  item: Pick<OrderItem, 'name' | 'image'>,
  { quantity, lots, awaited }: Units,
  amount = '',
): LetterLine => ({
  name: item.name,
  image: item.image,
  quantity,
  amount,
  notes: [
    ...(lots.length > 0 ? [dyeLots(lots)] : []),
    ...(awaited ? [preorderWords(awaited, clock.now().toISOString().slice(0, 10))] : []),
  ],
})

interface Units {
  quantity: number
  lots: readonly LotPortion[]
  /** The day they are expected, of what is not here yet. */
  awaited?: string | null
}

const reduction = ({ discount }: Order) => (discount > 0 ? formatCents(-discount) : 'Free shipping')

/** The lines and what they come to, less what went back. */
export const bill = (order: Order, lines: ToldOrder['lines']): Part => ({
  lines: lines.map(line =>
    letterLine(line, { ...line, awaited: awaitedOf(line) }, formatCents(line.quantity * line.price)),
  ),
  totals: [
    ['Items', formatCents(order.itemsPrice)],
    ...(order.discountCode ? [[`Code ${order.discountCode}`, reduction(order)] as const] : []),
    ...shippingLine(order),
    ...(order.includedTax > 0 ? [] : taxRows(order)),
    ['Total', formatCents(order.totalPrice)],
    ...(order.includedTax > 0 ? taxRows(order) : []),
    ...giftCardLines(order),
    ...(order.refundedAmount > 0
      ? ([
          ['Refunded', formatCents(-order.refundedAmount)],
          ['Paid after refunds', formatCents(order.totalPrice - order.unpaidAmount - order.refundedAmount)],
        ] as const)
      : []),
  ],
})

export const destination = (order: Order): Part => ({
  label: order.isPickup ? 'Pickup' : order.isDownload ? 'Address' : 'Goes to',
  address: addressLines(order.shippingAddress),
})
