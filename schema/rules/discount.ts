import { basisPoints, type Cents } from './money.ts'

/** What a code gives, and under which conditions; see `DiscountCode` in schema/discount.graphql for their meaning. */
export interface DiscountTerms {
  kind: 'PERCENT' | 'AMOUNT' | 'FREE_SHIPPING'
  /** For PERCENT. */
  basisPoints: number
  /** For AMOUNT. */
  amount: Cents
  /** What the items must add up to before the discount. */
  minimum: Cents
  /** The products it is for, besides those in `categories`; if both are empty, it is for everything. */
  productIds: readonly string[]
  categories: readonly string[]
  startsAt: Date | null
  /** The first instant at which it no longer works. */
  endsAt: Date | null
}

/** What the sign-up box of the newsletter promises; every shop has it from the start. */
export const FIRST_ORDER_CODE = 'CASTON15'

export interface DiscountableLine {
  productId: string
  category: string
  /** Unit price. */
  price: Cents
  quantity: number
  /** Whether it is one, which no code takes anything off. */
  isGiftCard?: boolean | undefined
}

/** What is taken off a cart. */
export interface Reduction {
  /** One amount for each line, in the order of the lines. They add up exactly to the discount. */
  lines: Cents[]
  freeShipping: boolean
}

export const NO_REDUCTION: Reduction = { lines: [], freeShipping: false }

/** Why a code does not work for a cart at a moment. */
export type DiscountMisfit =
  | { code: 'CODE_NOT_YET'; startsAt: Date }
  | { code: 'CODE_EXPIRED' }
  | { code: 'CODE_NOT_FOR_THESE' }
  | { code: 'CODE_MINIMUM'; missing: Cents }

const sumOf = (line: DiscountableLine) => line.price * line.quantity

function isFor(
  { productIds, categories }: DiscountTerms,
  { productId, category, isGiftCard }: DiscountableLine,
): boolean {
  if (isGiftCard) return false
  if (productIds.length === 0 && categories.length === 0) return true
  return productIds.includes(productId) || categories.includes(category)
}

/** Why the code does not work for this cart now; null when it does. */
export function discountMisfit(
  terms: DiscountTerms,
  lines: readonly DiscountableLine[],
  now: Date,
): DiscountMisfit | null {
  if (terms.startsAt && now < terms.startsAt) return { code: 'CODE_NOT_YET', startsAt: terms.startsAt }
  if (terms.endsAt && now >= terms.endsAt) return { code: 'CODE_EXPIRED' }
  if (!lines.some(line => isFor(terms, line))) return { code: 'CODE_NOT_FOR_THESE' }
  const missing = terms.minimum - lines.reduce((sum, line) => sum + (line.isGiftCard ? 0 : sumOf(line)), 0)
  return missing > 0 ? { code: 'CODE_MINIMUM', missing } : null
}

/** What the code takes off each line: never more than the line comes to. */
export function reductionOf(terms: DiscountTerms, lines: readonly DiscountableLine[]): Reduction {
  const sums = lines.map(line => (isFor(terms, line) ? sumOf(line) : 0))
  const whole = sums.reduce((sum, each) => sum + each, 0)
  const wanted =
    terms.kind === 'PERCENT' ? basisPoints(whole, terms.basisPoints) : terms.kind === 'AMOUNT' ? terms.amount : 0
  return { lines: spread(Math.min(wanted, whole), sums), freeShipping: terms.kind === 'FREE_SHIPPING' }
}

/**
 * Splits an amount in proportion to weights, into whole cents that add up to it. Each part is rounded down; the cents
 * left over go to the parts that lost most by rounding, and among equals to the first.
 */
export function spread(amount: Cents, weights: readonly number[]): Cents[] {
  const whole = weights.reduce((sum, weight) => sum + BigInt(weight), 0n)
  if (whole === 0n) return weights.map(() => 0)
  // Cents times cents can be more than a number holds exactly.
  const shares = weights.map(weight => BigInt(amount) * BigInt(weight))
  const parts = shares.map(share => Number(share / whole))
  const left = amount - parts.reduce((sum, part) => sum + part, 0)
  const byLoss = shares
    .map((share, place) => ({ place, loss: share % whole }))
    .toSorted((a, b) => (a.loss === b.loss ? a.place - b.place : a.loss < b.loss ? 1 : -1))
  const oneMore = new Set(byLoss.slice(0, left).map(({ place }) => place))
  return parts.map((part, place) => (oneMore.has(place) ? part + 1 : part))
}

/** The form in which codes are compared: upper case, without the spaces that come with copying. */
export const normalCode = (typed: string) => typed.replaceAll(/\s/g, '').toUpperCase()
