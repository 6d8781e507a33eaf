import { describe, expect, it, test } from 'vitest'
import { metresOfYards, yardsOfMetres } from './facts/units.ts'
import { GARMENT_SIZES, garmentLabel, GARMENTS, metresFor, sizesOf, type Garment } from './garments.ts'
import { counted, explainSkeins, skeinsFor, skeinsOf, stitchesOf, type Project } from './skeins.ts'
import { nth, present } from './present.ts'

const dk = { metres: 210, stitches: { from: 22, to: 22 }, weightClass: 'DK' as const }

describe('skeins for metres', () => {
  test.each([
    [100, 100, 2],
    [90, 100, 1],
    [91, 100, 2],
    [1, 400, 1],
    // With the margin exactly ten skeins: an eleventh is not needed.
    [1000, 110, 10],
    [1001, 110, 11],
    [300, 110, 3],
    [1260, 210, 7],
    [100_000, 0.5, 220_000],
  ])('%d m of skeins with %d m are %d', (metres, each, skeins) => expect(skeinsOf(metres, each)).toBe(skeins))

  it('never are fewer than the metres with their margin, nor one too many', () => {
    for (let metres = 1; metres < 3_000; metres += 7)
      for (const each of [52, 87.5, 105, 210, 399.6]) {
        const skeins = skeinsOf(metres, each)
        expect(skeins * each).toBeGreaterThanOrEqual(metres * 1.1 - each / 1_000)
        expect((skeins - 1) * each).toBeLessThan(metres * 1.1)
      }
  })
})

describe('a project', () => {
  test.each<[Project, number]>([
    [{ metres: 1000 }, 6],
    [{ yards: 1000 }, 5],
    [{ garment: { garment: 'JUMPER', size: 'M' } }, 7],
    [{ garment: { garment: 'JUMPER', size: 'M', stitches: 28 } }, 8],
    [{ garment: { garment: 'CARDIGAN', size: 'XXXXL' } }, 11],
    [{ garment: { garment: 'CARDIGAN', size: 'BABY' } }, 3],
    [{ garment: { garment: 'SOCKS', size: 'M' } }, 2],
    [{ garment: { garment: 'HAT', size: 'M' } }, 2],
    [{ garment: { garment: 'BOOTEES', size: 'BABY' } }, 1],
  ])('of %j takes %d skeins of a DK', (project, skeins) => expect(present(skeinsFor(project, dk)).skeins).toBe(skeins))

  it('is answered for no yarn whose length nobody says', () =>
    expect(skeinsFor({ metres: 100 }, { ...dk, metres: null })).toBeNull())

  it('is answered for no skein so short that no shelf holds enough', () =>
    expect(skeinsFor({ metres: 100_000 }, { ...dk, metres: 0.1 })).toBeNull())

  it('as a garment is answered for no yarn whose gauge and weight nobody says', () => {
    const unknown = { metres: 100, stitches: null, weightClass: null }
    expect(skeinsFor({ garment: { garment: 'HAT', size: 'M' } }, unknown)).toBeNull()
    expect(skeinsFor({ garment: { garment: 'HAT', size: 'M', stitches: 20 } }, unknown)).not.toBeNull()
    expect(present(skeinsFor({ metres: 100 }, unknown)).skeins).toBe(2)
  })

  it('is answered for no size that the garment does not have', () =>
    expect(skeinsFor({ garment: { garment: 'BOOTEES', size: 'XL' } }, dk)).toBeNull())

  test.each([
    [{ stitches: { from: 20, to: 24 }, weightClass: null }, 22],
    [{ stitches: null, weightClass: 'WORSTED' as const }, 18],
    [{ stitches: null, weightClass: null }, null],
  ])('is reckoned for %j with %j stitches', (yarn, stitches) => expect(stitchesOf(yarn)).toBe(stitches))
})

describe('the sum', () => {
  const explained = (project: Project, units?: 'US') => explainSkeins(project, present(skeinsFor(project, dk)), units)

  it('is told in one sentence', () => {
    expect(explained({ garment: { garment: 'CARDIGAN', size: 'M' } })).toBe(
      'A cardigan (M) at 22 stitches in 10 cm takes about 1,260 m; with 10% to spare that is 1,386 m, and one skein has 210 m, so you need 7 skeins.',
    )
    expect(explained({ yards: 200 }, 'US')).toBe(
      'Your pattern takes 200 yd; with 10% to spare that is 220 yd, and one skein has 230 yd, so you need 1 skein.',
    )
    expect(explained({ garment: { garment: 'BLANKET', size: 'L', stitches: 18.5 } }, 'US')).toMatch(
      /^A blanket \(large\) at 18.5 stitches in 4 inches takes about/,
    )
  })

  it('counts one skein and several', () => expect([counted(1), counted(1200)]).toEqual(['1 skein', '1,200 skeins']))
})

describe('the estimates', () => {
  // Yards by stitches to the inch, as published in "Knitting & Crocheting All-in-One For Dummies".
  test.each<[Garment, number, number, number]>([
    ['HAT', 7.5, 300, 375],
    ['HAT', 6.5, 250, 350],
    ['HAT', 5.5, 200, 300],
    ['HAT', 4.5, 150, 250],
    ['HAT', 3.5, 125, 200],
    ['HAT', 2.25, 75, 125],
    ['JUMPER', 7.5, 1500, 3200],
    ['JUMPER', 6.5, 1200, 2500],
    ['JUMPER', 5.5, 1000, 2000],
    ['JUMPER', 4.5, 800, 1500],
    ['JUMPER', 3.5, 600, 1200],
    ['JUMPER', 2.25, 400, 800],
  ])('for a %s at %d stitches to the inch lie within %d and %d yards', (garment, inch, from, to) => {
    const yards = yardsOfMetres(present(metresFor(garment, 'M', inch * 4)))
    expect(yards).toBeGreaterThanOrEqual(from)
    expect(yards).toBeLessThanOrEqual(to)
  })

  test.each([
    [7.5, 350],
    [6.5, 300],
    [5.5, 250],
    [4.5, 200],
    [3.5, 150],
  ])('for a scarf at %d stitches to the inch are near the published %d yards', (inch, yards) =>
    expect(Math.abs(present(metresFor('SCARF', 'M', inch * 4)) / metresOfYards(yards) - 1)).toBeLessThan(0.1),
  )

  it('name fifteen garments and more, jumpers and cardigans from baby to 4XL', () => {
    expect(GARMENTS.length).toBeGreaterThanOrEqual(15)
    expect(sizesOf('JUMPER')).toEqual([...GARMENT_SIZES])
    expect(sizesOf('CARDIGAN')).toEqual([...GARMENT_SIZES])
    expect(new Set(GARMENTS.map(garmentLabel)).size).toBe(GARMENTS.length)
  })

  it.each(GARMENTS)('for %s grow with the size and the stitches', garment => {
    const sizes = sizesOf(garment)
    expect(sizes.length).toBeGreaterThan(0)
    const lengths = sizes.map(size => present(metresFor(garment, size, 22)))
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b))
    expect(new Set(lengths).size).toBe(lengths.length)
    expect(present(metresFor(garment, nth(sizes, 0), 30))).toBeGreaterThan(nth(lengths, 0))
  })
})
