/** How money arrives, and what people read of it; see `PaymentMethod` in schema/payment.graphql. */
export const paymentMethods = {
  PAYPAL: 'PayPal',
  CASH: 'Cash',
  CARD: 'Card',
  CHECK: 'Check',
  BANK_TRANSFER: 'Bank transfer',
  OTHER: 'Other means',
  GIFT_CARD: 'Gift card',
} as const
export type PaymentMethodName = keyof typeof paymentMethods
export const paymentMethodNames = Object.keys(paymentMethods) as PaymentMethodName[]

/** What a shop takes itself, without PayPal. */
export type OwnPaymentMethod = Exclude<PaymentMethodName, 'PAYPAL' | 'GIFT_CARD'>
export const ownPaymentMethods = paymentMethodNames.filter(
  (method): method is OwnPaymentMethod => method !== 'PAYPAL' && method !== 'GIFT_CARD',
)

/** What of `paymentMethods` an order was paid with, as it stands within a sentence. */
export const inSentence = (method: string) => (method === paymentMethods.PAYPAL ? method : method.toLowerCase())
