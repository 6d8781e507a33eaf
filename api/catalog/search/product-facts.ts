import { metresPer100g, readGrams, readMetres } from '#schema/rules/facts/amounts'
import { readCare, type Care } from '#schema/rules/facts/care'
import { colourFamiliesOf, type ColourFamily } from '#schema/rules/facts/colour-family'
import { readFibres, type FibreName } from '#schema/rules/facts/fibres'
import { readKind, type Kind } from '#schema/rules/facts/kind'
import type { Range } from '#schema/rules/facts/spelling'
import { readHookSizes, readNeedleSizes } from '#schema/rules/facts/tool-sizes'
import { readWeightClass, type WeightClass } from '#schema/rules/facts/weight-class'

/** The texts that facts are read from. */
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

/** What products are chosen by. What the texts do not say is null or empty. */
export interface ProductFacts extends Care {
  kind: Kind | null
  weightClass: WeightClass | null
  metres: number | null
  metresPer100g: number | null
  fibres: FibreName[]
  colours: ColourFamily[]
  /** A range stands for every size in it. */
  needleMm: number[]
  hookMm: number[]
}

/** Every metric size that needles and hooks are made in. */
const SIZES = [
  0.5, 0.6, 0.75, 0.9, 1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 2.75, 3, 3.25, 3.5, 3.75, 4, 4.25, 4.5, 5, 5.5, 6, 6.5, 7, 7.5,
  8, 9, 10, 12, 12.75, 15, 16, 19, 20, 25, 30, 35, 40,
]

const sizesIn = (ranges: readonly Range[] | null) =>
  [
    ...new Set((ranges ?? []).flatMap(({ from, to }) => [from, ...SIZES.filter(size => size > from && size < to), to])),
  ].toSorted((a, b) => a - b)

export function factsOf(product: BandTexts): ProductFacts {
  const kind = readKind(product)
  const ofYarn = kind === 'YARN' || kind === 'KIT'
  return {
    kind,
    weightClass: kind === 'YARN' ? readWeightClass(product.category) : null,
    metres: ofYarn ? readMetres(product.length, readGrams(product.weight)) : null,
    metresPer100g: ofYarn ? metresPer100g(product.weight, product.length) : null,
    fibres: ofYarn ? (readFibres(product.content) ?? []).flatMap(({ fibre }) => fibre ?? []) : [],
    ...(ofYarn ? readCare(product.recommendedCare, product.content) : { washing: null, superwash: null }),
    colours: colourFamiliesOf(product),
    needleMm: sizesIn(readNeedleSizes(product.knittingNeedle)),
    hookMm: sizesIn(readHookSizes(product.crochetHook)),
  }
}
