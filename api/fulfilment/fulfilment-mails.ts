import { writeLetter, type Letter, type Shop, type Templates } from '../mail/template.ts'
import { Order } from '../order/order.entity.ts'
import { Fulfilment } from './fulfilment.entity.ts'

declare module '../mail/mail.entity.ts' {
  interface MailAbout {
    ORDER_SENT: { orderId: string; fulfilmentId: string }
  }
}

/** What the shopper is told when a parcel leaves. */
export const fulfilmentMails = {
  ORDER_SENT: async ({ em, shopUrl }: Shop, { orderId, fulfilmentId }): Promise<Letter | null> => {
    const order = await em.findOne(Order, { id: orderId })
    const fulfilment = await em.findOne(Fulfilment, { id: fulfilmentId }, { populate: ['lines.item'] })
    if (!order || !fulfilment) return null
    const { carrier, trackingNumber, trackingUrl } = fulfilment
    return writeLetter({
      recipient: order.userEmail,
      name: order.userName,
      subject: `On its way: your order ${order.reference}`,
      parts: [
        order.sentAt
          ? 'Your parcel is on its way.'
          : 'A parcel with a part of your order is on its way. The rest follows.',
        {
          rows: fulfilment.lines.getItems().map(({ item, quantity }) => [`${quantity} × ${item.name}`, '']),
          totals: [],
        },
        ...(carrier || trackingNumber ? [`Sent ${carriedBy(carrier, trackingNumber)}.`] : []),
        ...(trackingUrl ? [{ link: trackingUrl, label: 'Follow your parcel' }] : []),
        { link: `${shopUrl}/order/${order.id}`, label: 'See your order' },
      ],
    })
  },
} satisfies Partial<Templates>

const carriedBy = (carrier?: string | null, number?: string | null) =>
  [carrier && `with ${carrier}`, number && `under the number ${number}`].filter(Boolean).join(' ')
