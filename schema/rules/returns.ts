import { basisPoints, type Cents } from './money.ts'
import type { TaxLine } from './tax-lines.ts'

/** A line of an order, and how many of its units are meant. */
export interface UnitsOfLine {
  price: Cents
  quantity: number
  /** What a code took off the line as a whole. */
  discount: Cents
  units: number
  /** Whether it is taxed less where the order went to a place that does so. */
  reducedTax?: boolean | undefined
}

interface OrderPrices {
  itemsPrice: Cents
  /** What of them is not taxed, nor sent, so that it does not come back. */
  giftCardsSold: Cents
  discount: Cents
  /** Added to the items, and to shipping where that is taxed. */
  taxPrice: Cents
  /** That tax by its rates; see `taxLines`. */
  taxes: readonly TaxLine[]
}

/**
 * What the shopper paid for some units of an order: price less discount, with the tax on it. For all units together it
 * is exactly what was paid. Of an order of which something is taxed less all lines are given, whether units of them are meant or not.
 */
export function paidFor(order: OrderPrices, lines: readonly UnitsOfLine[]): Cents {
  const isLess = ({ reducedTax }: UnitsOfLine) => reducedTax === true && order.taxes.length > 1
  const less = lines.filter(isLess)
  const others = lines.filter(line => !isLess(line))
  const allLess = netOf(less.map(line => ({ ...line, units: line.quantity })))
  const allOthers = order.itemsPrice - order.giftCardsSold - order.discount - allLess
  const [usual, reduced] = order.taxPrice > 0 ? order.taxes : []
  return netOf(lines) + taxOn(netOf(others), allOthers, usual) + taxOn(netOf(less), allLess, reduced)
}

const netOf = (lines: readonly UnitsOfLine[]): Cents =>
  lines.reduce(
    (sum, { price, quantity, discount, units }) => sum + price * units - Math.floor((discount * units) / quantity),
    0,
  )

/** The tax on a part of all items that are taxed at this rate, without that on shipping. */
function taxOn(part: Cents, all: Cents, tax: TaxLine | undefined): Cents {
  if (!tax || all <= 0) return 0
  const onItems = tax.basisPoints === null ? tax.amount : Math.min(tax.amount, basisPoints(all, tax.basisPoints))
  return Math.round((onItems * part) / all)
}

/**
 * What was paid for units that are returned after others were. The returns add up to the whole: the last one includes
 * what rounding left over.
 */
export function valueOfReturn(order: OrderPrices, lines: readonly (UnitsOfLine & { returnedBefore: number })[]): Cents {
  const before = lines.map(line => ({ ...line, units: line.returnedBefore }))
  const after = lines.map(line => ({ ...line, units: line.returnedBefore + line.units }))
  return paidFor(order, after) - paidFor(order, before)
}
