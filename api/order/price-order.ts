import type { EntityManager } from '@mikro-orm/postgresql'
import type { DiscountableLine } from '#schema/rules/discount'
import { limits } from '#schema/rules/limits'
import { type Cents, formatCents } from '#schema/rules/money'
import { priceCart, type PricedLine, type Prices, type PricingPolicy, savedBy } from '#schema/rules/pricing'
import { readShelf, type StockLine } from '../catalog/stock.ts'
import { turnDueSales } from '../catalog/turn-sales.ts'
import { applyCode } from '../discount/apply-code.ts'
import { applyGiftCards } from '../gift-card/use-gift-cards.ts'
import { refuse } from '../kernel/errors.ts'
import { termsAt } from './destination.ts'
import type { Order, Owner } from './order.entity.ts'

export type Shelf = Awaited<ReturnType<typeof readShelf>>

/** What an order's price depends on beside its lines, and what its buyer was told. */
export interface Priced {
  shippingAddress: Order['shippingAddress']
  code: string | null
  /** Their codes. */
  giftCards: string[]
  expectedTotal: number | null
  expectedDue: number | null
}

/** What the order comes to, by the prices of this moment. */
export async function priceOrder(
  em: EntityManager,
  policy: PricingPolicy,
  buyer: Owner,
  items: readonly (PricedLine & DiscountableLine)[],
  { shippingAddress, code, expectedTotal }: Priced,
) {
  const terms = termsAt(policy, shippingAddress)
  const without = priceCart(items, terms)
  const known = code ? await applyCode(em, code, items, buyer) : null
  const prices = priceCart(items, terms, known?.reduction)
  const saved = savedBy(prices, without)
  // One that saves nothing, as free shipping does on what is picked up, stays good for another order.
  const applied = saved > 0 ? known : null
  const cards = items.reduce((sum, { isGiftCard, quantity }) => sum + (isGiftCard ? quantity : 0), 0)
  if (cards > limits.giftCardsBought)
    throw refuse('INVALID', `One order can be for at most ${limits.giftCardsBought} gift cards.`, { field: ['lines'] })
  if (prices.totalPrice > limits.orderTotal)
    throw refuse('INVALID', `One order can come to at most ${formatCents(limits.orderTotal)}.`, { field: ['lines'] })
  if (applied && prices.totalPrice === 0)
    throw refuse('INVALID', 'With this code nothing is left to pay, which PayPal cannot do. Please add something.', {
      field: ['code'],
    })
  if ((expectedTotal ?? prices.totalPrice) !== prices.totalPrice)
    throw refuse('PRICE_CHANGED', 'Prices have changed since you looked. Please check the new total.')
  return { terms, prices, applied, saved }
}

/** What gift cards pay of it. They are locked: who wants the same ones waits. */
export async function chargeGiftCards(em: EntityManager, total: Cents, { giftCards, expectedDue }: Priced) {
  const cards = await applyGiftCards(em, giftCards, total, { lock: true })
  const giftCardAmount = cards.reduce((sum, { amount }) => sum + amount, 0)
  const due = total - giftCardAmount
  if ((expectedDue ?? due) !== due)
    throw refuse('PRICE_CHANGED', 'What is on your gift card has changed. Please check what is left to pay.', {
      field: ['giftCards'],
    })
  return { cards, giftCardAmount, isPaid: cards.length > 0 && due === 0 }
}

/** What of an order is taxed less, as it is kept. */
export const reducedColumns = ({ reduced }: Pick<Prices, 'reduced'>) => ({
  reducedTaxBasisPoints: reduced?.basisPoints ?? null,
  reducedTaxed: reduced?.taxed ?? 0,
  reducedTax: reduced?.tax ?? 0,
})

/** With the prices of this moment. */
export async function readShelfToday(
  em: EntityManager,
  lines: readonly StockLine[],
  seen: Shelf | null,
): Promise<Shelf> {
  const shelf = seen ?? (await readShelf(em, lines))
  const due = [...shelf.products.values()].filter(({ isSaleDue }) => isSaleDue)
  if (due.length === 0) return shelf
  await turnDueSales(
    em,
    due.map(({ id }) => id),
  )
  return readShelf(em, lines)
}
