import { lengthWords, metresOfYards, type Units } from './facts/units.ts'
import type { ProductFacts } from './facts/product-facts.ts'
import { WEIGHT_CLASSES, type WeightClassName } from './facts/shelf-names.ts'
import { limits } from './limits.ts'
import { metresFor, oneOf, sizeLabel, USUAL_STITCHES, type Garment, type GarmentSize } from './garments.ts'

/** Spare yarn in percent: for a swatch, a looser hand, an end woven in. */
const MARGIN = 10

/** No pattern takes more metres. */
export const MOST_METRES = 100_000
/** The fewest and the most stitches in 10 cm that anybody knits. */
export const LEAST_STITCHES = 3
export const MOST_STITCHES = 60

/** What is to be knitted: the metres or yards of a pattern, or a garment. Exactly one of the three is given. */
export interface Project {
  metres?: number | null
  yards?: number | null
  garment?: { garment: Garment; size: GarmentSize; stitches?: number | null } | null
}

type YarnFacts = Pick<ProductFacts, 'metres' | 'stitches' | 'weightClass'>

export interface Skeins {
  /** What the project takes, without the margin. */
  metres: number
  metresWithMargin: number
  /** Of one skein. */
  metresPerSkein: number
  skeins: number
  /** The stitches in 10 cm used in the calculation. Null for a pattern's length. */
  stitches: number | null
}

/** Stitches in 10 cm of a yarn: as its band says (the middle of a range), otherwise as usual for its weight. */
export function stitchesOf({ stitches, weightClass }: Omit<YarnFacts, 'metres'>): number | null {
  if (stitches) return (stitches.from + stitches.to) / 2
  return weightClass === null ? null : USUAL_STITCHES[weightClass]
}

/** The two weights of yarn whose usual gauge is nearest to so many stitches in 10 cm, the nearer first. */
export function usualWeights(stitches: number): WeightClassName[] {
  const far = (name: WeightClassName) => Math.abs(Math.log(USUAL_STITCHES[name] / stitches))
  return WEIGHT_CLASSES.toSorted((one, other) => far(one) - far(other)).slice(0, 2)
}

/** How many skeins a length takes with the margin, rounded up. */
export function skeinsOf(metres: number, metresPerSkein: number): number {
  // Rounded first: in floating point 1.1 × 10 is slightly more than 11, which would make twelve skeins.
  return Math.max(1, Math.ceil(Math.round((metres * (100 + MARGIN) * 1_000) / metresPerSkein) / 100_000))
}

/**
 * How many skeins of a yarn a project takes. Null when the length of a skein or its gauge is not known, and when it
 * takes more than any shelf holds.
 */
export function skeinsFor(project: Project, yarn: YarnFacts): Skeins | null {
  if (!yarn.metres) return null
  const stitches = project.garment ? (project.garment.stitches ?? stitchesOf(yarn)) : null
  const metres = metresOf(project, stitches)
  if (metres === null) return null
  const skeins = skeinsOf(metres, yarn.metres)
  if (skeins > limits.stock) return null
  return {
    metres,
    metresWithMargin: (metres * (100 + MARGIN)) / 100,
    metresPerSkein: yarn.metres,
    skeins,
    stitches,
  }
}

function metresOf({ metres, yards, garment }: Project, stitches: number | null): number | null {
  if (metres != null) return metres
  if (yards != null) return metresOfYards(yards)
  return garment && stitches !== null ? metresFor(garment.garment, garment.size, stitches) : null
}

/** The calculation in one sentence. */
export function explainSkeins(
  { garment }: Project,
  { metres, metresWithMargin, metresPerSkein, skeins, stitches }: Skeins,
  units: Units = 'METRIC',
): string {
  const length = (each: number) => lengthWords(each, units)
  const takes =
    garment && stitches !== null
      ? `${oneOf(garment.garment)} (${sizeLabel(garment.garment, garment.size)}) at ${rounded(stitches)} stitches in ${units === 'METRIC' ? '10 cm' : '4 inches'} takes about ${length(metres)}`
      : `Your pattern takes ${length(metres)}`
  return `${takes}; with ${MARGIN}% to spare that is ${length(metresWithMargin)}, and one skein has ${length(metresPerSkein)}, so you need ${counted(skeins)}.`
}

/** "1 skein", "7 skeins". */
export const counted = (skeins: number) => `${skeins.toLocaleString('en-US')} ${skeins === 1 ? 'skein' : 'skeins'}`

const rounded = (stitches: number) => Math.round(stitches * 10) / 10
