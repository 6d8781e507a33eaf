import type { WeightClassName } from './facts/shelf-names.ts'
import { nth } from './present.ts'

/**
 * Sizes of the finished thing; each garment has some of them. Babies are up to one year old, toddlers three, children
 * eight, teens fourteen.
 */
export const GARMENT_SIZES = [
  'BABY',
  'TODDLER',
  'CHILD',
  'TEEN',
  'XS',
  'S',
  'M',
  'L',
  'XL',
  'XXL',
  'XXXL',
  'XXXXL',
] as const

export type GarmentSize = (typeof GARMENT_SIZES)[number]

export const GARMENTS = [
  'HAT',
  'HEADBAND',
  'MITTENS',
  'FINGERLESS_MITTS',
  'GLOVES',
  'SOCKS',
  'ANKLE_SOCKS',
  'BOOTEES',
  'LEG_WARMERS',
  'SCARF',
  'COWL',
  'SHAWL',
  'WRAP',
  'PONCHO',
  'VEST',
  'TEE',
  'JUMPER',
  'CARDIGAN',
  'BLANKET',
  'CUSHION',
] as const

export type Garment = (typeof GARMENTS)[number]

/** The gauge that the table is written for, usual for DK. */
const TABLE_STITCHES = 22

type Lengths = Partial<Record<GarmentSize, number>>

const BODY: readonly GarmentSize[] = GARMENT_SIZES

const sized = (sizes: readonly GarmentSize[], ...metres: number[]): Lengths =>
  Object.fromEntries(sizes.map((size, place) => [size, nth(metres, place)]))

const JUMPER = sized(BODY, 380, 520, 800, 1000, 1050, 1100, 1200, 1330, 1470, 1620, 1780, 1950)
const times = (lengths: Lengths, factor: number): Lengths =>
  Object.fromEntries(Object.entries(lengths).map(([size, metres]) => [size, Math.round((metres * factor) / 10) * 10]))

const HEAD: readonly GarmentSize[] = ['BABY', 'CHILD', 'S', 'M', 'L']
const HAND: readonly GarmentSize[] = ['CHILD', 'S', 'M', 'L']
const FOOT: readonly GarmentSize[] = ['CHILD', 'S', 'M', 'L', 'XL']
const SIZE: readonly GarmentSize[] = ['S', 'M', 'L']

/**
 * Metres of yarn for plain knitting at 22 stitches in 10 cm. Estimates, with an allowance for ribs and seams but none
 * for cables, from published sources. Hats, scarves and adults' jumpers follow the yardage table of "Knitting &
 * Crocheting All-in-One For Dummies" (yards by stitches to the inch). Babies', children's and adults' jumpers follow
 * the yards by age and chest that yarn shops hand out, which add 5 % for a cardigan. Flat things (wraps, blankets,
 * cushions) follow a rule of thumb: length × width × gauge / 6, in inches and stitches to the inch, gives generous
 * yards.
 */
const METRES: Record<Garment, Lengths> = {
  HAT: sized(HEAD, 90, 150, 185, 210, 235),
  HEADBAND: sized(HEAD, 40, 60, 75, 85, 95),
  MITTENS: sized(HAND, 90, 140, 165, 195),
  FINGERLESS_MITTS: sized(HAND, 65, 100, 120, 140),
  GLOVES: sized(HAND, 105, 165, 190, 225),
  SOCKS: sized(FOOT, 150, 235, 270, 315, 350),
  ANKLE_SOCKS: sized(FOOT, 100, 160, 185, 215, 240),
  BOOTEES: sized(['BABY'], 50),
  LEG_WARMERS: sized(['CHILD', 'S', 'M', 'L'], 170, 260, 300, 340),
  SCARF: sized(SIZE, 185, 230, 330),
  COWL: sized(SIZE, 130, 200, 330),
  SHAWL: sized(SIZE, 280, 420, 680),
  WRAP: sized(SIZE, 500, 700, 950),
  PONCHO: sized(['CHILD', 'S', 'M', 'L', 'XL'], 420, 700, 800, 900, 1000),
  VEST: times(JUMPER, 0.6),
  TEE: times(JUMPER, 0.72),
  JUMPER,
  CARDIGAN: times(JUMPER, 1.05),
  BLANKET: sized(SIZE, 750, 1500, 2800),
  CUSHION: sized(SIZE, 200, 300, 420),
}

/** The sizes that a garment is estimated in, small to large. */
export const sizesOf = (garment: Garment): GarmentSize[] => GARMENT_SIZES.filter(size => METRES[garment][size])

/** Metres for a garment. Null when it is not made in that size. A thinner yarn takes more metres, in proportion to its stitches. */
export function metresFor(garment: Garment, size: GarmentSize, stitches: number): number | null {
  const metres = METRES[garment][size]
  return metres === undefined ? null : Math.round((metres * stitches) / TABLE_STITCHES)
}

/** The usual stitches in 10 cm for each class: the middle of the range that the Craft Yarn Council gives. */
export const USUAL_STITCHES: Record<WeightClassName, number> = {
  LACE: 36,
  FINGERING: 29.5,
  SPORT: 24.5,
  DK: 22.5,
  WORSTED: 18,
  BULKY: 13.5,
  SUPER_BULKY: 9,
  JUMBO: 6,
}

const ONE_OF: Record<Garment, string> = {
  HAT: 'A hat',
  HEADBAND: 'A headband',
  MITTENS: 'A pair of mittens',
  FINGERLESS_MITTS: 'A pair of fingerless mitts',
  GLOVES: 'A pair of gloves',
  SOCKS: 'A pair of socks',
  ANKLE_SOCKS: 'A pair of ankle socks',
  BOOTEES: 'A pair of bootees',
  LEG_WARMERS: 'A pair of leg warmers',
  SCARF: 'A scarf',
  COWL: 'A cowl',
  SHAWL: 'A shawl',
  WRAP: 'A wrap',
  PONCHO: 'A poncho',
  VEST: 'A vest',
  TEE: 'A short-sleeved top',
  JUMPER: 'A jumper',
  CARDIGAN: 'A cardigan',
  BLANKET: 'A blanket',
  CUSHION: 'A cushion',
}

/** "A pair of socks". */
export const oneOf = (garment: Garment) => ONE_OF[garment]

/** "Socks", as in a list to choose from. */
export const garmentLabel = (garment: Garment) => {
  const name = ONE_OF[garment].replace(/^A (?:pair of )?/, '')
  return name.charAt(0).toUpperCase() + name.slice(1)
}

const PEOPLE: Record<GarmentSize, string> = {
  BABY: 'baby',
  TODDLER: 'toddler',
  CHILD: 'child',
  TEEN: 'teen',
  XS: 'XS',
  S: 'S',
  M: 'M',
  L: 'L',
  XL: 'XL',
  XXL: '2XL',
  XXXL: '3XL',
  XXXXL: '4XL',
}
const WITHOUT_A_BODY: Partial<Record<GarmentSize, string>> = { S: 'small', M: 'medium', L: 'large' }
const FLAT: readonly Garment[] = ['SCARF', 'COWL', 'SHAWL', 'WRAP', 'BLANKET', 'CUSHION']

/** "2XL", or "medium" for flat things, which do not depend on anybody's size. */
export const sizeLabel = (garment: Garment, size: GarmentSize) =>
  (FLAT.includes(garment) ? WITHOUT_A_BODY[size] : undefined) ?? PEOPLE[size]
