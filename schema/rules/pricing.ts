import { NO_REDUCTION, type Reduction } from './discount.ts'
import { limits } from './limits.ts'
import { basisPoints, type Cents, taxWithin } from './money.ts'
import { gramsOf } from './yarn.ts'

/** What a parcel costs. */
export interface ShippingTerms {
  shippingRate: 'WEIGHT' | 'FLAT'
  /** More than an order can come to where it is never free. */
  freeShippingFrom: Cents
  flatShipping: Cents
  shippingPer100Grams: Cents
  shippingCap: Cents
}

/** What a cart is priced by once it is known where it goes. */
export interface CartTerms extends ShippingTerms {
  /** A tenth of one is the smallest part: 662.5 is 6.625%. */
  taxBasisPoints: number
  /** Whether prices, and what shipping costs, have it in them; else it is added. */
  taxIncluded: boolean
  /** Whether what is added is of shipping, too, as in New Jersey and Canada, and not of the items alone. */
  taxOnShipping?: boolean | undefined
  /** The rate of what is taxed less; null or undefined where nothing is. */
  reducedBasisPoints?: number | null | undefined
}

/** The figures of `shop { pricingPolicy }`; see schema/base.graphql for their meaning. */
export interface PricingPolicy extends CartTerms {
  taxRates: readonly TaxRate[]
  /** The shop's own, spelled as in `COUNTRIES`. */
  country: string
  abroad: ShippingTerms
}

/** A rate of tax on orders to a country, to a state of it, or to a part of either. */
export interface TaxRate {
  /** Spelled as in `COUNTRIES`. */
  country: string
  /** Code and name of the state; null for all others of the country. */
  state: string | null
  stateName: string | null
  /** Beginnings of postal codes ("112") and ranges of them ("100-104") that it is for; none for all of the place. */
  postalCodes: string[]
  basisPoints: number
  /** The rate of what is taxed less there; null where nothing is. */
  reducedBasisPoints?: number | null | undefined
  onShipping: boolean
}

/** As much of an address as prices depend on. */
export interface Destination {
  country: string
  state: string
  postalCode: string
  /** Whether it is the shop's own address, where the order is picked up. */
  isPickup?: boolean | undefined
}

const WITHIN: ShippingTerms = {
  shippingRate: 'WEIGHT',
  freeShippingFrom: 100_00,
  flatShipping: 10_00,
  shippingPer100Grams: 1_50,
  shippingCap: 18_00,
}

export const DEFAULT_POLICY: PricingPolicy = {
  ...WITHIN,
  taxBasisPoints: 1500,
  taxIncluded: false,
  taxRates: [],
  country: 'United States',
  abroad: WITHIN,
}

/**
 * What a cart that goes there is priced by; the country is spelled as in `COUNTRIES`. While nobody knows where, it is
 * taken to go to the shop's own.
 */
export function termsFor(policy: PricingPolicy, to: Destination | null): CartTerms {
  const there = to ?? { country: policy.country, state: '', postalCode: '' }
  const rate = policy.taxRates.reduce<TaxRate | undefined>(
    (found, rate) => (narrowness(rate, there) > (found ? narrowness(found, there) : 0) ? rate : found),
    undefined,
  )
  return {
    ...(isSame(policy.country, there.country) ? policy : { ...policy, ...policy.abroad }),
    taxBasisPoints: rate?.basisPoints ?? policy.taxBasisPoints,
    taxOnShipping: rate?.onShipping,
    reducedBasisPoints: rate?.reducedBasisPoints,
    ...(to?.isPickup && { freeShippingFrom: 0 }),
  }
}

const isSame = (name: string | null, typed: string) =>
  name !== null && name.toLowerCase() === typed.trim().toLowerCase()

/** Whether a rate is for the country and state of a destination, or for parts of them. */
export const isIn = (rate: TaxRate, { country, state }: Destination): boolean =>
  isSame(rate.country, country) && (rate.state === null || isSame(rate.state, state) || isSame(rate.stateName, state))

/**
 * How narrow the place of a rate is, for a destination in it; 0 for any other. A state is narrower than a country, and the longer
 * a beginning of the postal code, the narrower.
 */
function narrowness(rate: TaxRate, to: Destination): number {
  if (!isIn(rate, to)) return 0
  const { state, postalCodes } = rate
  const place = state ? 10 : 1
  if (postalCodes.length === 0) return place
  const typed = /^\d*/.exec(to.postalCode.replace(/\s/g, ''))?.[0] ?? ''
  const digits = postalCodes.map(codes => {
    const [from = '', last = from] = codes.split('-')
    const start = typed.slice(0, from.length)
    return start.length === from.length && from <= start && start <= last ? from.length : 0
  })
  const most = Math.max(...digits)
  return most && place + most
}

export interface PricedLine {
  /** Unit price. */
  price: Cents
  quantity: number
  /** Weight text of one unit, for example "100 g". */
  weight: string
  /** Whether nothing of it is sent. */
  isDownload?: boolean | undefined
  /** Whether it is one: then it is not taxed, for what it pays will be. */
  isGiftCard?: boolean | undefined
  /** Whether it is taxed less where the law says so. */
  reducedTax?: boolean | undefined
}

