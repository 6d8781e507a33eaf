import { groupedGiftCardCode } from '#schema/rules/gift-card'
import { formatCents } from '#schema/rules/money'
import { writeLetter, type Templates } from '../mail/template.ts'
import { GiftCard } from './gift-card.entity.ts'

/** What is mailed to who gets a gift card. Nothing once it was stopped. */
export const giftCardMails = {
  GIFT_CARD: async (shop, { giftCardId }) => {
    const card = await shop.em.findOne(GiftCard, { id: giftCardId, disabledAt: null })
    if (!card?.email) return null
    const amount = formatCents(card.initialAmount)
    const isBought = card.orderId != null
    return writeLetter(shop, {
      recipient: card.email,
      subject: isBought ? `Your gift card over ${amount}` : `A gift card over ${amount} for you`,
      name: '',
      parts: [
        isBought
          ? `Here is the gift card of ${shop.contact.name} that you bought, over ${amount}: to hand on, or to use yourself.`
          : `You have been given a gift card of ${shop.contact.name}, over ${amount}.`,
        ...(card.message ? [card.message] : []),
        { code: groupedGiftCardCode(card.code) },
        'That is its code. It is typed where an order is reviewed, before it is placed. It pays as much as is on it, and what is left stays on it for another time.',
        { link: shop.shopUrl, label: 'Choose some yarn' },
        'Whoever knows the code can use it: show it to nobody else.',
      ],
    })
  },
} satisfies Partial<Templates>
