import type { ColourFamily, FibreName } from './facts/shelf-names.ts'
import type { Fibre } from './facts/fibres.ts'
import { readFibres } from './facts/fibres.ts'
import type { ProductFacts } from './facts/product-facts.ts'
import { readWeightClass } from './facts/weight-class.ts'
import { lastOf } from './present.ts'
import { skeinsOf, stitchesOf } from './skeins.ts'

export type YarnFacts = Pick<
  ProductFacts,
  'weightClass' | 'metresPer100g' | 'stitches' | 'fibres' | 'washing' | 'superwash' | 'colourFamilies'
>

/** Groups of fibres that behave alike. A fibre of the same group counts half as much as the same fibre. */
const KINDS: Partial<Record<FibreName, string>> = Object.fromEntries(
  Object.entries({
    wool: 'MERINO BLUEFACED_LEICESTER CORRIEDALE ROMNEY SHETLAND JACOB POLWARTH FALKLAND ICELANDIC LAMBSWOOL WOOL',
    hair: 'ALPACA LLAMA MOHAIR CASHMERE ANGORA YAK CAMEL QIVIUT POSSUM',
    plant: 'COTTON LINEN HEMP NETTLE RAMIE JUTE',
    cellulose: 'BAMBOO LYOCELL MODAL VISCOSE',
    synthetic: 'NYLON POLYESTER ACRYLIC ELASTANE METALLIC',
  }).flatMap(([kind, names]) => names.split(' ').map(name => [name, kind])),
)

/** A fact that is not known for one of two yarns makes them neither more nor less alike. */
const UNKNOWN = 0.5

/** How alike the fibres of two yarns are, from 0 to 1. */
export function fibreLikeness(one: readonly Fibre[], other: readonly Fibre[]): number {
  if (one.length === 0 || other.length === 0) return UNKNOWN
  const [shares, others] = [sharesOf(one), sharesOf(other)]
  const same = overlap(shares, others)
  return same + (overlap(byKind(shares), byKind(others)) - same) / 2
}

function sharesOf(fibres: readonly Fibre[]): Map<string, number> {
  const shares = new Map<string, number>()
  for (const { fibre, percent } of fibres)
    if (fibre) shares.set(fibre, (shares.get(fibre) ?? 0) + (percent ?? 100 / fibres.length) / 100)
  return shares
}

function byKind(shares: ReadonlyMap<string, number>): Map<string, number> {
  const kinds = new Map<string, number>()
  for (const [fibre, share] of shares) {
    const kind = KINDS[fibre as FibreName] ?? fibre
    kinds.set(kind, (kinds.get(kind) ?? 0) + share)
  }
  return kinds
}

const overlap = (one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>) =>
  Array.from(one, ([name, share]) => Math.min(share, other.get(name) ?? 0)).reduce((sum, share) => sum + share, 0)

/** How far one yarn is from another as a knitter sees it: 0 for the same, about 1 for one with a different fabric. */
export function distance(one: YarnFacts, other: YarnFacts): number {
  const [stitches, others] = [stitchesOf(one), stitchesOf(other)]
  return (
    (one.weightClass === other.weightClass ? 0 : 1) +
    (stitches && others ? 4 * Math.abs(Math.log(stitches / others)) : UNKNOWN) +
    (one.metresPer100g && other.metresPer100g ? Math.abs(Math.log(one.metresPer100g / other.metresPer100g)) : UNKNOWN) +
    0.6 * (1 - fibreLikeness(one.fibres, other.fibres)) +
    (one.washing === other.washing ? 0 : 0.15) +
    (one.superwash === other.superwash ? 0 : 0.15) +
    (sharesColour(one.colourFamilies, other.colourFamilies) ? 0 : 0.05)
  )
}

const sharesColour = (one: readonly ColourFamily[], other: readonly ColourFamily[]) =>
  one.some(family => other.includes(family))

/** "Ninepin Sock" of "Ninepin Sock in Marmalade": what its colourways have in common. */
export function lineOf(name: string): string {
  const at = name.lastIndexOf(' in ')
  return at > 0 ? name.slice(0, at) : name
}

/** "Ninepin" of "Ninepin Sock": what knitters call it, without words for its weight and fibre. */
export function shortLineOf(name: string): string {
  const words = lineOf(name).split(/\s+/)
  while (words.length > 1 && (readWeightClass(lastOf(words)) !== null || readFibres(lastOf(words)) !== null))
    words.pop()
  return words.join(' ')
}

interface Priced {
  /** Cents for one unit. */
  price: number
  metres: number
}

/**
 * What it takes and costs to knit a project in another yarn. Without `metres` it replaces the length of one unit of
 * the yarn, and adds no margin.
 */
export function inPlaceOf(
  yarn: Priced,
  other: Priced,
  metres: number | null,
): { skeins: number; price: number; costsMore: number } {
  const needed = (each: number) =>
    metres === null ? Math.max(1, Math.ceil(yarn.metres / each)) : skeinsOf(metres, each)
  const skeins = needed(other.metres)
  const price = skeins * other.price
  return { skeins, price, costsMore: price - needed(yarn.metres) * yarn.price }
}
