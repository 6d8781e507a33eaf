import { expect, it } from 'vitest'
import { isDay } from './day.ts'
import { DEFAULT_DELIVERY, estimateDelivery } from './delivery.ts'
import { awaitedOf, dayProblem, lastDay, preorderWords } from './preorder.ts'

it('a pre-order says the day it is expected, and no day that has passed', () => {
  expect(preorderWords('2026-12-24', '2026-12-23')).toBe('Pre-order, expected Thu, Dec 24')
  expect(preorderWords('2026-12-24', '2026-12-24')).toBe('Pre-order, expected Thu, Dec 24')
  expect(preorderWords('2026-12-24', '2026-12-25')).toBe('Pre-order, expected any day')
})

it('a day has passed once it is over everywhere on Earth', () => {
  expect(dayProblem('2026-12-24', new Date('2026-12-25T11:59:59Z'))).toBeNull()
  expect(dayProblem('2026-12-24', new Date('2026-12-25T12:00:00Z'))).toBe(
    'Expected on must not be a day that has passed.',
  )
})

it('a line waits until its units are here, or sent', () => {
  expect(awaitedOf({ expectedOn: '2026-12-24', quantity: 2, fulfilledQuantity: 1 })).toBe('2026-12-24')
  expect(awaitedOf({ expectedOn: '2026-12-24', quantity: 2, fulfilledQuantity: 2 })).toBeNull()
  expect(awaitedOf({ expectedOn: null, quantity: 2, fulfilledQuantity: 0 })).toBeNull()
})

it('an order waits for the last of its lines', () => {
  expect(lastDay(['2026-12-24', null, '2027-01-02', '2026-12-31'])).toBe('2027-01-02')
  expect(lastDay([null])).toBeNull()
})

it.each([
  ['2026-12-24', null, '2026-12-29', 'a parcel counts from the day it is paid'],
  ['2026-12-24', '2027-01-04', '2027-01-07', 'one that waits, from the day that is expected'],
  ['2026-12-24', '2026-11-02', '2026-12-29', 'and no longer once that day has passed'],
])('paid on %s and expected on %s, it comes on %s: %s', (day, expectedOn, from, _why) => {
  const terms = { ...DEFAULT_DELIVERY, handling: { min: 0, max: 0 }, domestic: { min: 3, max: 3 } }
  const range = estimateDelivery(terms, { day, abroad: false, expectedOn })
  expect(range).toEqual({ from, to: from })
})

it.each([
  ['2026-12-24', true],
  ['2028-02-29', true],
  ['2027-02-29', false],
  ['2026-13-01', false],
  ['24.12.2026', false],
  ['2026-12-24T00:00', false],
  ['', false],
])('%j is a day: %s', (text, is) => expect(isDay(text)).toBe(is))
