import type { Cents } from './money.ts'

/** Letters of a code: 79 bits, so nobody guesses one. */
export const GIFT_CARD_LETTERS = 16
/** Without I, L, O, 0 and 1, which people mistake for each other. */
export const GIFT_CARD_ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'

/** What may be on a new card, in cents. */
export const giftCardRange = { min: 1_00, max: 10_000_00 } as const

/** A code as it is stored, however it was typed: without spaces and hyphens, in capitals. */
export const normalGiftCardCode = (typed: string) => typed.replaceAll(/[\s-]/g, '').toUpperCase()

export const isGiftCardCode = (code: string) => code.length === GIFT_CARD_LETTERS && /^[A-Z0-9]+$/.test(code)

/** For people: ABCD-EFGH-JKMN-PQRS. */
export const groupedGiftCardCode = (code: string) => code.replaceAll(/.{4}(?=.)/g, '$&-')

/** What each of these cards pays of a total, in their order: all it has, until nothing is left to pay. */
export function giftCardParts(cards: readonly { balance: Cents }[], total: Cents): Cents[] {
  let due = total
  return cards.map(({ balance }) => {
    const amount = Math.min(balance, due)
    due -= amount
    return amount
  })
}
