import { describe, expect, it, test } from 'vitest'
import {
  dyeLots,
  fillFromLots,
  firstOfLots,
  isAsAsked,
  lotsForQuantity,
  lotsInWords,
  lotsLeft,
  type LotPortion,
} from './lots.ts'
import { nth, present } from './present.ts'

/** "4412:8 4417:2" */
const lots = (text: string): LotPortion[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map(part => ({ code: nth(part.split(':'), 0), quantity: Number(part.split(':')[1]) }))

describe('a line is filled', () => {
  test.each([
    ['from the smallest lot that suffices', 'A:30 B:10 C:9', 10, '', 'B:10'],
    ['from a lot that just suffices', 'A:3 B:10', 10, '', 'B:10'],
    ['from as few lots as possible', 'A:4 B:8 C:5 D:6', 10, '', 'B:8 A:2'],
    ['at its end from the smallest lot that suffices for the rest', 'A:9 B:7 C:2', 11, '', 'A:9 C:2'],
    ['the same way each time from lots alike', 'B:5 A:5 C:5', 8, '', 'A:5 C:3'],
    ['from three lots when two are too little', 'A:3 B:3 C:3', 9, '', 'A:3 B:3 C:3'],
    ['past lots of which nothing is left', 'A:0 B:2', 2, '', 'B:2'],
    ['as far as the lots go', 'A:3 B:2', 9, '', 'A:3 B:2'],
    ['from nothing when there is none', '', 3, '', ''],
    ['from the lot asked for, though a smaller one suffices', 'A:30 B:3', 3, 'A:3', 'A:3'],
    ['from the lot asked for first, when that has too little', 'A:4 B:30', 10, 'A:10', 'A:4 B:6'],
    ['from another lot when that asked for is gone', 'A:0 B:30 C:12', 10, 'A:10', 'C:10'],
    ['from another lot when nobody knows that asked for', 'B:30', 10, 'A:10', 'B:10'],
    ['from the lots agreed to, as they were agreed', 'A:9 B:9 C:20', 10, 'A:8 B:2', 'A:8 B:2'],
    ['anew when one of the lots agreed to has too little by now', 'A:8 B:1 C:20', 10, 'A:8 B:2', 'C:10'],
  ])('%s', (_how, shelf, quantity, asked, filled) => {
    expect(fillFromLots(lots(shelf), quantity, lots(asked))).toEqual(lots(filled))
  })

  it('never with more than a lot has, from no lot twice, and with all there is to have', () => {
    for (let seed = 1; seed < 400; seed++) {
      const shelf = Array.from({ length: seed % 7 }, (_, index) => ({
        code: `L${index}`,
        quantity: (seed * (index + 3)) % 11,
      }))
      const quantity = 1 + ((seed * 7) % 30)
      const asked = seed % 3 === 0 ? [{ code: `L${seed % 5}`, quantity }] : []
      const filled = fillFromLots(shelf, quantity, asked)
      const left = new Map(shelf.map(lot => [lot.code, lot.quantity]))
      const sum = (portions: LotPortion[]) => portions.reduce((total, portion) => total + portion.quantity, 0)
      expect(new Set(filled.map(({ code }) => code)).size).toBe(filled.length)
      for (const portion of filled) {
        expect(portion.quantity).toBeGreaterThan(0)
        expect(portion.quantity).toBeLessThanOrEqual(present(left.get(portion.code)))
      }
      expect(sum(filled)).toBe(Math.min(quantity, sum(shelf)))
      if (asked.length === 0 && shelf.some(lot => lot.quantity >= quantity)) expect(filled).toHaveLength(1)
    }
  })
})

describe('the shopper need not be asked', () => {
  test.each([
    ['about one lot', 'A:10', '', true],
    ['about none, where lots are not kept', '', '', true],
    ['about several', 'A:8 B:2', '', false],
    ['about those agreed to, in whatever order', 'B:2 A:8', 'A:8 B:2', true],
    ['about other portions of the same lots', 'A:7 B:3', 'A:8 B:2', false],
    ['about another lot than that asked for', 'B:10', 'A:10', false],
    ['about less of the lot asked for', 'A:4 B:6', 'A:10', false],
    ['about lots that are not kept any more', '', 'A:10', false],
  ])('%s', (_what, filled, asked, isAsked) => {
    expect(isAsAsked(lots(filled), lots(asked))).toBe(isAsked)
  })
})

test.each([
  ['stays as it was agreed', 'A:8 B:2', 10, 'A:8 B:2'],
  ['is all of the one lot asked for', 'A:8', 10, 'A:10'],
  ['is to be agreed anew when there were several', 'A:8 B:2', 9, ''],
  ['is of any lot when none was asked for', '', 9, ''],
])('another quantity %s', (_what, asked, quantity, then) => {
  expect(lotsForQuantity(lots(asked), quantity)).toEqual(lots(then))
})

it('tells lots in words', () => {
  expect(lotsInWords(lots('4412:8'))).toBe('8 of lot 4412')
  expect(lotsInWords(lots('4412:8 4417:2'))).toBe('8 of lot 4412 and 2 of lot 4417')
  expect(lotsInWords(lots('A:3 B:2 C:1'))).toBe('3 of lot A, 2 of lot B, and 1 of lot C')
  expect(dyeLots(lots('4412:8'))).toBe('Lot 4412')
  expect(dyeLots(lots('4412:8 4417:2'))).toBe('8 of lot 4412 and 2 of lot 4417')
})

test.each([
  ['all of them when nothing is gone', 'A:8 B:2', '', 'A:8 B:2'],
  ['what several parcels left', 'A:8 B:2', 'A:3 A:4 B:1', 'A:1 B:1'],
  ['only lots that have something left', 'A:8 B:2', 'A:8', 'B:2'],
  ['nothing when all went', 'A:8 B:2', 'B:2 A:8', ''],
])('left of lots is %s', (_what, all, gone, left) => {
  expect(lotsLeft(lots(all), lots(gone))).toEqual(lots(left))
})

test.each([
  ['the first of them alone', 'A:8 B:2', 5, 'A:5'],
  ['the next when the first is used up', 'A:8 B:2', 9, 'A:8 B:1'],
  ['all there is', 'A:8 B:2', 12, 'A:8 B:2'],
])('a parcel takes of lots %s', (_what, open, quantity, taken) => {
  expect(firstOfLots(lots(open), quantity)).toEqual(lots(taken))
})
