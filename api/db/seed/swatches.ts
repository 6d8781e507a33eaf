import { readGauge } from '#schema/rules/facts/gauge'
import { present } from '#schema/rules/present'
import type { SampleProduct } from './catalogue.ts'

/** A knitted swatch that was photographed undyed, for the yarns that knit up like it. */
export interface Swatch {
  /** In 10 cm. */
  stitches: number
  /** In 10 cm. */
  rows: number
  /** As a yarn's own; see `Picture`. */
  strand: number
  fuzz: number
  plies: number
}

export const swatches: readonly Swatch[] = [
  { stitches: 4, rows: 5, strand: 3.2, fuzz: 0.5, plies: 1 },
  { stitches: 9, rows: 11, strand: 2.3, fuzz: 0.03, plies: 3 },
  { stitches: 10, rows: 13.5, strand: 2.3, fuzz: 0.35, plies: 2 },
  { stitches: 13, rows: 17, strand: 1.6, fuzz: 0.6, plies: 2 },
  { stitches: 14, rows: 19, strand: 1.6, fuzz: 0.35, plies: 3 },
  { stitches: 17, rows: 23, strand: 1.15, fuzz: 0.55, plies: 2 },
  { stitches: 18, rows: 25, strand: 1.15, fuzz: 0.27, plies: 3 },
  { stitches: 19, rows: 26, strand: 1, fuzz: 0.13, plies: 4 },
  { stitches: 19, rows: 26, strand: 1, fuzz: 0.37, plies: 3 },
  { stitches: 21, rows: 28, strand: 0.85, fuzz: 0.12, plies: 3 },
  { stitches: 22, rows: 29.5, strand: 0.85, fuzz: 0.12, plies: 4 },
  { stitches: 22, rows: 29.5, strand: 0.85, fuzz: 0.42, plies: 2 },
  { stitches: 22, rows: 30, strand: 0.45, fuzz: 1, plies: 2 },
  { stitches: 24, rows: 32, strand: 0.7, fuzz: 0.12, plies: 3 },
  { stitches: 25, rows: 33, strand: 0.7, fuzz: 0.1, plies: 4 },
  { stitches: 25, rows: 33.5, strand: 0.7, fuzz: 0.35, plies: 2 },
  { stitches: 28, rows: 36, strand: 0.6, fuzz: 0.1, plies: 2 },
  { stitches: 28, rows: 37, strand: 0.6, fuzz: 0.35, plies: 2 },
  { stitches: 29, rows: 34, strand: 0.6, fuzz: 0.45, plies: 2 },
  { stitches: 30, rows: 41, strand: 0.45, fuzz: 0.3, plies: 2 },
  { stitches: 31, rows: 42, strand: 0.6, fuzz: 0.15, plies: 3 },
  { stitches: 33, rows: 45, strand: 0.45, fuzz: 0.3, plies: 2 },
]

/** Of the swatches within a yarn's gauge, the one most like it. Null for what is not yarn. */
export function swatchOf({ gauge, picture }: Pick<SampleProduct, 'gauge' | 'picture'>): Swatch | null {
  const { stitches } = readGauge(gauge) ?? {}
  if (!stitches || picture.strand === undefined || picture.shape === 'kit-box') return null
  const unlike = ({ strand, fuzz }: Swatch) =>
    Math.abs(Math.log(present(picture.strand) / strand)) * 2 + Math.abs((picture.fuzz ?? 0.2) - fuzz)
  const [nearest] = swatches
    .filter(swatch => swatch.stitches >= stitches.from && swatch.stitches <= stitches.to)
    .toSorted((a, b) => unlike(a) - unlike(b))
  return nearest ?? null
}