/** Whether there is nothing to send of what is ordered. */
export const isDownloadsAlone = (lines: readonly Pick<PricedLine, 'isDownload'>[]): boolean =>
  lines.length > 0 && lines.every(({ isDownload }) => isDownload)

/** What gift cards among these lines come to. */
export const giftCardsIn = (lines: readonly PricedLine[]): Cents =>
  lines.reduce((sum, { isGiftCard, price, quantity }) => sum + (isGiftCard ? price * quantity : 0), 0)

export interface Prices {
  /** Before the discount. */
  itemsPrice: Cents
  /** What a code takes off the items. */
  discount: Cents
  shippingPrice: Cents
  /** What is added; 0 where prices have it in them. */
  taxPrice: Cents
  totalPrice: Cents
  /** What of the total is tax that prices have in them. */
  includedTax: Cents
  /** What of it all is taxed less; undefined where nothing is. */
  reduced?: ReducedPart | undefined
}

interface ReducedPart {
  basisPoints: number
  /** Items less the discount, and their share of shipping where that is taxed; with the tax where prices have it in them. */
  taxed: Cents
  /** What of the tax is owed for it. */
  tax: Cents
}

/**
 * Prices a cart by the rules of SPEC §9. The browser previews with it, the API decides with it. A code lowers the
 * taxed amount; free shipping goes by the items before the code, so that no code makes an order more expensive.
 * Gift cards that are bought count for neither.
 */
export function priceCart(lines: readonly PricedLine[], terms: CartTerms, reduction: Reduction = NO_REDUCTION): Prices {
  const itemsPrice = lines.reduce((sum, line) => sum + line.price * line.quantity, 0)
  const discount = reduction.lines.reduce((sum, part) => sum + part, 0)
  const goods = itemsPrice - giftCardsIn(lines)
  const shippingPrice = lines.length === 0 || reduction.freeShipping ? 0 : shipping(lines, goods, terms)
  const taxed = goods - discount + (terms.taxIncluded || terms.taxOnShipping ? shippingPrice : 0)
  const reduced = reducedPart(lines, terms, reduction, { goods: goods - discount, taxed })
  const tax = taxOf(taxed - (reduced?.taxed ?? 0), terms.taxBasisPoints, terms) + (reduced?.tax ?? 0)
  const [taxPrice, includedTax] = terms.taxIncluded ? [0, tax] : [tax, 0]
  const totalPrice = itemsPrice - discount + shippingPrice + taxPrice
  return { itemsPrice, discount, shippingPrice, taxPrice, totalPrice, includedTax, reduced }
}

const taxOf = (taxed: Cents, rate: number, { taxIncluded }: CartTerms): Cents =>
  taxIncluded ? taxWithin(taxed, rate) : basisPoints(taxed, rate)

/** What of `taxed` is taxed less: some of the goods, and of shipping as much as of those. */
function reducedPart(
  lines: readonly PricedLine[],
  terms: CartTerms,
  reduction: Reduction,
  { goods, taxed }: { goods: Cents; taxed: Cents },
): ReducedPart | undefined {
  const rate = terms.reducedBasisPoints
  const items = lines.reduce(
    (sum, { reducedTax, isGiftCard, price, quantity }, place) =>
      reducedTax && !isGiftCard ? sum + price * quantity - (reduction.lines[place] ?? 0) : sum,
    0,
  )
  if (typeof rate !== 'number' || items === 0) return undefined
  const part = items + Math.round(((taxed - goods) * items) / goods)
  return { basisPoints: rate, taxed: part, tax: taxOf(part, rate, terms) }
}

/** What a code saves: off the items, and shipping that is not charged. */
export const savedBy = (prices: Prices, without: Prices): Cents =>
  prices.discount + without.shippingPrice - prices.shippingPrice

/** Whether an order can come to so much that its shipping is free. */
export const canShipFree = ({ freeShippingFrom }: Pick<ShippingTerms, 'freeShippingFrom'>): boolean =>
  freeShippingFrom <= limits.orderTotal

/** How much more the items that are no gift cards have to add up to before shipping is free; 0 when it is free. */
export const missingForFreeShipping = (goods: Cents, { freeShippingFrom }: ShippingTerms): Cents =>
  Math.max(0, freeShippingFrom - goods)

function shipping(lines: readonly PricedLine[], goods: Cents, terms: ShippingTerms): Cents {
  if (isDownloadsAlone(lines) || missingForFreeShipping(goods, terms) === 0) return 0
  if (terms.shippingRate === 'FLAT') return terms.flatShipping
  const grams = lines.reduce((sum, line) => sum + (line.isDownload ? 0 : gramsOf(line.weight) * line.quantity), 0)
  // Rounded half up to a whole cent.
  return Math.min(terms.shippingCap, Math.floor((grams * terms.shippingPer100Grams + 50) / 100))
}
