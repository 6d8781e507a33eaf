/** How much stock unpaid orders may hold at a time. 0 means no limit. */
export interface HoldLimits {
  ordersPerAccount: number
  unitsPerAccount: number
  ordersPerAddress: number
  unitsPerAddress: number
}

/** Enough for a whole knitting group behind one address, and far less than a shop's whole stock. */
export const HOLD_LIMITS: HoldLimits = {
  ordersPerAccount: 5,
  unitsPerAccount: 200,
  ordersPerAddress: 30,
  unitsPerAddress: 600,
}

/** The most units that one order can hold; null when there is no limit. */
export function unitsPerOrder({ unitsPerAccount, unitsPerAddress }: HoldLimits): number | null {
  const limits = [unitsPerAccount, unitsPerAddress].filter(limit => limit > 0)
  return limits.length > 0 ? Math.min(...limits) : null
}
