import type { Swatch } from '../../api/db/seed/swatches.ts'

/** How many units of the studio a centimetre is. */
const CM = 1 / 5.5
/** How wide the part is that the picture of a swatch shows. */
const FRAME = 12 * CM
const MARKED = 10 * CM
/** How thick worsted yarn is, the same as in the other pictures. */
const WORSTED = 0.047

/** Where everything is in the picture of a swatch, in units from its middle. knit.py follows it. */
export interface SwatchPlan {
  frame: number
  stitch: number
  row: number
  diameter: number
  /** Where the ruler's marks 0 and 10 are; a stitch begins at the first. */
  zero: number
  ten: number
  ruler: { length: number; height: number; y: number }
  /** The length of yarn after which hand-dyed colours repeat: once round the skein. */
  loop: number
}

export function swatchPlan({ stitches, rows, strand }: Swatch): SwatchPlan {
  const stitch = MARKED / stitches
  return {
    frame: FRAME,
    stitch,
    row: MARKED / rows,
    // Lace is open and the thickest yarn is squeezed, as the choice of needles makes them.
    diameter: Math.min(Math.max(WORSTED * strand, 0.28 * stitch), 0.48 * stitch),
    zero: -MARKED / 2,
    ten: MARKED / 2,
    ruler: { length: 11.2 * CM, height: 2 * CM, y: 2.7 * CM },
    loop: 160 * CM,
  }
}

/** How many stitches lie between the ruler's marks 0 and 10, counted one by one from the left edge of the picture. */
export function stitchesUnderRuler({ frame, stitch, zero, ten }: SwatchPlan): number {
  const first = Math.ceil((-frame / 2 - zero) / stitch)
  let count = 0
  for (let n = first; zero + n * stitch < frame / 2; n++) {
    const [begins, ends] = [zero + n * stitch, zero + (n + 1) * stitch]
    if (begins > zero - stitch / 1_000 && ends < ten + stitch / 1_000) count++
  }
  return count
}
