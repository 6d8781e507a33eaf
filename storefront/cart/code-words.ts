import { type DiscountableLine, discountMisfit } from '#schema/rules/discount'
import { discountWords, misfitWords } from '#schema/rules/discount-words'
import type { CartCode } from './cart-code.ts'

/** Why the code does not work for these lines, in a sentence. Null when it does. */
export function codeTrouble({ terms }: CartCode, lines: readonly DiscountableLine[]): string | null {
  const misfit = discountMisfit(terms, lines, new Date())
  return misfit && misfitWords(misfit, terms)
}

export const codeWords = ({ terms }: CartCode) => discountWords(terms)
