import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { asPlaces, noBits, put, selectPlaces } from './bits.ts'
import { Order, partOf } from './order.ts'
import { nth, present } from '#schema/rules/present'

const CAPACITY = 8_192

it('lists any part of a selection as sorting all of it does, while numbers change', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          changes: fc.array(fc.tuple(fc.nat(CAPACITY - 1), fc.constantFrom(1, 2.5, 2.5, 7, Infinity, -1)), {
            maxLength: 40,
          }),
          // As when nothing changes for a while.
          isPutRight: fc.boolean(),
          every: fc.constantFrom(1, 3),
          descending: fc.boolean(),
          offset: fc.constantFrom(0, 5, 4_000, 9_000),
          limit: fc.integer({ min: 1, max: 20 }),
          range: fc.option(fc.constantFrom({ from: 2, to: 30 }, { from: -1, to: 2.5 }, { from: 3, to: Infinity })),
        }),
        { minLength: 1, maxLength: 6 },
      ),
      fc.integer({ min: 1, max: 50 }),
      (turns, kinds) => {
        const order = new Order(1_024)
        order.grow(CAPACITY)
        const keys = new Map<number, number>()
        const set = (place: number, key: number) => {
          keys.set(place, key)
          order.set(place, key)
        }
        // The first are like products that were read at the start; as many again are added later.
        for (let place = 0; place < CAPACITY; place++) {
          set(place, (place * 7_919) % kinds)
          if (place === CAPACITY - 900) order.putRight(0)
        }
        for (const { changes, isPutRight, every, descending, offset, limit, range } of turns) {
          for (const [place, key] of changes) set(place, key)
          if (isPutRight) order.putRight(0)
          const [bits, ofAnyNumber] = [noBits(CAPACITY), noBits(CAPACITY)]
          const isWithin = (key: number) => !range || (key >= range.from && (key < range.to || range.to === Infinity))
          const isSelected = (place: number) => place % every === 0 && isWithin(present(keys.get(place)))
          for (let place = 0; place < CAPACITY; place++) {
            put(bits, place, isSelected(place))
            put(ofAnyNumber, place, place % every === 0)
          }
          const all = [...keys.keys()].filter(isSelected).toSorted((a, b) => {
            const [one, other] = [present(keys.get(a)), present(keys.get(b))]
            return one === other ? a - b : one < other ? -1 : 1
          })
          if (descending) all.reverse()
          const part = { descending, offset, limit }
          expect(order.part(bits, part)).toEqual(all.slice(offset, offset + limit))
          expect(order.part(ofAnyNumber, part, range)).toEqual(all.slice(offset, offset + limit))
          expect(partOf(order.sorted(bits), part)).toEqual(all.slice(offset, offset + limit))
        }
      },
    ),
    { numRuns: 30 },
  )
})

it('narrows selections, large and small, down to any range of numbers, while numbers change', () => {
  const many = 40_000
  const order = new Order(1_024)
  order.grow(65_536)
  for (let place = 0; place < many; place++) order.set(place, place % 7 === 0 ? Infinity : (place * 7_919) % 5_000)
  const number = fc.constantFrom(-Infinity, 0, 12, 2_500, 4_999.5, Infinity)
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(many - 1), fc.constantFrom(0, 12, 2_500, 9_999, Infinity)), { maxLength: 300 }),
      fc.constantFrom(1, 3, 240),
      number,
      number,
      (changes, every, from, to) => {
        for (const [place, key] of changes) order.set(place, key)
        const places = Int32Array.from({ length: Math.ceil(many / every) }, (_, at) => at * every)
        const all = noBits(65_536)
        for (const place of places) put(all, place, true)
        const left = [...places].filter(place => nth(order.keys, place) >= from && nth(order.keys, place) < to)
        expect(asPlaces(order.narrow(all, { from, to }))).toEqual(left)
        expect(asPlaces(order.narrow(selectPlaces(places), { from, to }))).toEqual(left)
      },
    ),
    { numRuns: 40 },
  )
})

it('loses none of many that have no number', () => {
  const order = new Order(CAPACITY)
  for (let place = 0; place < 2_000; place += 2) order.set(place, 2_000 - place)
  const all = Int32Array.from({ length: 2_000 }, (_, place) => place)
  const sorted = order.sorted(selectPlaces(all))
  expect(sorted.slice(0, 1_000)).toEqual(all.filter(place => place % 2 === 0).reverse())
  expect(sorted.slice(1_000)).toEqual(all.filter(place => place % 2 === 1))
})
