import { expect, test } from 'vitest'
import { formatAgo, formatZonedClock } from './dates.ts'

const NOW = Date.parse('2026-03-10T12:00:00Z')

test.each([
  ['2026-03-10T11:59:31Z', 'just now'],
  ['2026-03-10T12:00:20Z', 'in a moment'],
  ['2026-03-10T11:58:59Z', '1 minute ago'],
  ['2026-03-10T12:05:00Z', 'in 5 minutes'],
  ['2026-03-10T09:00:01Z', '2 hours ago'],
  ['2026-03-09T11:00:00Z', 'yesterday'],
  ['2026-03-02T12:00:00Z', 'last week'],
  ['2025-12-01T12:00:00Z', '3 months ago'],
  ['2023-03-10T12:00:00Z', '3 years ago'],
])('%s was %s', (instant, words) => {
  expect(formatAgo(instant, NOW)).toBe(words)
})

test('a time of another day is told with its day', () => {
  expect(formatZonedClock('2026-03-10T15:30:00Z', NOW)).toMatch(/^\d+:30 [AP]M \S+$/)
  expect(formatZonedClock('2026-03-13T15:30:00Z', NOW)).toMatch(/^Fri, Mar 13(?:,| at) \d+:30 [AP]M \S+$/)
})
