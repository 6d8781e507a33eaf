import { z } from 'zod'
import { ownerLimits } from '../owner-limits.ts'
import { ownPaymentMethods, paymentMethodNames, type OwnPaymentMethod } from '../payment-methods.ts'
import { text } from './text.ts'

/** Money that the shop took itself. */
export const ownPayment = z.object({
  method: z
    .enum(paymentMethodNames)
    .refine(
      (method): method is OwnPaymentMethod => ownPaymentMethods.some(own => own === method),
      'The shop writes down payments by PayPal and gift card itself.',
    ),
  note: text('Note', ownerLimits.reason)
    .nullish()
    .transform(said => said || null),
})
