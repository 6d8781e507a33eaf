import { readGrams, readMetres } from './amounts.ts'
import type { Kind } from './shelf-names.ts'
import { spelled } from './spelling.ts'
import { readWeightClass } from './weight-class.ts'

/** Tried in this order, so that a needle gauge is not taken for a needle, a sock kit for sock yarn, or the holder of a pattern for one. */
const WORDS: readonly (readonly [Kind, RegExp])[] = [
  ['GIFT_CARD', /\bgift[ -]?(?:cards?|certificates?|vouchers?)\b(?! (?:holder|sleeve|envelope|box)(?:e?s)?\b)/],
  ['KIT', /\bkits?\b/],
  ['PATTERN', /\bpatterns?\b(?! (?:holder|keeper|stand|sleeve|weight|magnet)s?\b)|\bbooks?\b|\bleaflets?\b/],
  [
    'NOTION',
    /\bnotions?\b|\baccessor(?:y|ies)\b|\b(?:darning|tapestry|cable|sewing|felting|yarn) needles?\b|\b(?:needle|hook) (?:gauge|sizer|case|roll|holder|stoppers?|organi[sz]er)s?\b|\bmarkers?\b|\bscissors\b|\bsnips\b|\btape measures?\b|\bcounters?\b|\bwool[ -]?wash\b|\bbags?\b|\bbuttons?\b|\bblocking\b|\brulers?\b|\bpom[ -]?pom makers?\b|\bwinders?\b|\bswifts?\b|\bbobbins?\b|\bstitch holders?\b|\bpattern (?:holder|keeper|stand|sleeve|weight|magnet)s?\b/,
  ],
  ['HOOK', /\b(?:crochet )?hooks?\b/],
  ['NEEDLES', /\bneedles?\b|\bdpns?\b|\bcirculars?\b|\binterchangeables?\b|\bdouble[ -]pointeds?\b/],
  ['YARN', /\byarns?\b|\bskeins?\b|\bhanks?\b|\bwools?\b|\broving\b/],
]

/** Read from the category, then the name, then from what only yarn has: grams and metres. Null when none of them says. */
export function readKind({
  category,
  name,
  weight,
  length,
}: {
  category: string
  name: string
  weight: string
  length: string
}): Kind | null {
  return (
    byWords(category) ??
    (readWeightClass(category) === null ? byWords(name) : 'YARN') ??
    (readGrams(weight) !== null && readMetres(length) !== null ? 'YARN' : null)
  )
}

function byWords(text: string): Kind | null {
  const words = spelled(text)
  return words === null ? null : (WORDS.find(([, pattern]) => pattern.test(words))?.[0] ?? null)
}
