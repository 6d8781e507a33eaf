import { metresOf } from '#schema/rules/yarn'

const THIN = '\u2009'

/** Kinds of supply that are not a yarn weight; see `Product.category`. */
const SUPPLIES = new Set(['Needles', 'Crochet Hooks', 'Notions', 'Kits'])

export const isYarn = ({ category }: { category: string }) => !SUPPLIES.has(category)

/** "400 m" of "400 m (437 yd)". Null when the text names no metres. */
export function metres(length: string): string | null {
  const found = metresOf(length)
  return found === null ? null : `${found.toLocaleString('en-US')}${THIN}m`
}

/** "4.5 mm" of "4.5 mm (US 7)". Null when there are no millimetres. */
export function millimetres(tool: string): string | null {
  const found = /(\d{1,6}(?:\.\d{1,6})?)\s{0,9}mm/i.exec(tool)
  return found ? `${Number(found[1])}${THIN}mm` : null
}

/** A thin space between a figure and its unit, as in a well-set book. */
export function typeset(text: string): string {
  return text
    .replaceAll(/(\d) (g|kg|oz|m|yd|cm|mm|ml)\b/g, `$1${THIN}$2`)
    .replaceAll(/(\d) × (\d)/g, `$1${THIN}×${THIN}$2`)
}

/** "Ninepin Sock in Marmalade": the line of yarn and its colourway. */
export function splitName(name: string): [line: string, colourway: string | null] {
  const at = name.lastIndexOf(' in ')
  return at > 0 ? [name.slice(0, at), name.slice(at + 1)] : [name, null]
}
