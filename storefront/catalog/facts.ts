import type { ProductKind } from '../generated/types.ts'

const THIN = '\u2009'

interface Known {
  facts: { kind: ProductKind | null }
}

export const isYarn = ({ facts }: Known) => facts.kind === 'YARN'

/** Whether a knitter compares its figures: those of a kit are many, and those of tools are their names. */
export const isCompared = (product: Known) => isYarn(product) || product.facts.kind === 'PATTERN'

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
