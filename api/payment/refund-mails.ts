import { formatCents } from '#schema/rules/money'
import { GiftCard } from '../gift-card/gift-card.entity.ts'
import type { Templates } from '../mail/template.ts'
import { bill, writeAbout } from '../order/order-mails.ts'
import { isOwn, Payment } from './payment.entity.ts'
import { Refund } from './refund.entity.ts'

declare module '../mail/mail.entity.ts' {
  interface MailAbout {
    ORDER_REFUNDED: { orderId: string; refundId: string }
  }
}

/** What is mailed to the shopper when money goes back to them. */
export const refundMails = {
  ORDER_REFUNDED: async (shop, { orderId, refundId }) => {
    const refund = await shop.em.findOne(Refund, { id: refundId })
    if (!refund || refund.state === 'FAILED') return null
    const payment = await shop.em.findOne(Payment, { captureId: refund.captureId })
    const card = payment?.giftCardId ? await shop.em.findOne(GiftCard, { id: payment.giftCardId }) : null
    return writeAbout(shop, orderId, (order, see, _arrives, lines) => ({
      subject: `Refunded: ${formatCents(refund.amount)} of your order ${order.reference}`,
      parts: [
        card
          ? `${formatCents(refund.amount)} is on the gift card again that ends with ${card.lastFour}.`
          : isOwn(refund.captureId)
            ? `We have given ${formatCents(refund.amount)} back to you.`
            : `We have sent ${formatCents(refund.amount)} back to you, the way it came. PayPal shows it at once; a bank or a card can take some days.`,
        ...(refund.reason ? [`The reason: ${refund.reason}`] : []),
        bill(order, lines),
        see('See your order'),
      ],
    }))
  },
} satisfies Partial<Templates>
