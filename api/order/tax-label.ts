import { percent } from '#schema/rules/money'
import type { Order } from './order.entity.ts'

/** "Tax (19%)" of an order, "Tax in it (19%)" where its prices have it in them; without a rate that nobody wrote down. */
export function taxLabel({ includedTax, taxBasisPoints }: Pick<Order, 'includedTax' | 'taxBasisPoints'>): string {
  const label = includedTax > 0 ? 'Tax in it' : 'Tax'
  return taxBasisPoints ? `${label} (${percent(taxBasisPoints)})` : label
}
