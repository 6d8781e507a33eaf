import { onlyOf } from './present.ts'

/** A number of units of one dye lot: those left of it, or those of a line that are filled from it. */
export interface LotPortion {
  /** As the mill prints it on the band. */
  code: string
  quantity: number
}

/** Stands for units of an unknown lot, returned from an order placed before the product's lots were counted. */
export const UNREAD_LOT = 'unmarked'

/**
 * The lots a line is filled from, larger portions first. If all the requested lots are there, exactly those. Otherwise
 * the smallest lot that suffices, so that large lots stay whole; otherwise as few lots as possible. A single lot that
 * was asked for and has too few units is used up first, because it has to match what the shopper already has. If all
 * lots together have too few units, so does the result.
 */
export function fillFromLots(
  lots: readonly LotPortion[],
  quantity: number,
  asked: readonly LotPortion[] = [],
): LotPortion[] {
  const left = new Map(lots.map(lot => [lot.code, lot.quantity]))
  if (asked.length > 0 && asked.every(portion => (left.get(portion.code) ?? 0) >= portion.quantity)) return [...asked]
  const only = onlyOf(asked)
  const mine = only ? Math.min(left.get(only.code) ?? 0, quantity) : 0
  if (!only || mine === 0) return fillFromFewest(lots, quantity)
  const { code } = only
  const others = lots.filter(lot => lot.code !== code)
  return [{ code, quantity: mine }, ...fillFromFewest(others, quantity - mine)]
}

/** Whether the order can go on without a question: the shopper gets the lots they asked for, or asked for none and gets a single one. */
export function isAsAsked(portions: readonly LotPortion[], asked: readonly LotPortion[] = []): boolean {
  if (asked.length === 0) return portions.length <= 1
  const given = new Map(portions.map(({ code, quantity }) => [code, quantity]))
  return portions.length === asked.length && asked.every(({ code, quantity }) => given.get(code) === quantity)
}

export const unitsOf = (portions: readonly Pick<LotPortion, 'quantity'>[]): number =>
  portions.reduce((sum, { quantity }) => sum + quantity, 0)

/** What is left of the lots after `gone` is taken from them. */
export function lotsLeft(lots: readonly LotPortion[], gone: readonly LotPortion[]): LotPortion[] {
  return lots
    .map(({ code, quantity }) => ({ code, quantity: quantity - unitsOf(gone.filter(lot => lot.code === code)) }))
    .filter(({ quantity }) => quantity > 0)
}

/** The first `quantity` units of some lots, in their order: what goes into a parcel unless somebody chooses others. */
export function firstOfLots(lots: readonly LotPortion[], quantity: number): LotPortion[] {
  let missing = quantity
  return lots
    .map(({ code, quantity }) => {
      const taken = Math.min(quantity, missing)
      missing -= taken
      return { code, quantity: taken }
    })
    .filter(({ quantity }) => quantity > 0)
}

/** The lots asked for after a line's quantity changed: a single lot is kept, an agreement to several lots is dropped. */
export function lotsForQuantity(asked: readonly LotPortion[], quantity: number): LotPortion[] {
  // They may come from a form, the browser's storage or an order, with fields that do not belong here.
  if (unitsOf(asked) === quantity) return asked.map(({ code, quantity }) => ({ code, quantity }))
  const only = onlyOf(asked)
  return only ? [{ code: only.code, quantity }] : []
}

/** "8 of lot 4412 and 2 of lot 4417". */
export const lotsInWords = (portions: readonly LotPortion[]): string =>
  new Intl.ListFormat('en-US').format(portions.map(({ code, quantity }) => `${quantity} of lot ${code}`))

/** "Lot 4412", or "8 of lot 4412 and 2 of lot 4417", for a line that shows its quantity. Empty without lots. */
export const dyeLots = (portions: readonly LotPortion[]): string => {
  const only = onlyOf(portions)
  return only ? `Lot ${only.code}` : lotsInWords(portions)
}

function fillFromFewest(lots: readonly LotPortion[], quantity: number): LotPortion[] {
  const bySize = lots.filter(lot => lot.quantity > 0).sort((a, b) => b.quantity - a.quantity || order(a.code, b.code))
  const portions: LotPortion[] = []
  for (let missing = quantity; missing > 0;) {
    const lot = bySize.findLast(({ quantity }) => quantity >= missing) ?? bySize.shift()
    if (!lot) break
    const taken = Math.min(lot.quantity, missing)
    portions.push({ code: lot.code, quantity: taken })
    missing -= taken
  }
  return portions
}

const order = (a: string, b: string) => (a < b ? -1 : 1)
