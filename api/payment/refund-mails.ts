import { formatCents } from '#schema/rules/money'
import type { Templates } from '../mail/template.ts'
import { bill, writeAbout } from '../order/order-mails.ts'
import { isOwn } from './payment.entity.ts'
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
    return writeAbout(shop, orderId, (order, see, _arrives, lines) => ({
      subject: `Refunded: ${formatCents(refund.amount)} of your order ${order.reference}`,
      parts: [
        isOwn(refund.captureId)
          ? `We have given ${formatCents(refund.amount)} back to you.`
          : `We have sent ${formatCents(refund.amount)} back to you, the way it came. PayPal shows it at once; a bank or a card can take some days.`,
        ...(refund.reason ? [`The reason: ${refund.reason}`] : []),
        bill(order, lines),
        see('See your order'),
      ],
    }))
  },
} satisfies Partial<Templates>
