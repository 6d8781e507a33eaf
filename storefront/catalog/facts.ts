const THIN = '\u2009'

/** Kinds of supply that are not a yarn weight; see `Product.category`. */
const SUPPLIES = new Set(['Needles', 'Crochet Hooks', 'Notions', 'Kits', 'Patterns'])

export const isYarn = ({ category }: { category: string }) => !SUPPLIES.has(category)

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
