import { giftCardParts, isGiftCardCode, normalGiftCardCode } from '#schema/rules/gift-card'
import { limits } from '#schema/rules/limits'
import type { Cents } from '#schema/rules/money'
import { nth } from '#schema/rules/present'
import { stored } from '../data/stored.ts'

/** A gift card that the next order is paid with, as it was when the shop was last asked. */
export interface KeptGiftCard {
  code: string
  balance: Cents
}

const NONE: readonly KeptGiftCard[] = []
const store = stored<readonly KeptGiftCard[]>('giftCards', NONE, fromStorage)

/** In the order in which they pay; none on the server and while hydrating. */
export const useGiftCards = store.use
export const currentGiftCards = store.get
export const keepGiftCards = (cards: readonly KeptGiftCard[]) => store.set(cards.length > 0 ? cards : NONE)
export const forgetGiftCards = () => keepGiftCards(NONE)

/** The cards with what each pays of a total, and what is left to pay. */
export function payWith(cards: readonly KeptGiftCard[], total: Cents) {
  const amounts = giftCardParts(cards, total)
  const giftCardAmount = amounts.reduce((sum, amount) => sum + amount, 0)
  return {
    parts: cards.map((card, place) => ({ ...card, amount: nth(amounts, place) })),
    giftCardAmount,
    amountDue: total - giftCardAmount,
  }
}

/** Reads cards from whatever is in the storage. */
function fromStorage(raw: unknown): readonly KeptGiftCard[] {
  if (!Array.isArray(raw)) return NONE
  const cards = raw.filter(
    (each): each is KeptGiftCard =>
      typeof each === 'object' &&
      each !== null &&
      'code' in each &&
      typeof each.code === 'string' &&
      isGiftCardCode(normalGiftCardCode(each.code)) &&
      'balance' in each &&
      Number.isSafeInteger(each.balance) &&
      (each.balance as number) > 0,
  )
  return cards.length > 0 ? cards.slice(0, limits.giftCards).map(({ code, balance }) => ({ code, balance })) : NONE
}
