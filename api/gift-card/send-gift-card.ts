import { LockMode, type EntityManager } from '@mikro-orm/postgresql'
import { present } from '#schema/rules/present'
import { sentGiftCard } from '#schema/rules/shapes/gift-card'
import { emailKey } from '../account/user.entity.ts'
import type { BoughtGiftCard, SendGiftCardInput } from '../generated/types.ts'
import { refuse } from '../kernel/errors.ts'
import { check, email, isId } from '../kernel/validation.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { Order } from '../order/order.entity.ts'
import { canPay, type OrderAsker } from '../order/order.policy.ts'
import { boughtWith, MOST_SENDS } from './bought-gift-cards.ts'
import { GiftCard } from './gift-card.entity.ts'

declare module '../mail/mail.entity.ts' {
  interface MailAbout {
    /** The code of a gift card, from its buyer, for the how many-th time. */
    GIFT_CARD_SENT: { giftCardId: string; send: number }
  }
}

const asked = sentGiftCard.extend({ email })

/** Mails a card to whom its buyer wants it to have. Nobody mails strangers for long: each card goes out a few times. */
export function sendGiftCard(
  em: EntityManager,
  asker: OrderAsker,
  id: string,
  input: SendGiftCardInput,
): Promise<BoughtGiftCard> {
  const to = check(asked, input)
  return em.transactional(async tx => {
    const card = isId(id)
      ? await tx.findOne(GiftCard, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
      : null
    const order = card?.orderId ? await tx.findOne(Order, { id: card.orderId }) : null
    if (!card || !order || !canPay(asker, order)) throw refuse('NOT_FOUND', 'There is no such gift card.')
    const asBought = async () => present((await boughtWith(tx, [order.id]))[0]?.find(bought => bought.id === card.id))
    if (card.sends >= MOST_SENDS)
      throw refuse('INVALID', 'This gift card was sent three times. Please copy its code, and hand it on yourself.')
    if (!(await asBought()).canBeSent) throw refuse('INVALID', 'There is nothing left on this gift card.')
    Object.assign(card, { ...to, emailKey: emailKey(to.email), sends: card.sends + 1 })
    queueMail(tx, 'GIFT_CARD_SENT', { giftCardId: card.id, send: card.sends })
    await tx.flush()
    return asBought()
  })
}
