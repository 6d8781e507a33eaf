import { expect, test } from 'vitest'
import { daysOf, periods } from './periods.ts'

test.each([
  ['2026-11-30', '2026-11-01 2026-11-30', '2026-10-01 2026-10-31', '2026-10-01 2026-12-31', '2026-07-01 2026-09-30'],
  ['2027-01-01', '2027-01-01 2027-01-31', '2026-12-01 2026-12-31', '2027-01-01 2027-03-31', '2026-10-01 2026-12-31'],
  ['2028-03-31', '2028-03-01 2028-03-31', '2028-02-01 2028-02-29', '2028-01-01 2028-03-31', '2027-10-01 2027-12-31'],
])('on %s months and quarters have these days', (today, ...expected) => {
  expect(
    periods.slice(0, 4).map(period => {
      const { from, to } = daysOf(period, today)
      return `${from} ${to}`
    }),
  ).toEqual(expected)
})

test('years are those of the calendar', () => {
  expect(daysOf('this-year', '2026-11-30')).toEqual({ from: '2026-01-01', to: '2026-12-31' })
  expect(daysOf('last-year', '2026-11-30')).toEqual({ from: '2025-01-01', to: '2025-12-31' })
})
