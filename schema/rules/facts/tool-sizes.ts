import { US_NEEDLES } from './us-sizes.ts'
import { NUMBER, rangeOf, spelled, type Range } from './spelling.ts'

const UK_NEEDLES: Record<string, number> = {
  '000': 10,
  '00': 9,
  0: 8,
  1: 7.5,
  2: 7,
  3: 6.5,
  4: 6,
  5: 5.5,
  6: 5,
  7: 4.5,
  8: 4,
  9: 3.75,
  10: 3.25,
  11: 3,
  12: 2.75,
  13: 2.25,
  14: 2,
}
/** Crochet hooks of wood, plastic and aluminium; steel hooks have their own numbers. */
const US_HOOKS: Record<string, number> = {
  1: 2.25,
  2: 2.75,
  3: 3.25,
  4: 3.5,
  5: 3.75,
  6: 4,
  7: 4.5,
  8: 5,
  9: 5.5,
  10: 6,
  10.5: 6.5,
  11: 8,
  13: 9,
  15: 10,
  50: 25,
}
const HOOK_LETTERS: Record<string, number> = {
  b: 2.25,
  c: 2.75,
  d: 3.25,
  e: 3.5,
  f: 3.75,
  g: 4,
  h: 5,
  i: 5.5,
  j: 6,
  k: 6.5,
  l: 8,
  'm/n': 9,
  'n/p': 10,
  'p/q': 15,
  q: 16,
  s: 19,
  't/u/x': 25,
}
const UK_HOOKS: Record<string, number> = {
  '000': 10,
  '00': 9,
  0: 8,
  1: 7.5,
  2: 7,
  3: 6.5,
  4: 6,
  5: 5.5,
  6: 5,
  7: 4.5,
  8: 4,
  9: 3.5,
  10: 3.25,
  11: 3,
  12: 2.5,
  13: 2.25,
  14: 2,
}

/** In millimetres. No tool is thicker; a larger number is a length. */
const THICKEST = 40

const US_SIZE = String.raw`0{1,4}|\d{1,2}(?:\.(?:5|75))?`

/** Sizes of knitting needles in mm: "4 mm", "US 6–8", "UK 8". A list has one range for each. Null when it names none. */
export function readNeedleSizes(text: string): Range[] | null {
  return readSizes(text, text => numbered(text, 'us', US_NEEDLES) ?? numbered(text, 'uk', UK_NEEDLES))
}

/** Sizes of crochet hooks in mm: "5.0 mm (H-8)", "US H/8", "G-6 to I-9". Null when it names none. */
export function readHookSizes(text: string): Range[] | null {
  return readSizes(text, text =>
    /\bsteel\b/.test(text)
      ? null
      : (lettered(text) ?? numbered(text, 'us', US_HOOKS) ?? numbered(text, 'uk', UK_HOOKS)),
  )
}

function readSizes(raw: string, otherwise: (text: string) => Range[] | null): Range[] | null {
  const text = spelled(raw)
  // An accessory that fits a size is not a tool of that size, and a range with one end missing says nothing.
  if (text === null || /^(?:fits |for )?(?:up to|fits|under|below|over|above|from)\b/.test(text)) return null
  return metric(text) ?? otherwise(text)
}

function metric(text: string): Range[] | null {
  const unit = String.raw`(?:mm|millimet(?:re|er)s?)`
  // "2.5, 4.0 and 6.0 mm": the unit may follow the last number only.
  const list = new RegExp(
    String.raw`(?<![\d.])(?<!\b(?:us|uk|size|no)\.? ?#? ?)((?:${NUMBER}(?: ?${unit})? ?(?:-|,|&|\+|and|or) ?){0,30}${NUMBER}) ?${unit}(?!\w)`,
    'g',
  )
  return known(
    [...text.matchAll(list)].flatMap(([, numbers = '']) =>
      listOf(numbers.replaceAll(new RegExp(` ?${unit} ?`, 'g'), ''), NUMBER, Number),
    ),
  )
}

function numbered(text: string, country: 'us' | 'uk', sizes: Record<string, number>): Range[] | null {
  const name = country === 'us' ? String.raw`(?:us|u\.s\.|usa)` : String.raw`(?:uk|u\.k\.|british|imperial)`
  const part = String.raw`(?:#|nos?\.? ?|sizes? ?)?(?:${US_SIZE})`
  const series = String.raw`(${part}(?: ?(?:-|to|,|/|&|and|or) ?(?:${name} ?)?${part}){0,30})(?![\d.]|mm| mm)`
  const [, before] = new RegExp(String.raw`\b${name} ?${series}`).exec(text) ?? []
  const [, behind] = new RegExp(String.raw`(?<![\d.])${series} ?\(?${name}\b`).exec(text) ?? []
  const found = before ?? behind
  return found === undefined
    ? null
    : known(
        listOf(
          found.replaceAll(new RegExp(`${name}|#|nos?\\.?|sizes?`, 'g'), '').replaceAll(/ ?\bto\b ?/g, '-'),
          US_SIZE,
          size => sizes[size],
        ),
      )
}

function lettered(text: string): Range[] | null {
  const letter = 'm/n|n/p|p/q|t/u/x|[b-lqs]'
  // A single letter may be a word. It counts with a number, or if nothing but "US", "size" or "hook" is beside it.
  const one = String.raw`(${letter})(?:[ -]?/?[ -]?(?:\d{1,2}(?:\.5)?))`
  const pair = new RegExp(String.raw`(?<![a-z0-9/])${one}(?: ?(?:-|to) ?${one})?(?![a-z0-9.])`, 'g')
  const whole = new RegExp(String.raw`^(?:us |size |us size )?(${letter})(?: ?(?:-|to) ?(${letter}))?(?: hook)?$`)
  const found = [...text.matchAll(pair)]
  const named = found.length > 0 ? found : [whole.exec(text)].filter(match => match !== null)
  return known(named.map(([, from = '', to = from]) => pairOf(HOOK_LETTERS[from], HOOK_LETTERS[to])))
}

/** "2.5, 4.0 and 6.0" as three, "6-8" as one from the first to the last. */
function listOf(text: string, number: string, sizeOf: (text: string) => number | undefined): (Range | null)[] {
  return text
    .split(/[,/&+]| and | or /)
    .filter(part => part.trim() !== '')
    .map(part => {
      const [, from, to] = new RegExp(`^ {0,2}(${number}) ?(?:- {0,2}(${number}))? ?$`).exec(part) ?? []
      return from === undefined ? null : pairOf(sizeOf(from), sizeOf(to ?? from))
    })
}

const pairOf = (from: number | undefined, to: number | undefined) =>
  from === undefined || to === undefined ? null : rangeOf(String(Math.min(from, to)), String(Math.max(from, to)))

/** All of them or none: a list with an unreadable part counts as not known. */
function known(ranges: readonly (Range | null)[]): Range[] | null {
  const sizes = ranges.filter(range => range !== null)
  if (sizes.length === 0 || sizes.length < ranges.length || sizes.some(({ to }) => to > THICKEST)) return null
  return sizes.filter(
    (size, place) => sizes.findIndex(({ from, to }) => from === size.from && to === size.to) === place,
  )
}
