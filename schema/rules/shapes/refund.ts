import { z } from 'zod'
import { ownerLimits } from '../owner-limits.ts'
import { type Cents, formatCents, readAmount } from '../money.ts'
import { text } from './text.ts'
import { typed } from './typed.ts'

const amount = z.int('Amount must be whole cents.').min(1, 'Amount must be more than nothing.')
const reason = text('Reason', ownerLimits.reason)

/** Why money or goods came back; null when nobody says. */
export const reasonOrNull = reason.nullish().transform(said => said || null)

export const refund = z.object({
  amount: amount.nullish().transform(amount => amount ?? null),
  reason: reasonOrNull,
})

export const atMost = (left: Cents) => `At most ${formatCents(left)} can be refunded.`

/** A form that refunds a part of what is left, or all of it. */
export const typedRefund = (left: Cents) =>
  z.object({
    amount: typed(readAmount, 'Please enter an amount such as 12.50.').pipe(amount.max(left, atMost(left))),
    reason,
  })
