import { describe, expect, test } from 'vitest'
import { gaugeWords, lengthWords, toolWords, weightWords } from './units.ts'

const one = (size: number) => ({ from: size, to: size })

describe('weights and lengths', () => {
  test.each([
    [100, '100 g', '3.5 oz'],
    [50, '50 g', '1.8 oz'],
    [99.2, '99.2 g', '3.5 oz'],
    [1000, '1,000 g', '35.3 oz'],
  ])('%d g are %j or %j', (grams, metric, us) =>
    expect([weightWords(grams, 'METRIC'), weightWords(grams, 'US')]).toEqual([metric, us]),
  )

  test.each([
    [400, '400 m', '437 yd'],
    [399.6, '400 m', '437 yd'],
    [1260, '1,260 m', '1,378 yd'],
  ])('%d m are %j or %j', (metres, metric, us) =>
    expect([lengthWords(metres, 'METRIC'), lengthWords(metres, 'US')]).toEqual([metric, us]),
  )
})

test.each([
  [one(22), one(30), '22 sts × 30 rows in 10 cm', '22 sts × 30 rows in 4 in'],
  [{ from: 30, to: 32 }, null, '30–32 sts in 10 cm', '30–32 sts in 4 in'],
  [null, one(42), '42 rows in 10 cm', '42 rows in 4 in'],
  [null, null, null, null],
])('a gauge of %j by %j is %j or %j', (stitches, rows, metric, us) =>
  expect([gaugeWords(stitches, rows, 'METRIC'), gaugeWords(stitches, rows, 'US')]).toEqual([metric, us]),
)

test.each([
  [[one(4)], 'NEEDLE', '4 mm', 'US 6'],
  [[one(6.5)], 'NEEDLE', '6.5 mm', 'US 10½'],
  [[one(2.5)], 'NEEDLE', '2.5 mm', 'US 1½'],
  [[one(7)], 'NEEDLE', '7 mm', 'US 10¾'],
  [[one(1.75)], 'NEEDLE', '1.75 mm', 'US 00'],
  [[{ from: 3.5, to: 4 }], 'NEEDLE', '3.5–4 mm', 'US 4–6'],
  [[one(4), one(5)], 'NEEDLE', '4, 5 mm', 'US 6, 8'],
  // There is no US size for a needle of 4.25 mm.
  [[one(4.25)], 'NEEDLE', '4.25 mm', '4.25 mm'],
  [[one(6.5)], 'HOOK', '6.5 mm', 'US K-10½'],
  [[one(4)], 'HOOK', '4 mm', 'US G-6'],
  [[one(7)], 'HOOK', '7 mm', '7 mm'],
  [[], 'HOOK', null, null],
] as const)('%j of a %s are %j or %j', (sizes, tool, metric, us) =>
  expect([toolWords(sizes, tool, 'METRIC'), toolWords(sizes, tool, 'US')]).toEqual([metric, us]),
)
