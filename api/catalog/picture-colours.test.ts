import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { ColourFamily } from '#schema/rules/facts/shelf-names'
import { coloursOf, familyOfHex } from './picture-colours.ts'
import { pixelsOf } from './picture-foreground.ts'

/** The colours that a person sees in the sample's pictures. */
const SEEN: Record<string, ColourFamily> = {
  'altamesa-cocoa': 'BROWN',
  'altamesa-dried-rose': 'PINK',
  'bamboo-dpns': 'BROWN',
  'birch-straights': 'UNDYED',
  'blocking-set-steel': 'BLUE',
  'brambleshaw-blackberry': 'VARIEGATED',
  'buttons-horn': 'BROWN',
  'cable-needles-trio': 'VARIEGATED',
  'cobwren-moorit': 'BROWN',
  'daywork-terracotta': 'ORANGE',
  'doorstep-bulky-jade': 'GREEN',
  'doorstep-persimmon': 'ORANGE',
  'doorstep-winter-sea': 'TEAL',
  'fellwright-heather-moor': 'PURPLE',
  'fellwright-undyed': 'UNDYED',
  'flaxwright-fine-flax': 'UNDYED',
  'flaxwright-ochre': 'YELLOW',
  'flittermouse-sea-glass': 'GREEN',
  'fogline-oyster': 'GREY',
  'great-loaf-lavender': 'PURPLE',
  'great-loaf-undyed': 'UNDYED',
  'great-tup-toffee': 'BROWN',
  'halfacre-spruce': 'GREEN',
  'harbourmaster-gansey-navy': 'BLUE',
  'harbourmaster-oilskin': 'YELLOW',
  'hollinshaw-bracken': 'BROWN',
  'hook-olivewood': 'BROWN',
  'hook-set-jewel': 'VARIEGATED',
  'hook-set-lace-steel': 'BLUE',
  'hook-soft-grip': 'TEAL',
  'longshore-ebb-tide': 'VARIEGATED',
  'lopsided-hoarfrost': 'GREY',
  'low-wick-jacob-pair': 'VARIEGATED',
  'lullwater-kingfisher': 'TEAL',
  'maud-fenner-cornflower': 'BLUE',
  'moonmoth-aubergine': 'PURPLE',
  'ninepin-marmalade': 'ORANGE',
  'ninepin-minis-hedgerow': 'VARIEGATED',
  'ninepin-twins-copper-kettle': 'VARIEGATED',
  'ninepin-wildflower-verge': 'VARIEGATED',
  'orchardist-greengage': 'GREEN',
  'osier-rosewood-circular': 'BROWN',
  'osier-steel-circular': 'GREY',
  'papermoth-lichen': 'GREEN',
  'papermoth-rose-dust': 'PINK',
  'plainsong-weld': 'YELLOW',
  'pompom-maker-duo': 'VARIEGATED',
  'project-bag-bottle': 'GREEN',
  'puna-road-saffron': 'ORANGE',
  'quillwort-smoke': 'GREY',
  'rainwater-minis-dusk': 'VARIEGATED',
  'ribbon-lane-peony': 'VARIEGATED',
  'row-counter-mint': 'GREEN',
  'second-spin-coral': 'ORANGE',
  'second-spin-workshirt': 'BLUE',
  'six-sheep-minis': 'VARIEGATED',
  'skerrow-rosehip': 'RED',
  'skerrow-storm': 'BLUE',
  'slubberdegullion-thundercloud': 'VARIEGATED',
  'smallfry-buttermilk': 'YELLOW',
  'stitch-markers-enamel': 'VARIEGATED',
  'tape-measure-oxblood': 'RED',
  'tarnbeck-madder': 'RED',
  'tarnbeck-moss': 'GREEN',
  'tarnbeck-tweed-peat-bog': 'BROWN',
  'tidewrack-kelp': 'GREEN',
  'tumbledown-grouse': 'GREY',
  'turnabout-allotment': 'VARIEGATED',
  'vat-nine-deep-indigo': 'BLUE',
  'vat-nine-first-dip': 'BLUE',
  'velveteen-garnet': 'RED',
  'wool-wash-lavender': 'PURPLE',
}

const MOST_PIXELS = 4_000_000
const sample = (slug: string) => readFile(new URL(`../db/seed/pictures/${slug}.webp`, import.meta.url))

