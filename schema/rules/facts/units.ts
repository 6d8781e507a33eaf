import type { Range } from './spelling.ts'
import { rounded } from './rounded.ts'
import { usSize } from './us-sizes.ts'

/** How measures are written: metric, or as in the United States. */
export const UNITS = ['METRIC', 'US'] as const

export type Units = (typeof UNITS)[number]

const METRES_IN_A_YARD = 0.9144

export const metresOfYards = (yards: number) => yards * METRES_IN_A_YARD
export const yardsOfMetres = (metres: number) => metres / METRES_IN_A_YARD

/** "1,260 m" or "1,378 yd", rounded to a whole number. */
export const lengthWords = (metres: number, units: Units) =>
  units === 'METRIC'
    ? `${Math.round(metres).toLocaleString('en-US')} m`
    : `${Math.round(yardsOfMetres(metres)).toLocaleString('en-US')} yd`

const GRAMS_IN_AN_OUNCE = 28.3495

/** "100 g" or "3.5 oz", ounces to a tenth. */
export const weightWords = (grams: number, units: Units) =>
  units === 'METRIC'
    ? `${rounded(grams, 10).toLocaleString('en-US')} g`
    : `${rounded(grams / GRAMS_IN_AN_OUNCE, 10).toLocaleString('en-US')} oz`

const span = ({ from, to }: Range) => (from === to ? String(from) : `${from}–${to}`)

/** "22 sts × 30 rows in 10 cm"; knitters treat 10 cm and 4 inches as the same. */
export function gaugeWords(stitches: Range | null, rows: Range | null, units: Units): string | null {
  const parts = [stitches && `${span(stitches)} sts`, rows && `${span(rows)} rows`].filter(Boolean)
  return parts.length === 0 ? null : `${parts.join(' × ')} in ${units === 'METRIC' ? '10 cm' : '4 in'}`
}

/** "3.5–4 mm" or "US 4–6"; in millimetres if one of the sizes is not a US size. */
export function toolWords(sizes: readonly Range[], tool: 'NEEDLE' | 'HOOK', units: Units): string | null {
  if (sizes.length === 0) return null
  const named = units === 'US' ? sizes.map(({ from, to }) => [usSize(from, tool), usSize(to, tool)] as const) : []
  if (units === 'US' && named.every(([from, to]) => from !== null && to !== null))
    return `US ${named.map(([from, to]) => (from === to ? from : `${from}–${to}`)).join(', ')}`
  return `${sizes.map(span).join(', ')} mm`
}
