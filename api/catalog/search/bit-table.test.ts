import { readFile } from 'node:fs/promises'
import * as fc from 'fast-check'
import wabt from 'wabt'
import { expect, it } from 'vitest'
import { BitTable, COUNT_BITS } from './bit-table.ts'
import { noBits, put, selectPlaces } from './bits.ts'
import { present } from '#schema/rules/present'

it('runs what count-bits.wat says', async () => {
  const { parseWat } = await wabt()
  const source = await readFile(new URL('count-bits.wat', import.meta.url), 'utf8')
  const { buffer } = parseWat('count-bits.wat', source, { simd: true }).toBinary({})
  expect(COUNT_BITS).toBe(Buffer.from(buffer).toString('base64'))
})

it('counts what rows have in common with any selection, while rows are added, grow and lose products', () => {
  const everyFrom = (step: number) => Array.from({ length: Math.ceil(131_072 / step) }, (_, at) => at * step)
  // Few enough that sets, what is cleared and what is selected have many of them in common.
  const place = fc.nat(40).map(number => (number * 7_919) % 131_072)
  const places = fc.oneof(fc.uniqueArray(place), fc.integer({ min: 30, max: 60 }).map(everyFrom))
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          capacity: fc.constantFrom(1_024, 8_192, 131_072),
          rows: fc.array(places, { minLength: 12, maxLength: 20 }),
        }),
        { minLength: 1, maxLength: 4 },
      ),
      fc.array(place, { maxLength: 50 }),
      places,
      fc.constantFrom(0, 7, 10_000),
      (steps, cleared, selected, most) => {
        const table = new BitTable(1_024)
        const rows = new Map<number, Set<number>>()
        let capacity = 1_024
        for (const step of steps) {
          if (step.capacity > capacity) table.grow((capacity = step.capacity))
          for (const places of step.rows) {
            const row = table.add()
            rows.set(row, new Set(places.filter(place => place < capacity)))
            for (const place of present(rows.get(row))) table.put(row, place)
          }
          for (const place of cleared.filter(place => place < capacity)) {
            table.clear(place)
            for (const places of rows.values()) places.delete(place)
          }
        }
        const there = selected.filter(place => place < capacity)
        const bits = noBits(capacity)
        for (const place of there) put(bits, place, true)
        const counts = [...rows.values()].map(places => there.filter(place => places.has(place)).length)
        const ended = counts.map(count => Math.min(count, most + 1))
        expect(table.count(bits, rows.keys(), most)).toEqual(ended)
        expect(table.count(selectPlaces(Int32Array.from(there)), rows.keys(), most)).toEqual(ended)
      },
    ),
    { numRuns: 60 },
  )
})