/** The share of the sample whose colour is found, with or without a background behind the picture. */
async function accuracy(ground?: string) {
  const wrong: string[] = []
  for (const [slug, family] of Object.entries(SEEN)) {
    const picture = await sample(slug)
    const laid = ground ? await sharp(picture).flatten({ background: ground }).png().toBuffer() : picture
    const seen = coloursOf(await pixelsOf(laid, MOST_PIXELS))
    if (seen.family !== family) wrong.push(`${slug}: ${seen.family}, not ${family}`)
  }
  const share = 1 - wrong.length / Object.keys(SEEN).length
  console.log(
    `${(share * 100).toFixed(0)}% of ${Object.keys(SEEN).length} pictures on ${ground ?? 'nothing'}\n  ${wrong.join('\n  ')}`,
  )
  return share
}

describe('the colour of a picture', () => {
  it('is what people call it, for nearly all of the sample', async () => {
    expect(Object.keys(SEEN).length).toBeGreaterThanOrEqual(60)
    expect(await accuracy()).toBeGreaterThanOrEqual(0.9)
  })

  it.each(['#ffffff', '#c9b79c'])('is hardly another one on a ground of %s', async ground => {
    expect(await accuracy(ground)).toBeGreaterThanOrEqual(0.7)
  })

  it.each([
    ['is that of the yarn, however much of it a printed band covers', { r: 160, g: 30, b: 35 }, 'RED'],
    ['is that of undyed yarn, which is no band', { r: 232, g: 222, b: 196 }, 'UNDYED'],
  ] as const)('%s', async (_, { r, g, b }, family) => {
    const side = 512
    const isWithin = (value: number, from: number, to: number) => value >= from && value < to
    const dots = Array.from({ length: side * side }, (_, at) => {
      const [x, y] = [at % side, Math.floor(at / side)]
      const isPrint = isWithin(x, 190, 320) && isWithin(y, 200, 312) && y % 24 < 5 && x % 13 < 9
      if (isWithin(x, 140, 372) && isWithin(y, 40, 472)) return isPrint ? [51, 43, 34, 255] : [236, 227, 205, 255]
      const shade = y % 6 < 2 ? 0.7 : 1
      return isWithin(x, 40, 472) && isWithin(y, 40, 472) ? [r * shade, g * shade, b * shade, 255] : [0, 0, 0, 0]
    })
    const raw = { width: side, height: side, channels: 4 } as const
    const picture = await sharp(Uint8Array.from(dots.flat()), { raw }).webp().toBuffer()
    expect(coloursOf(await pixelsOf(picture, MOST_PIXELS)).family).toBe(family)
  })

  it('is one to three colours, the most of it first', async () => {
    const pair = coloursOf(await pixelsOf(await sample('ribbon-lane-peony'), MOST_PIXELS))
    expect(pair.colours.map(({ family }) => family).toSorted()).toEqual(['GREEN', 'PINK'])
    for (const slug of Object.keys(SEEN).slice(0, 20)) {
      const { colours } = coloursOf(await pixelsOf(await sample(slug), MOST_PIXELS))
      expect(colours.length).toBeGreaterThanOrEqual(1)
      expect(colours.length).toBeLessThanOrEqual(3)
      for (const { hex } of colours) expect(hex).toMatch(/^#[\da-f]{6}$/)
    }
  })

  it('is told of a picture that is all one colour, or all see-through', async () => {
    const plain = (background: object) =>
      sharp({ create: { width: 9, height: 5, channels: 4, background: background as never } })
        .png()
        .toBuffer()
    expect(coloursOf(await pixelsOf(await plain({ r: 190, g: 30, b: 40, alpha: 1 }), MOST_PIXELS)).family).toBe('RED')
    expect(coloursOf(await pixelsOf(await plain({ r: 0, g: 0, b: 0, alpha: 0 }), MOST_PIXELS)).family).toBe('BLACK')
  })
})

it.each<[string, ColourFamily]>([
  ['#ff0000', 'RED'],
  ['#ff8c00', 'ORANGE'],
  ['#ffd700', 'YELLOW'],
  ['#228b22', 'GREEN'],
  ['#008b8b', 'TEAL'],
  ['#4169e1', 'BLUE'],
  ['#8a2be2', 'PURPLE'],
  ['#ff69b4', 'PINK'],
  ['#8b4513', 'BROWN'],
  ['#808080', 'GREY'],
  ['#000000', 'BLACK'],
  ['#ffffff', 'WHITE'],
  ['#efe6d2', 'UNDYED'],
])('%s is %s', (hex, family) => expect(familyOfHex(hex)).toBe(family))
