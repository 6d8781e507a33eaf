import type { Cents } from './money.ts'

/** A sale of a product: its price meanwhile, and when the sale begins and ends; null means no such limit. */
export interface Sale {
  price: Cents
  from: Date | null
  until: Date | null
}

export const isOver = ({ until }: Sale, now: Date) => until !== null && until <= now

export const isOn = (sale: Sale, now: Date) => (sale.from === null || sale.from <= now) && !isOver(sale, now)

export interface SaleProblem {
  field: 'price' | 'from' | 'until'
  message: string
}

/** Why a product of this price cannot be on such a sale; null when it can. */
export function saleProblem(price: Cents, sale: Sale, now: Date): SaleProblem | null {
  if (sale.price >= price) return { field: 'price', message: 'The sale price must be lower than the price.' }
  if (sale.from && sale.until && sale.from >= sale.until)
    return { field: 'until', message: 'The sale must end after it begins.' }
  if (isOver(sale, now)) return { field: 'until', message: 'The sale would be over already.' }
  return null
}
