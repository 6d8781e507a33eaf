import { basisPoints, type Cents } from './money.ts'

/** A line of an order, and how many of its units are meant. */
export interface UnitsOfLine {
  price: Cents
  quantity: number
  /** What a code took off the line as a whole. */
  discount: Cents
  units: number
}

interface OrderPrices {
  itemsPrice: Cents
  /** What of them is not taxed, nor sent, so that it does not come back. */
  giftCardsSold: Cents
  discount: Cents
  /** On the items, and on shipping where that is taxed. */
  taxPrice: Cents
  /** Null for orders of a time when no tax was on shipping. */
  taxBasisPoints: number | null | undefined
}

/**
 * What the shopper paid for some units of an order: price less discount, with the tax on it. For all units together it
 * is exactly what was paid.
 */
export function paidFor(order: OrderPrices, lines: readonly UnitsOfLine[]): Cents {
  const net = lines.reduce(
    (sum, { price, quantity, discount, units }) => sum + price * units - Math.floor((discount * units) / quantity),
    0,
  )
  const taxed = taxedItems(order)
  return net + (taxed > 0 ? Math.round((taxOnItems(order) * net) / taxed) : 0)
}

/** What of the tax is not on shipping. */
const taxOnItems = ({ taxPrice, taxBasisPoints, ...order }: OrderPrices): Cents =>
  typeof taxBasisPoints === 'number' ? Math.min(taxPrice, basisPoints(taxedItems(order), taxBasisPoints)) : taxPrice

const taxedItems = ({ itemsPrice, giftCardsSold, discount }: Omit<OrderPrices, 'taxPrice' | 'taxBasisPoints'>): Cents =>
  itemsPrice - giftCardsSold - discount

/**
 * What was paid for units that are returned after others were. The returns add up to the whole: the last one includes
 * what rounding left over.
 */
export function valueOfReturn(order: OrderPrices, lines: readonly (UnitsOfLine & { returnedBefore: number })[]): Cents {
  const before = lines.map(line => ({ ...line, units: line.returnedBefore }))
  const after = lines.map(line => ({ ...line, units: line.returnedBefore + line.units }))
  return paidFor(order, after) - paidFor(order, before)
}
