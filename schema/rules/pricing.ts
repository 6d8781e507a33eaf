import { NO_REDUCTION, type Reduction } from './discount.ts'
import { basisPoints, type Cents } from './money.ts'
import { gramsOf } from './yarn.ts'

/** The figures of `shop { pricingPolicy }`; see schema/base.graphql for their meaning. */
export interface PricingPolicy {
  shippingRate: 'WEIGHT' | 'FLAT'
  freeShippingFrom: Cents
  flatShipping: Cents
  shippingCap: Cents
  taxBasisPoints: number
}

export const DEFAULT_POLICY: PricingPolicy = {
  shippingRate: 'WEIGHT',
  freeShippingFrom: 100_00,
  flatShipping: 10_00,
  shippingCap: 18_00,
  taxBasisPoints: 1500,
}

export interface PricedLine {
  /** Unit price. */
  price: Cents
  quantity: number
  /** Weight text of one unit, for example "100 g". */
  weight: string
}

export interface Prices {
  /** Before the discount. */
  itemsPrice: Cents
  /** What a code takes off the items. */
  discount: Cents
  shippingPrice: Cents
  taxPrice: Cents
  totalPrice: Cents
}

/**
 * Prices a cart by the rules of SPEC §9. The browser previews with it, the API decides with it. A code lowers the
 * taxed amount; free shipping goes by the items before the code, so that no code makes an order more expensive.
 */
export function priceCart(
  lines: readonly PricedLine[],
  policy: PricingPolicy,
  reduction: Reduction = NO_REDUCTION,
): Prices {
  const itemsPrice = lines.reduce((sum, line) => sum + line.price * line.quantity, 0)
  const discount = reduction.lines.reduce((sum, part) => sum + part, 0)
  const shippingPrice = lines.length === 0 || reduction.freeShipping ? 0 : shipping(lines, itemsPrice, policy)
  const taxPrice = basisPoints(itemsPrice - discount, policy.taxBasisPoints)
  return {
    itemsPrice,
    discount,
    shippingPrice,
    taxPrice,
    totalPrice: itemsPrice - discount + shippingPrice + taxPrice,
  }
}

/** What a code saves: off the items, and shipping that is not charged. */
export const savedBy = (prices: Prices, without: Prices): Cents =>
  prices.discount + without.shippingPrice - prices.shippingPrice

/** How much more the items have to add up to before shipping is free; 0 when it is free. */
export const missingForFreeShipping = (itemsPrice: Cents, { freeShippingFrom }: PricingPolicy): Cents =>
  Math.max(0, freeShippingFrom - itemsPrice)

function shipping(lines: readonly PricedLine[], itemsPrice: Cents, policy: PricingPolicy): Cents {
  if (missingForFreeShipping(itemsPrice, policy) === 0) return 0
  if (policy.shippingRate === 'FLAT') return policy.flatShipping
  const grams = lines.reduce((sum, line) => sum + gramsOf(line.weight) * line.quantity, 0)
  // 1.5% of the grams is dollars: 1.5 cents a gram, rounded half up.
  return Math.min(policy.shippingCap, Math.floor(grams * 1.5 + 0.5))
}
