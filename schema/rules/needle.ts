import { readNeedleSizes } from './facts/tool-sizes.ts'

/** The fewest and the most stitches in 10 cm that anybody knits: arm knitting, and lace on wires. */
export const GAUGE = { min: 1, max: 80 } as const

/** One needle in mm, as knitters write it: "4.5", "4,5 mm", "US 7", "UK 7". Null for no size, or several. */
export function readNeedle(typed: string): number | null {
  const text = typed.trim()
  const [range, ...others] = readNeedleSizes(/^\d{1,2}(?:[.,]\d{1,2})?$/.test(text) ? `${text} mm` : text) ?? []
  return range && others.length === 0 && range.from === range.to && range.from > 0 ? range.from : null
}
