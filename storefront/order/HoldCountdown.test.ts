import { expect, test } from 'vitest'
import { timeWords } from './HoldCountdown.tsx'

test.each([
  [1, 'Less than a minute'],
  [2, '1 minute'],
  [60, '59 minutes'],
  [119, '118 minutes'],
  [120, '2 hours'],
  [24 * 60, '24 hours'],
  [48 * 60, '2 days'],
  [3 * 24 * 60, '3 days'],
])('of %d minutes that have begun, %s are left', (minutes, words) => {
  expect(timeWords(minutes)).toBe(words)
})
