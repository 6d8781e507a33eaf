import { unitsOf } from '#schema/rules/lots'
import type { Letter, Part, Shop, Templates } from '../mail/template.ts'
import { destination, letterLine, writeAbout } from '../order/order-mails.ts'
import { addLots } from '../order/quote-cart.ts'
import { FulfilmentReturn } from './fulfilment-return.entity.ts'
import { Fulfilment } from './fulfilment.entity.ts'

declare module '../mail/mail.entity.ts' {
  interface MailAbout {
    ORDER_SENT: { orderId: string; fulfilmentId: string }
    ORDER_RETURNED: { orderId: string; returnId: string }
  }
}

/** What is mailed to the shopper when a parcel leaves, or is ready to be picked up. */
export const fulfilmentMails = {
  ORDER_SENT: async (shop: Shop, { orderId, fulfilmentId }): Promise<Letter | null> => {
    const fulfilment = await shop.em.findOne(Fulfilment, { id: fulfilmentId }, { populate: ['lines.item'] })
    if (!fulfilment) return null
    const { carrier, trackingNumber, trackingUrl } = fulfilment
    const lines: Part = { lines: fulfilment.lines.getItems().map(line => letterLine(line.item, line)), totals: [] }
    return writeAbout(shop, orderId, (order, see, arrives) =>
      order.isPickup
        ? {
            subject: `Ready for you: your order ${order.reference}`,
            parts: [
              order.sentAt
                ? 'Your order is packed: come and pick it up.'
                : 'A part of your order is packed: come and pick it up, or wait for the rest.',
              ...(shop.delivery.pickup?.hours ? [`We are open ${shop.delivery.pickup.hours}.`] : []),
              lines,
              destination(order),
              see('See your order'),
            ],
          }
        : {
            subject: `On its way: your order ${order.reference}`,
            parts: [
              order.sentAt
                ? 'Your parcel is on its way.'
                : 'A parcel with a part of your order is on its way. The rest follows.',
              ...(arrives && order.sentAt ? [`${arrives}.`] : []),
              lines,
              ...(carrier || trackingNumber ? [`Sent ${carriedBy(carrier, trackingNumber)}.`] : []),
              ...(trackingUrl ? [{ link: trackingUrl, label: 'Follow your parcel' }] : []),
              destination(order),
              see('See your order'),
            ],
          },
    )
  },
  ORDER_RETURNED: async (shop: Shop, { orderId, returnId }): Promise<Letter | null> => {
    const returned = await shop.em.findOne(FulfilmentReturn, { id: returnId }, { populate: ['lines.line.item'] })
    if (!returned) return null
    return writeAbout(shop, orderId, (order, see) => ({
      subject: `Back with us: your order ${order.reference}`,
      parts: [
        'What you sent back has arrived.',
        { lines: whatCameBack(returned).map(line => letterLine(line.item, line)), totals: [] },
        ...(returned.reason ? [`What we noted: ${returned.reason}`] : []),
        'When money goes back to you, an email of its own tells you how much.',
        see('See your order'),
      ],
    }))
  },
} satisfies Partial<Templates>

/** Each product once: shoppers do not read which units of it can be sold again. */
const whatCameBack = ({ lines }: FulfilmentReturn) =>
  [...Map.groupBy(lines.getItems(), ({ item }) => item)].map(([item, parts]) => ({
    item,
    quantity: unitsOf(parts),
    lots: addLots(parts.flatMap(({ lots }) => lots)),
  }))

const carriedBy = (carrier?: string | null, number?: string | null) =>
  [carrier && `with ${carrier}`, number && `under the number ${number}`].filter(Boolean).join(' ')
