import { randomInt } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { GIFT_CARD_ALPHABET, GIFT_CARD_LETTERS, groupedGiftCardCode } from '#schema/rules/gift-card'
import { emailKey } from '../account/user.entity.ts'
import type { BoughtGiftCard } from '../generated/types.ts'
import { queueMail } from '../mail/queue-mail.ts'
import type { Order } from '../order/order.entity.ts'
import type { Load } from '../query/batch.ts'
import { GiftCard } from './gift-card.entity.ts'
import { STOPPED } from './use-gift-cards.ts'

declare module '../mail/mail.entity.ts' {
  interface MailAbout {
    /** The code of a gift card, for who bought it or gets it. */
    GIFT_CARD: { giftCardId: string }
  }
}

export const newGiftCardCode = () =>
  Array.from({ length: GIFT_CARD_LETTERS }, () => GIFT_CARD_ALPHABET[randomInt(GIFT_CARD_ALPHABET.length)]).join('')

/** Makes the gift cards that a locked order is for, as it becomes paid, and mails their codes to its buyer. */
export async function issueBought(em: EntityManager, order: Order): Promise<void> {
  const items = await order.items.loadItems()
  for (const { price, quantity } of items.filter(({ isGiftCard }) => isGiftCard))
    for (let unit = 0; unit < quantity; unit++) {
      const id = v7()
      em.create(GiftCard, {
        id,
        code: newGiftCardCode(),
        initialAmount: price,
        balance: price,
        // Empty when the account was deleted meanwhile.
        ...(order.userEmail && { email: order.userEmail, emailKey: emailKey(order.userEmail) }),
        orderId: order.id,
      })
      queueMail(em, 'GIFT_CARD', { giftCardId: id })
    }
}

/** How often a buyer may send one: an address may be mistyped. */
export const MOST_SENDS = 3

/** The cards that were bought with each order, in the order they were made. */
export const boughtWith: Load<string, BoughtGiftCard[]> = async (em, orderIds) => {
  const rows = await em.execute<(BoughtGiftCard & { orderId: string })[]>(
    `select id, order_id as "orderId", code, initial_amount as amount, case when ${STOPPED} then 0 else balance end as balance,
       case when sends > 0 then email end as "sentTo", sends < ${MOST_SENDS} and balance > 0 and not ${STOPPED} as "canBeSent"
     from gift_cards where order_id = any(?::uuid[]) order by id`,
    [`{${orderIds.join()}}`],
  )
  const byOrder = Map.groupBy(rows, ({ orderId }) => orderId)
  return orderIds.map(id =>
    (byOrder.get(id) ?? []).map(({ orderId: _, code, ...card }) => ({ ...card, code: groupedGiftCardCode(code) })),
  )
}
