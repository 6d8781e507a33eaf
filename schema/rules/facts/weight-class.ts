import { spelled } from './spelling.ts'
import { onlyOf } from '../present.ts'

/** By the Craft Yarn Council: 0 lace, 1 super fine, 2 fine, 3 light, 4 medium, 5 bulky, 6 super bulky, 7 jumbo. */
export type WeightClass = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7

/**
 * Every name in use, longer ones first: a "light worsted" is not a worsted. "Baby" and "roving" are left out: each
 * names two classes.
 */
const NAMES: readonly (readonly [WeightClass, RegExp])[] = [
  [7, /\bjumbo\b|\b(?:ultra|mega|extreme|giant)[ -]?(?:bulky|chunky)\b/g],
  [6, /\b(?:super|extra)[ -]?(?:bulky|chunky)\b/g],
  [5, /\bbulky\b|\bchunky\b|\b12[ -]?ply\b/g],
  [3, /\blight[ -]?worsted\b|\bdk\b|\bdouble[ -]?knit(?:ting)?\b|\b8[ -]?ply\b/g],
  [4, /\bworsted\b(?![ -]?spun)|\baran\b|\bafghan\b|\b10[ -]?ply\b/g],
  [2, /\bsport(?:[ -]?weight)?\b|\b5[ -]?ply\b/g],
  [0, /\blace(?:[ -]?weight)?\b|\bcobweb\b|\bgossamer\b|\bcrochet thread\b|\b[12][ -]?ply\b/g],
  [1, /\bfingering\b|\bsock(?:[ -]?weight)?\b|\b[34][ -]?ply\b|\bsuper[ -]fine\b/g],
]

/** Names that are also common words: they count only when the text says nothing else. */
const PLAIN: Record<string, WeightClass> = {
  'super fine': 1,
  superfine: 1,
  fine: 2,
  light: 3,
  medium: 4,
  'double knitting': 3,
}

/** The class that a category or a yarn's name states. Null when it states none, or more than one. */
export function readWeightClass(text: string): WeightClass | null {
  let rest = spelled(text)
  if (rest === null) return null
  const plain = PLAIN[rest.replace(/ ?\(?\b[0-7]\b\)?|[-:#]| weight$/g, '').trim()]
  const numbered = /(?:\bcyca?|\bcategory|\bweight|\bclass) ?(?:class|weight|category)? ?#? ?\(?([0-7])(?![\d.])/.exec(
    rest,
  )?.[1]
  const found = new Set<WeightClass>([
    ...(plain === undefined ? [] : [plain]),
    ...(numbered === undefined ? [] : [Number(numbered) as WeightClass]),
  ])
  for (const [weight, names] of NAMES) {
    const without: string = rest.replaceAll(names, ' ')
    if (without !== rest) found.add(weight)
    rest = without
  }
  return onlyOf([...found]) ?? null
}
