import { type Cents, percent } from './money.ts'

/** What of an order's tax is owed at one rate. */
export interface TaxLine {
  /** Null for orders from before it was kept. */
  basisPoints: number | null
  /** Whether it is the rate of what is taxed less. */
  isReduced: boolean
  amount: Cents
}

interface Taxed {
  taxPrice: Cents
  includedTax: Cents
  taxBasisPoints?: number | null | undefined
  /** Null where nothing of it is taxed less. */
  reducedTaxBasisPoints?: number | null | undefined
  /** What of the tax is owed for that. */
  reducedTax: Cents
}

/** The tax of an order by its rates: the usual one, and that of what is taxed less if it is for any. */
export function taxLines({
  taxPrice,
  includedTax,
  taxBasisPoints,
  reducedTaxBasisPoints,
  reducedTax,
}: Taxed): TaxLine[] {
  const usual = { basisPoints: taxBasisPoints ?? null, isReduced: false, amount: taxPrice + includedTax - reducedTax }
  return typeof reducedTaxBasisPoints === 'number'
    ? [usual, { basisPoints: reducedTaxBasisPoints, isReduced: true, amount: reducedTax }]
    : [usual]
}

/** Those that something is owed at; if nothing is owed, as for gift cards, one that names no rate. */
export function owedTaxes<Line extends Pick<TaxLine, 'basisPoints' | 'amount'>>(lines: readonly Line[]): Line[] {
  const owed = lines.filter(({ amount }) => amount > 0)
  return owed.length > 0 ? owed : lines.slice(-1).map(line => ({ ...line, basisPoints: null }))
}

/** " (19%)" behind a word for tax; nothing for a rate that nobody wrote down, or that is none. */
export const inBrackets = (basisPoints: number | null): string => (basisPoints ? ` (${percent(basisPoints)})` : '')
