import { describe, expect, test } from 'vitest'
import { isOn, isOver, saleProblem } from './sale.ts'
import { present } from './present.ts'

const at = (hour: number | null) => (hour === null ? null : new Date(Date.UTC(2026, 10, 27, hour)))
const now = present(at(12))

describe('a sale', () => {
  test.each([
    ['without bounds', null, null, { on: true, over: false }],
    ['that began before', 11, null, { on: true, over: false }],
    ['at the moment it begins', 12, 13, { on: true, over: false }],
    ['that is to begin', 13, null, { on: false, over: false }],
    ['that is to end', null, 13, { on: true, over: false }],
    ['at the moment it ends', 11, 12, { on: false, over: true }],
    ['that has ended', null, 11, { on: false, over: true }],
  ])('%s', (_what, from, until, expected) => {
    const sale = { price: 1800, from: at(from), until: at(until) }
    expect({ on: isOn(sale, now), over: isOver(sale, now) }).toEqual(expected)
  })

  test.each([
    ['a cent below the price', 2399, null, null, null],
    ['at the price', 2400, null, null, 'price'],
    ['above the price', 2500, null, null, 'price'],
    ['that ends as it begins', 1800, 13, 13, 'until'],
    ['that ends before it begins', 1800, 14, 13, 'until'],
    ['that would be over', 1800, 10, 12, 'until'],
    ['that is to come', 1800, 13, 14, null],
  ])('of a product for $24.00 %s', (_what, price, from, until, field) => {
    expect(saleProblem(2400, { price, from: at(from), until: at(until) }, now)?.field ?? null).toBe(field)
  })
})
