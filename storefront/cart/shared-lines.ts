import { limits } from '#schema/rules/limits'
import { lotsForQuantity } from '#schema/rules/lots'
import { type CartItem, toItem } from './cart.ts'
import type { AccountCartFragment } from './sync-cart.gql.ts'

/** Units by product. */
export type Quantities = Readonly<Record<string, number>>

export type SharedLine = AccountCartFragment['lines'][number]

export const quantitiesOf = (items: readonly Pick<CartItem, 'id' | 'quantity'>[]): Quantities =>
  Object.fromEntries(items.map(({ id, quantity }) => [id, quantity]))

export const quantitiesOfLines = (lines: readonly SharedLine[]): Quantities =>
  Object.fromEntries(lines.map(({ productId, quantity }) => [productId, quantity]))

/** What came on top of quantities, or was taken away, as much as one change can hold. */
export function changesSince(before: Quantities, now: Quantities): { productId: string; add: number }[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .map(productId => ({ productId, add: (now[productId] ?? 0) - (before[productId] ?? 0) }))
    .filter(({ add }) => add !== 0)
    .slice(0, limits.linesPerOrder)
}

/**
 * This browser's cart with what the account's has: `told` is what the account's cart has heard of this one. Whatever was
 * pressed since comes on top. In this browser's order; what comes from elsewhere is behind it. Prices stay those that the
 * shopper has seen, here or where it was put in: the check of the cart tells what has become of them.
 */
export function withShared(items: readonly CartItem[], lines: readonly SharedLine[], told: Quantities): CartItem[] {
  const shared = quantitiesOfLines(lines)
  const own = items.map(item => {
    const quantity = (shared[item.id] ?? 0) + item.quantity - (told[item.id] ?? 0)
    return { ...item, quantity, askedLots: lotsForQuantity(item.askedLots, quantity) }
  })
  const known = new Set(items.map(({ id }) => id))
  const others = lines.flatMap(({ productId, product, price, quantity, lots }) => {
    // Taken out since, perhaps.
    const units = quantity - (told[productId] ?? 0)
    return known.has(productId) || !product || units < 1 ? [] : [{ ...toItem(product, units, lots), price }]
  })
  return [...own.filter(({ quantity }) => quantity > 0), ...others]
}
