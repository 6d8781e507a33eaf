import { NUMBER, rangeOf, spelled, type Range } from './spelling.ts'

/** Stitches and rows in 10 cm of stockinette. */
export interface Gauge {
  /** Null when the text names none. */
  stitches: Range | null
  /** Null when the text names none. */
  rows: Range | null
}

const RANGE = String.raw`(${NUMBER})(?: ?- ?(${NUMBER}))?`
const STITCHES = new RegExp(String.raw`(?<![\d.])${RANGE} ?(?:stitches|stitch|sts|st|s)\b`)
const ROWS = new RegExp(String.raw`(?<![\d.])${RANGE} ?(?:rows|row|rnds|rounds|r)\b`)
/** The width that stitches are counted over; knitters treat four inches and 10 cm as the same. */
const OVER = new RegExp(
  String.raw`(?<![\d.])(?:(${NUMBER}) ?(?:(cm)s?|in|ins|inch|inches|(?="))(?:\b|"| |$)|(?:per|/|to the|to an|an|=|in an|p)\.? ?(?:1 ?)?(in|ins|inch)\b|(?:per|/) ?(cm)\b|\b(spi|sts? ?pi)\b)`,
)
/** Crochet stitches say nothing about a knitted gauge. */
const CROCHET = /\b(?:s?c|sc|hdc|dc|tr|htr|crochet|shells?|clusters?)\b/

/** The gauge of a text: "22 sts = 4″", "5½ sts per inch". Null when it does not say how many, or over what. */
export function readGauge(gauge: string): Gauge | null {
  const text = spelled(gauge)
  const over = text === null || CROCHET.test(text) ? null : factorOf(text)
  if (text === null || over === null) return null
  const stitches = counted(STITCHES, text.replace(/\bspi\b/, 'sts'), over)
  const rows = counted(ROWS, text, over)
  return stitches || rows ? { stitches, rows } : null
}

function counted(pattern: RegExp, text: string, over: number): Range | null {
  const [, from, to] = pattern.exec(text) ?? []
  const range = from === undefined ? null : rangeOf(from, to, over)
  // A gauge that nobody can knit is a misreading.
  return range && range.from >= 1 && range.to <= 120 ? range : null
}

function factorOf(text: string): number | null {
  const found = OVER.exec(text)
  if (!found) return null
  const [, number, centimetres] = found
  if (found[4]) return 10
  const size = number === undefined ? 1 : Number(number)
  return size > 0 ? (centimetres ? 10 : 4) / size : null
}
