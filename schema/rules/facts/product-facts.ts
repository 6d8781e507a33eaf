import { metresPer100g, readGrams, readMetres } from './amounts.ts'
import { readCare, type Care } from './care.ts'
import { colourFamiliesOf } from './colour-family.ts'
import { type ColourFamily, type Kind, WEIGHT_CLASSES, type WeightClassName } from './shelf-names.ts'
import { readFibres, type Fibre } from './fibres.ts'
import { readGauge } from './gauge.ts'
import { readKind } from './kind.ts'
import type { Range } from './spelling.ts'
import { rounded } from './rounded.ts'
import { readHookSizes, readNeedleSizes } from './tool-sizes.ts'
import { readWeightClass } from './weight-class.ts'

/** The texts of a product that facts are read from. */
export interface BandTexts {
  name: string
  description: string
  weight: string
  length: string
  gauge: string
  knittingNeedle: string
  crochetHook: string
  recommendedCare: string
  content: string
  category: string
}

/** The facts by which products are compared and chosen. A fact that the texts do not give is null or empty. */
export interface ProductFacts extends Care {
  kind: Kind | null
  weightClass: WeightClassName | null
  /** Of one unit as sold. */
  grams: number | null
  /** Of one unit as sold. */
  metres: number | null
  metresPer100g: number | null
  fibres: Fibre[]
  /** In 10 cm. */
  stitches: Range | null
  /** In 10 cm. */
  rows: Range | null
  /** Millimetres. */
  needles: Range[]
  /** Millimetres. */
  hooks: Range[]
  /** At most three, the one with the largest share first. */
  colours: Colour[]
  /** Every family the product is found under, the most fitting one first. */
  colourFamilies: ColourFamily[]
}

export interface Colour {
  /** `#rrggbb`, lower case. */
  hex: string
  family: ColourFamily
}

/** The colours seen in a picture. */
export interface PictureColours {
  /** Address of the picture. */
  image: string
  /** Version of the method that read the picture; a picture read by an older version is read again. */
  reading: number
  colours: Colour[]
  /** Of the picture as a whole. */
  family: ColourFamily
}

/** The facts that can be set by hand; all others follow from them. */
export const CORRECTABLE = [
  'kind',
  'weightClass',
  'grams',
  'metres',
  'fibres',
  'washing',
  'superwash',
  'stitches',
  'rows',
  'needles',
  'hooks',
  'colours',
  'colourFamilies',
] as const satisfies readonly (keyof ProductFacts)[]

export type Correctable = (typeof CORRECTABLE)[number]

/** Facts set by hand; null or empty means not known. Facts left out stay as they were read. */
export type FactCorrections = Partial<Pick<ProductFacts, Correctable>>

/** The facts of a product: as its texts say and its picture shows, unless an administrator says otherwise. */
export function factsOf(
  texts: BandTexts,
  corrections: FactCorrections = {},
  picture: PictureColours | null = null,
): ProductFacts {
  const kind = corrections.kind === undefined ? readKind(texts) : corrections.kind
  // The picture of a pattern or a gift card shows paper, and what one could make of any colour.
  const seen = kind === 'PATTERN' || kind === 'GIFT_CARD' ? null : picture
  const ofYarn = kind === 'YARN' || kind === 'KIT'
  const weight = kind === 'YARN' ? readWeightClass(texts.category) : null
  const gauge = ofYarn || kind === 'PATTERN' ? readGauge(texts.gauge) : null
  const byHand = Object.fromEntries(
    Object.entries(corrections).filter(([, value]) => value !== undefined),
  ) as FactCorrections
  const facts = {
    kind,
    weightClass: weight === null ? null : WEIGHT_CLASSES[weight],
    grams: ofYarn ? readGrams(texts.weight) : null,
    metres: ofYarn ? readMetres(texts.length, corrections.grams ?? readGrams(texts.weight)) : null,
    fibres: ofYarn ? (readFibres(texts.content) ?? []) : [],
    ...(ofYarn ? readCare(texts.recommendedCare, texts.content) : { washing: null, superwash: null }),
    stitches: gauge?.stitches ?? null,
    rows: gauge?.rows ?? null,
    needles: readNeedleSizes(texts.knittingNeedle) ?? [],
    hooks: readHookSizes(texts.crochetHook) ?? [],
    colours: seen?.colours ?? [],
    colourFamilies: familiesOf(texts, corrections.colours ?? seen?.colours ?? [], corrections.colours ? null : seen),
    ...byHand,
  }
  const asRead = corrections.grams === undefined && corrections.metres === undefined
  return {
    ...facts,
    metresPer100g:
      asRead && ofYarn
        ? metresPer100g(texts.weight, texts.length)
        : facts.metres === null || !facts.grams
          ? null
          : rounded((facts.metres / facts.grams) * 100, 10),
  }
}

/** What the picture shows comes before what the words say: it is what shoppers see. */
function familiesOf(texts: BandTexts, colours: readonly Colour[], seen: PictureColours | null): ColourFamily[] {
  return [
    ...new Set([...(seen ? [seen.family] : []), ...colours.map(({ family }) => family), ...colourFamiliesOf(texts)]),
  ]
}

/** Every metric size that needles and hooks are made in. */
const SIZES = [
  0.5, 0.6, 0.75, 0.9, 1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 2.75, 3, 3.25, 3.5, 3.75, 4, 4.25, 4.5, 5, 5.5, 6, 6.5, 7, 7.5,
  8, 9, 10, 12, 12.75, 15, 16, 19, 20, 25, 30, 35, 40,
]

/** Every size in millimetres that the ranges mean: a range stands for all standard sizes in it. */
export const sizesIn = (ranges: readonly Range[]) =>
  [
    ...new Set(ranges.flatMap(({ from, to }) => [from, ...SIZES.filter(size => size > from && size < to), to])),
  ].toSorted((a, b) => a - b)
