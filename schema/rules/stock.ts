import { limits } from './limits.ts'

/** From this many units on a product counts as well stocked. SPEC §4. */
export const WELL_STOCKED = 20

export type StockStatus = 'In Stock' | 'Low Stock' | 'Out of Stock'

/** The admin's stock badge. */
export function stockStatus(countInStock: number): StockStatus {
  if (countInStock <= 0) return 'Out of Stock'
  return countInStock < WELL_STOCKED ? 'Low Stock' : 'In Stock'
}

/** A number of units as people type it, "1,250" -> 1250. Null when it is not a number, or more than a shelf holds. */
export function readUnits(typed: string): number | null {
  const digits = typed.replaceAll(/[,\s]/g, '')
  if (!/^\d{1,7}$/.test(digits)) return null
  return Number(digits) <= limits.stock ? Number(digits) : null
}

/** The nearest quantity a line may have: 1 to the stock count. */
export function clampQuantity(quantity: number, countInStock: number): number {
  return Math.max(1, Math.min(Math.trunc(quantity) || 1, countInStock, limits.stock))
}
