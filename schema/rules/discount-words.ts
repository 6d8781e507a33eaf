import type { DiscountMisfit, DiscountTerms } from './discount.ts'
import { formatCents, percent } from './money.ts'

/** Why a code does not work, in a sentence. */
export function misfitWords(misfit: DiscountMisfit, { minimum }: Pick<DiscountTerms, 'minimum'>): string {
  switch (misfit.code) {
    case 'CODE_NOT_YET':
      return `This code works from ${day.format(misfit.startsAt)} on.`
    case 'CODE_EXPIRED':
      return 'This code has expired.'
    case 'CODE_NOT_FOR_THESE':
      return 'This code is for other products than those in your cart.'
    case 'CODE_MINIMUM':
      return `This code works from ${formatCents(minimum)} on: add items for ${formatCents(misfit.missing)} more.`
  }
}

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** What a code gives, in words: "15% off", "$5.00 off", "Free shipping". */
export function discountWords({ kind, basisPoints, amount }: Pick<DiscountTerms, 'kind' | 'basisPoints' | 'amount'>) {
  if (kind === 'PERCENT') return `${percent(basisPoints)} off`
  return kind === 'AMOUNT' ? `${formatCents(amount)} off` : 'Free shipping'
}
