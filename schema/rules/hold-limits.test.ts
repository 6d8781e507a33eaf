import { expect, it } from 'vitest'
import { HOLD_LIMITS, unitsPerOrder } from './hold-limits.ts'

it('lets an order have as many units as the narrower limit says, and any number without one', () => {
  expect(unitsPerOrder(HOLD_LIMITS)).toBe(200)
  expect(unitsPerOrder({ ...HOLD_LIMITS, unitsPerAccount: 0 })).toBe(600)
  expect(unitsPerOrder({ ...HOLD_LIMITS, unitsPerAddress: 50 })).toBe(50)
  expect(unitsPerOrder({ ...HOLD_LIMITS, unitsPerAccount: 0, unitsPerAddress: 0 })).toBeNull()
})
