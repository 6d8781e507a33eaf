import { describe, expect, it, test } from 'vitest'
import { readFibres } from './facts/fibres.ts'
import { distance, fibreLikeness, inPlaceOf, lineOf, shortLineOf, type YarnFacts } from './substitutes.ts'

const yarn = (content: string, more: Partial<YarnFacts> = {}): YarnFacts => ({
  weightClass: 'DK',
  metresPer100g: 230,
  stitches: { from: 22, to: 22 },
  fibres: readFibres(content) ?? [],
  washing: 'HAND',
  superwash: null,
  colourFamilies: ['RED'],
  ...more,
})

test.each([
  ['100% merino', '100% merino', 1],
  ['100% merino', '100% Shetland wool', 0.5],
  ['100% merino', '100% cotton', 0],
  ['80% merino, 20% nylon', '75% merino, 25% nylon', 0.95],
  ['50% merino, 50% silk', '100% merino', 0.5],
  ['', '100% merino', 0.5],
])('%j and %j are alike by %d', (one, other, likeness) =>
  expect(fibreLikeness(readFibres(one) ?? [], readFibres(other) ?? [])).toBeCloseTo(likeness, 5),
)

describe('of two yarns for 100% merino DK', () => {
  const wanted = yarn('100% merino')
  test.each<[string, YarnFacts, YarnFacts]>([
    ['the same fibre', yarn('100% merino'), yarn('100% cotton')],
    ['another wool before cotton', yarn('100% Corriedale'), yarn('100% cotton')],
    [
      'the same gauge before the same fibre',
      yarn('100% Corriedale'),
      yarn('100% merino', { stitches: { from: 19, to: 19 } }),
    ],
    ['the same weight class', yarn('100% cotton'), yarn('100% merino', { weightClass: 'SPORT' })],
    ['as thin', yarn('100% merino'), yarn('100% merino', { metresPer100g: 260 })],
    ['washed alike', yarn('100% merino'), yarn('100% merino', { washing: 'MACHINE', superwash: true })],
    ['of a like colour', yarn('100% merino'), yarn('100% merino', { colourFamilies: ['BLUE'] })],
    ['what says how it knits', yarn('100% merino'), yarn('100% merino', { stitches: null, weightClass: null })],
  ])('%s is closer', (_why, near, far) => expect(distance(wanted, near)).toBeLessThan(distance(wanted, far)))

  it('itself is closest', () => expect(distance(wanted, wanted)).toBe(0))
  it('either is as far from the other', () =>
    expect(distance(wanted, yarn('50% silk, 50% cotton'))).toBeCloseTo(
      distance(yarn('50% silk, 50% cotton'), wanted),
      10,
    ))
})

test.each([
  ['Ninepin Sock in Marmalade', 'Ninepin Sock', 'Ninepin'],
  ['Fellwright Worsted in Slate', 'Fellwright Worsted', 'Fellwright'],
  ['Doorstep Merino in Cocoa', 'Doorstep Merino', 'Doorstep'],
  ['Second Spin', 'Second Spin', 'Second Spin'],
  ['Merino', 'Merino', 'Merino'],
])('%j is of the line %j, called %j', (name, line, short) =>
  expect([lineOf(name), shortLineOf(name)]).toEqual([line, short]),
)

test.each([
  // A skein of 400 m is as long as four of 105 m.
  [{ price: 2800, metres: 400 }, { price: 900, metres: 105 }, null, { skeins: 4, price: 3600, costsMore: 800 }],
  [{ price: 2800, metres: 400 }, { price: 2500, metres: 400 }, null, { skeins: 1, price: 2500, costsMore: -300 }],
  [{ price: 900, metres: 105 }, { price: 2800, metres: 400 }, 1000, { skeins: 3, price: 8400, costsMore: -1500 }],
])('%j in place of %j for %s m', (one, other, metres, answer) => expect(inPlaceOf(one, other, metres)).toEqual(answer))
