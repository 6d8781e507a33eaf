import { defineEntity, p } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import type { PaymentMethodName } from '#schema/rules/payment-methods'
import { GiftCard } from '../gift-card/gift-card.entity.ts'
import { clock } from '../kernel/clock.ts'
import { Order } from '../order/order.entity.ts'

const PaymentSchema = defineEntity({
  name: 'Payment',
  tableName: 'payments',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => v7()),
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id'),
    method: p.text().$type<PaymentMethodName>().default('PAYPAL'),
    /** The same as `captureId` for what the shop took itself. */
    paypalOrderId: p.text(),
    /** PayPal's capture, or `ownCaptureId`; one capture pays one order, once. */
    captureId: p.text().unique(),
    note: p.text().nullable(),
    /** Where a gift card paid. */
    giftCardId: () => p.manyToOne(GiftCard).mapToPk().fieldName('gift_card_id').nullable(),
    /** cents */
    amount: p.integer(),
    createdAt: p.datetime().onCreate(() => clock.now()),
  },
})

const OWN = 'shop:'

/** Stands for a capture where the shop took the money itself. No id of PayPal's has a colon. */
export const ownCaptureId = () => OWN + v7()
export const isOwn = (captureId: string) => captureId.startsWith(OWN)

/** Money that arrived: a capture PayPal reported as completed, or what the shop or a gift card took itself. */
export class Payment extends PaymentSchema.class {}
PaymentSchema.setClass(Payment)
