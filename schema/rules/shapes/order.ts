import { z } from 'zod'
import { limits } from '../limits.ts'
import { ownerLimits } from '../owner-limits.ts'
import { typedGiftCards } from './gift-card.ts'
import { email, text } from './text.ts'

/** How many days an order that was taken for a customer waits to be paid. */
export const holdDays = z
  .number()
  .int()
  .min(1, 'An order must be set aside for at least a day.')
  .max(ownerLimits.holdDays, `An order can be set aside for at most ${ownerLimits.holdDays} days.`)

export const customerNote = text('Your note', limits.customerNote)

/** A form that takes an order down, but for what is ordered and where it goes. */
export const typedOrderFor = z.object({
  customerEmail: email,
  code: text('Code', ownerLimits.code.typed),
  giftCards: typedGiftCards,
  customerNote,
  holdDays: z.string().transform(Number).pipe(holdDays),
})
