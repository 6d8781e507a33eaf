import type { EntityManager } from '@mikro-orm/postgresql'
import { groupedGiftCardCode } from '#schema/rules/gift-card'
import { formatCents } from '#schema/rules/money'
import { Order } from '../order/order.entity.ts'
import { writeLetter, type Templates } from '../mail/template.ts'
import { GiftCard } from './gift-card.entity.ts'

const buyerOf = (em: EntityManager, card: GiftCard | null) =>
  card?.orderId ? em.findOne(Order, { id: card.orderId }) : Promise.resolve(null)

const howToUse = ({ shopUrl }: { shopUrl: string }, card: GiftCard) => [
  { code: groupedGiftCardCode(card.code) },
  'That is its code. It is typed where an order is reviewed, before it is placed. It pays as much as is on it, and what is left stays on it for another time.',
  { link: shopUrl, label: 'Choose some yarn' },
  'Whoever knows the code can use it: show it to nobody else.',
]

/** What is mailed to who gets a gift card. Nothing once it was stopped. */
export const giftCardMails = {
  GIFT_CARD: async (shop, { giftCardId }) => {
    const card = await shop.em.findOne(GiftCard, { id: giftCardId, disabledAt: null })
    const buyer = await buyerOf(shop.em, card)
    const recipient = buyer ? buyer.userEmail : card?.email
    if (!card || !recipient) return null
    const amount = formatCents(card.initialAmount)
    const isBought = buyer !== null
    return writeLetter(shop, {
      recipient,
      subject: isBought ? `Your gift card over ${amount}` : `A gift card over ${amount} for you`,
      name: '',
      parts: [
        isBought
          ? `Here is the gift card of ${shop.contact.name} that you bought, over ${amount}: to hand on, or to use yourself.`
          : `You have been given a gift card of ${shop.contact.name}, over ${amount}.`,
        ...(card.message && !isBought ? [card.message] : []),
        ...howToUse(shop, card),
      ],
    })
  },
  GIFT_CARD_SENT: async (shop, { giftCardId, send }) => {
    // Not once it went to another address.
    const card = await shop.em.findOne(GiftCard, { id: giftCardId, sends: send, disabledAt: null })
    const buyer = await buyerOf(shop.em, card)
    if (!card?.email || !buyer) return null
    const amount = formatCents(card.initialAmount)
    return writeLetter(shop, {
      recipient: card.email,
      subject: `A gift card over ${amount} for you`,
      name: '',
      parts: [
        `${buyer.userName} has given you a gift card of ${shop.contact.name}, over ${amount}.`,
        ...(card.message ? [card.message] : []),
        ...howToUse(shop, card),
      ],
    })
  },
} satisfies Partial<Templates>
