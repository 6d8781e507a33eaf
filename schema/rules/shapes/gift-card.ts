import { z } from 'zod'
import { giftCardRange, normalGiftCardCode } from '../gift-card.ts'
import { EMAIL_PATTERN, limits } from '../limits.ts'
import { formatCents, readAmount } from '../money.ts'
import { ownerLimits } from '../owner-limits.ts'
import { text } from './text.ts'
import { typed } from './typed.ts'

/** What a shopper types as the codes of gift cards. Whether there are such cards is another question. */
export const enteredGiftCards = z
  .array(text('Gift card', ownerLimits.code.typed).transform(normalGiftCardCode))
  .max(limits.giftCards, `One order takes at most ${limits.giftCards} gift cards.`)
  .transform(codes => [...new Set(codes.filter(Boolean))])

/** Codes that are typed into one field, with commas between them. */
export const typedGiftCards = z
  .string()
  .transform(codes => codes.split(',').filter(code => code.trim()))
  .pipe(enteredGiftCards)

const { min, max } = giftCardRange
const RANGE = `${formatCents(min)} to ${formatCents(max)}.`
const amount = z.int('Amount must be whole cents.').min(min, RANGE).max(max, RANGE)
const message = text('Message', limits.giftMessage)
const note = text('Note', ownerLimits.reason)
const orNull = (rule: typeof note) => rule.nullish().transform(said => said || null)

/** A card that the shop makes; who it is mailed to is checked where accounts' addresses are. */
export const newGiftCard = z.object({ amount, message: orNull(message), note: orNull(note) })

/** A card that its buyer sends to somebody. */
export const sentGiftCard = z.object({ message: orNull(message) })

export const giftCardPatch = z.object({ isDisabled: z.boolean().nullish(), note: note.nullable().optional() })

/** A form that makes one. */
export const typedGiftCard = z.object({
  amount: typed(readAmount, 'Please enter an amount such as 50.').pipe(amount),
  email: text('Email', limits.email).refine(
    email => email === '' || EMAIL_PATTERN.test(email),
    'Please enter a valid email address, or none.',
  ),
  message,
  note,
})

/** A form that sends one. */
export const typedSending = z.object({
  email: text('Email', limits.email).refine(email => EMAIL_PATTERN.test(email), 'Please enter a valid email address.'),
  message,
})
