import { expect, test } from 'vitest'
import { orderCan, orderStatus, orderStatusNames } from './order-status.ts'
import { clampQuantity, stockStatus } from './stock.ts'

const day = new Date()

const cases = [
  ['UNPAID', {}, true, false],
  ['LAPSED', { lapsedAt: day }, true, false],
  ['CANCELLED', { lapsedAt: day, cancelledAt: day }, false, false],
  ['PAID', { paidAt: day }, false, true],
  ['PAID', { paidAt: day, lapsedAt: day }, false, true],
  ['PARTLY_SENT', { paidAt: day, firstSentAt: day }, false, true],
  ['SENT', { paidAt: day, firstSentAt: day, sentAt: day }, false, true],
  ['DELIVERED', { paidAt: day, deliveredAt: day }, false, false],
  ['DELIVERED', { paidAt: day, firstSentAt: day, sentAt: day, deliveredAt: day }, false, false],
] as const

test('each status comes of some dates', () => {
  expect(orderStatusNames.toSorted()).toEqual([...new Set(cases.map(([status]) => status))].toSorted())
})

test.each(cases)('an order is %s with %j', (status, dates, pay, deliver) => {
  expect(orderStatus(dates)).toBe(status)
  expect(orderCan.pay(status)).toBe(pay)
  expect(orderCan.cancel(status)).toBe(pay)
  expect(orderCan.deliver({ status, isRefunded: false })).toBe(deliver)
  expect(orderCan.send({ status, isRefunded: false })).toBe(status === 'PAID' || status === 'PARTLY_SENT')
  expect(orderCan.deliver({ status, isRefunded: true })).toBe(status === 'SENT')
  expect(orderCan.send({ status, isRefunded: true })).toBe(false)
})

test.each([
  [20, 'In Stock'],
  [19, 'Low Stock'],
  [1, 'Low Stock'],
  [0, 'Out of Stock'],
] as const)('%i units: %s', (units, badge) => {
  expect(stockStatus(units)).toBe(badge)
})

test.each([
  [3, 10, 3],
  [12, 10, 10],
  [0, 10, 1],
  [-4, 10, 1],
  [2.9, 10, 2],
  [NaN, 10, 1],
  [5000, 10_000, 5000],
  [2_000_000, 3_000_000, 1_000_000],
])('%d of %i in stock becomes %i', (asked, stock, got) => {
  expect(clampQuantity(asked, stock)).toBe(got)
})
