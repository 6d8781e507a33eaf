const UNITS: [RegExp, string][] = [
  [/(\d) ?(?:millimet(?:re|er)s?|mm)\b/g, '$1mm'],
  [/(\d) ?(?:centimet(?:re|er)s?|cms?)\b/g, '$1cm'],
  [/(\d) ?(?:kilograms?|kilos?|kg)\b/g, '$1kg'],
  [/(\d) ?(?:grams?|grammes?|gr|g)\b/g, '$1g'],
  [/(\d) ?(?:met(?:re|er)s?|m)\b/g, '$1m'],
  [/(\d) ?(?:yards?|yds?)\b/g, '$1yd'],
  [/(\d) ?(?:ounces?|oz)\b/g, '$1oz'],
  [/(\d)[ -]?ply\b/g, '$1ply'],
  [/(\d) ?%/g, '$1pct'],
  [/\bus[ -]?(?:size )?(?=\d)/g, 'us'],
  [/(?:\bsize |#)(?=\d{1,2}(?:\.5)?\b(?! ?mm))/g, 'us'],
]
const PLIES: Record<string, string> = { two: '2', four: '4', five: '5', eight: '8', ten: '10', twelve: '12' }

/**
 * The words of a text, as documents and keywords are compared: small letters without accents, figures with their unit
 * as one word (`4.0 mm` is `4mm`, `US 10½` is `us10p5`). What PostgreSQL would read as more than a word is none here.
 */
export function wordsOf(text: string): string[] {
  return spaced(text).split(' ').filter(Boolean)
}

/** What is written with a hyphen is also looked for in one: `t-shirt`, `H-8`, `ninepin-marmalade`. */
export function joinedWordsOf(text: string): string[] {
  return [...plain(text).matchAll(/[a-z0-9]+(?:[-/][a-z0-9]+)+/g)]
    .map(([word]) => word.replaceAll(/[-/]/g, ''))
    .filter(word => word.length <= MOST_LETTERS)
}

/** Of one word; a longer one is cut by nobody who types it. */
export const MOST_LETTERS = 100

const FRACTIONS: Record<string, string> = { '½': '.5', '¼': '.25', '¾': '.75' }

/** Decimals as decimals; a comma before three figures parts thousands. */
const plainNumbers = (text: string) =>
  text
    .replaceAll(/(\d?)([½¼¾])/g, (_, whole: string, part: string) => `${whole || '0'}${FRACTIONS[part]}`)
    .replaceAll(/(\d),(\d{1,2})(?!\d)/g, '$1.$2')
    .replaceAll(/(\d),(\d{3})(?!\d)/g, '$1$2')

function plain(text: string): string {
  return plainNumbers(text.normalize('NFC'))
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/['’‘]/g, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .replaceAll('œ', 'oe')
    .replaceAll('ł', 'l')
}

function spaced(text: string): string {
  let words = plain(text)
    .replaceAll(/\bnon[- ]superwash\b/g, 'nonsuperwash')
    .replaceAll(/\bu\.s\.(?= ?\d)/g, 'us')
    .replaceAll(/\s+/g, ' ')
  for (const [unit, joined] of UNITS) words = words.replaceAll(unit, joined)
  return (
    words
      // The decimal point is a letter from here on: 3.50 is 3p5.
      .replaceAll(/(\d+)\.(\d+)/g, (_, whole: string, part: string) =>
        /^0+$/.test(part) ? whole : `${whole}p${part.replace(/0+$/, '')}`,
      )
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
  )
}

/** `four ply` of a keyword; a description's "four plies" say how a yarn is made, not how thick it is. */
export const spelledPlies = (text: string) =>
  text.replaceAll(
    /\b(two|four|five|eight|ten|twelve)[- ]ply\b/gi,
    (_, number: string) => `${PLIES[number.toLowerCase()]}ply`,
  )
