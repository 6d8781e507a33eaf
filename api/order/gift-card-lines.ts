import { formatCents } from '#schema/rules/money'
import type { Order } from './order.entity.ts'

/** What gift cards pay of an order, and what that leaves. Nothing without any. */
export const giftCardLines = ({
  giftCardAmount,
  charge,
  isPaid,
  paymentMethod,
}: Order): [label: string, amount: string][] =>
  giftCardAmount === 0
    ? []
    : [
        ['Gift card', formatCents(-giftCardAmount)],
        ...(charge > 0
          ? [[isPaid ? `Paid with ${paymentMethod}` : 'To pay', formatCents(charge)] as [string, string]]
          : []),
      ]
