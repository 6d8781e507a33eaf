import { formatCents, percent } from '#schema/rules/money'
import { inBrackets, owedTaxes, type TaxLine, taxLines } from '#schema/rules/tax-lines'
import type { Order } from './order.entity.ts'

/**
 * What an order's tax is, rate by rate, as letters and invoices say it. Where prices have it in them, laws want to be told
 * what each rate is of, without the tax.
 */
export function taxRows(order: Order): [label: string, amount: string][] {
  const taxes = owedTaxes(taxLines(order))
  if (order.includedTax === 0)
    return taxes.map(({ basisPoints, amount }) => [`Tax${inBrackets(basisPoints)}`, formatCents(amount)])
  return taxes.map(line => [
    `Tax in it${taxes.length > 1 ? ofWhat(order, line) : inBrackets(line.basisPoints)}`,
    formatCents(line.amount),
  ])
}

/** " (7% of $11.33)". */
function ofWhat(order: Order, { basisPoints, isReduced, amount }: TaxLine): string {
  const taxed = isReduced ? order.reducedTaxed : order.totalPrice - order.giftCardsSold - order.reducedTaxed
  return ` (${percent(basisPoints ?? 0)} of ${formatCents(taxed - amount)})`
}
