import { formatCents } from '#schema/rules/money'
import type { Order } from './order.entity.ts'

/** What gift cards pay of an order, or were to pay, and what that leaves. Nothing without any. */
export const giftCardLines = ({
  giftCardAmount,
  unpaidAmount,
  charge,
  isPaid,
  paymentMethod,
}: Order): [label: string, amount: string][] =>
  giftCardAmount + unpaidAmount === 0
    ? []
    : [
        ...(giftCardAmount > 0 ? [['Gift card', formatCents(-giftCardAmount)] as [string, string]] : []),
        ...(unpaidAmount > 0 ? [['Not paid', formatCents(-unpaidAmount)] as [string, string]] : []),
        ...(charge > 0
          ? [[isPaid ? `Paid with ${paymentMethod}` : 'To pay', formatCents(charge)] as [string, string]]
          : []),
      ]
