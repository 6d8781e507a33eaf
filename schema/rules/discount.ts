import { basisPoints, formatCents, type Cents } from './money.ts'

/** What a code gives, and under which conditions; see `DiscountCode` in schema/discount.graphql for their meaning. */
export interface DiscountTerms {
  kind: 'PERCENT' | 'AMOUNT' | 'FREE_SHIPPING'
  /** Of PERCENT. */
  basisPoints: number
  /** Of AMOUNT. */
  amount: Cents
  /** What the items must come to, before anything is taken off. */
  minimum: Cents
  /** The products it is for, beside those of `categories`; both empty is everything. */
  productIds: readonly string[]
  categories: readonly string[]
  startsAt: Date | null
  /** It works up to, but without, this instant. */
  endsAt: Date | null
}

export interface DiscountableLine {
  productId: string
  category: string
  /** Unit price. */
  price: Cents
  quantity: number
}

/** What is taken off a cart. */
export interface Reduction {
  /** For each line, in their order. They add up to the discount to the cent. */
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

const sumOf = (line: Pick<DiscountableLine, 'price' | 'quantity'>) => line.price * line.quantity

function isFor({ productIds, categories }: DiscountTerms, { productId, category }: DiscountableLine): boolean {
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
  const missing = terms.minimum - lines.reduce((sum, line) => sum + sumOf(line), 0)
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
 * Parts of an amount in proportion to weights, in whole cents that add up to it: each rounded down, and the cents left
 * over to those that lost most, the first of equals first.
 */
export function spread(amount: Cents, weights: readonly number[]): Cents[] {
  const whole = weights.reduce((sum, weight) => sum + BigInt(weight), 0n)
  if (whole === 0n) return weights.map(() => 0)
  // Cents times cents outgrow what a number holds exactly.
  const shares = weights.map(weight => BigInt(amount) * BigInt(weight))
  const parts = shares.map(share => Number(share / whole))
  const left = amount - parts.reduce((sum, part) => sum + part, 0)
  const byLoss = shares
    .map((share, place) => ({ place, loss: share % whole }))
    .toSorted((a, b) => (a.loss === b.loss ? a.place - b.place : a.loss < b.loss ? 1 : -1))
  const oneMore = new Set(byLoss.slice(0, left).map(({ place }) => place))
  return parts.map((part, place) => (oneMore.has(place) ? part + 1 : part))
}

/** A code as it is compared: capitals, without the blanks that come with copying. */
export const normalCode = (typed: string) => typed.replaceAll(/\s/g, '').toUpperCase()

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
  if (kind === 'PERCENT') return `${basisPoints / 100}% off`
  return kind === 'AMOUNT' ? `${formatCents(amount)} off` : 'Free shipping'
}
