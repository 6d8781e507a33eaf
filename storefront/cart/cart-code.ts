import {
  type DiscountableLine,
  discountMisfit,
  type DiscountTerms,
  NO_REDUCTION,
  type Reduction,
  reductionOf,
} from '#schema/rules/discount'
import { stored } from '../data/stored.ts'
import type { QuotedCodeFragment } from './QuoteCode.gql.ts'

/** A code the shop has accepted, and its terms. Kept beside the spec's cart, whose shape must not change. */
export interface CartCode {
  code: string
  terms: DiscountTerms
}

const store = stored<CartCode | null>('code', null, fromStorage)

/** The code of the cart; none on the server and while hydrating. */
export const useCartCode = store.use
export const currentCode = store.get

let changed = () => {}

/** Called after this tab has changed the code. Other tabs notice the change of the cart that follows. */
export const onCodeChange = (listener: () => void) => {
  changed = listener
}

function keep(code: CartCode | null) {
  store.set(code)
  changed()
}

export function keepCode({ code, terms }: QuotedCodeFragment) {
  const { startsAt, endsAt, __typename: _, ...same } = terms
  keep({ code, terms: { ...same, startsAt: toDate(startsAt), endsAt: toDate(endsAt) } })
}

export const forgetCode = () => keep(null)

/** What the code takes off these lines as far as the browser can tell; the shop decides when the order is placed. */
export function reductionBy(code: CartCode | null, lines: readonly DiscountableLine[]): Reduction {
  return code && !discountMisfit(code.terms, lines, new Date()) ? reductionOf(code.terms, lines) : NO_REDUCTION
}

/** Reads a code from whatever is in the storage. */
function fromStorage(raw: unknown): CartCode | null {
  const { code, terms } = (raw ?? {}) as { code?: unknown; terms?: Partial<Record<keyof DiscountTerms, unknown>> }
  if (typeof code !== 'string' || typeof terms !== 'object' || terms === null) return null
  const { kind } = terms
  if (kind !== 'PERCENT' && kind !== 'AMOUNT' && kind !== 'FREE_SHIPPING') return null
  return {
    code,
    terms: {
      kind,
      basisPoints: cents(terms.basisPoints, 10_000),
      amount: cents(terms.amount),
      minimum: cents(terms.minimum),
      productIds: texts(terms.productIds),
      categories: texts(terms.categories),
      startsAt: toDate(terms.startsAt),
      endsAt: toDate(terms.endsAt),
    },
  }
}

const cents = (value: unknown, most = Number.MAX_SAFE_INTEGER) =>
  Number.isSafeInteger(value) ? Math.min(Math.max(value as number, 0), most) : 0
const texts = (value: unknown) =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []

function toDate(value: unknown): Date | null {
  const date = typeof value === 'string' ? new Date(value) : null
  return date && !Number.isNaN(date.getTime()) ? date : null
}
