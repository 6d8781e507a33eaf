import { formatCents } from '#schema/rules/money'
import { writeLetter, type Letter, type Part, type Shop, type Templates } from '../mail/template.ts'
import { makeOrderToken } from './order-links.ts'
import { Order } from './order.entity.ts'

declare module '../mail/mail.entity.ts' {
  interface MailAbout {
    ORDER_PLACED: { orderId: string }
    ORDER_PAID: { orderId: string }
    ORDER_DELIVERED: { orderId: string }
  }
}

type OrderMailKind = 'ORDER_PLACED' | 'ORDER_PAID' | 'ORDER_DELIVERED'

const writerOf =
  (kind: OrderMailKind) =>
  async ({ em, shopUrl, timeZone }: Shop, { orderId }: { orderId: string }): Promise<Letter | null> => {
    const order = await em.findOne(Order, { id: orderId }, { populate: ['items'] })
    if (!order) return null
    // Behind the `#`, which browsers tell no server. Made only now, so that it is written down nowhere but in the letter.
    const opening = order.isGuests ? `#${makeOrderToken(em, order.id)}` : ''
    await em.flush()
    const see = (label: string): Part => ({ link: `${shopUrl}/order/${order.id}${opening}`, label })
    return writeLetter({ recipient: order.userEmail, name: order.userName, ...contents[kind](order, see, timeZone) })
  }

/** What the shopper is told when something happens to their order. */
export const orderMails = {
  ORDER_PLACED: writerOf('ORDER_PLACED'),
  ORDER_PAID: writerOf('ORDER_PAID'),
  ORDER_DELIVERED: writerOf('ORDER_DELIVERED'),
} satisfies Partial<Templates>

type Contents = (order: Order, see: (label: string) => Part, timeZone: string) => { subject: string; parts: Part[] }

const contents: Record<OrderMailKind, Contents> = {
  ORDER_PLACED: (order, see, timeZone) => ({
    subject: `Your order ${order.reference}`,
    parts: [
      order.heldUntil
        ? `We have put your yarn aside until ${new Intl.DateTimeFormat('en-US', { timeStyle: 'short', dateStyle: 'long', timeZone }).format(order.heldUntil)}. It is yours as soon as it is paid.`
        : 'Thank you for your order.',
      bill(order),
      see(order.isPaid ? 'See your order' : 'Pay your order'),
    ],
  }),
  ORDER_PAID: (order, see) => ({
    subject: `Paid: your order ${order.reference}`,
    parts: ['Thank you! Your payment has arrived, and we are packing your yarn.', bill(order), see('See your order')],
  }),
  ORDER_DELIVERED: (order, see) => ({
    subject: `Delivered: your order ${order.reference}`,
    parts: [
      'Your parcel has been delivered. Happy knitting!',
      bill(order),
      see('See your order'),
      'If you like what you knit with, a review on its page helps the next knitter.',
    ],
  }),
}

const reduction = ({ discount }: Order) => (discount > 0 ? formatCents(-discount) : 'Free shipping')

const bill = (order: Order): Part => ({
  rows: order.items
    .getItems()
    .map(({ name, quantity, price }) => [`${quantity} × ${name}`, formatCents(quantity * price)]),
  totals: [
    ['Items', formatCents(order.itemsPrice)],
    ...(order.discountCode ? [[`Code ${order.discountCode}`, reduction(order)] as const] : []),
    ['Shipping', order.shippingPrice === 0 ? 'Free' : formatCents(order.shippingPrice)],
    ['Tax', formatCents(order.taxPrice)],
    ['Total', formatCents(order.totalPrice)],
  ],
})
