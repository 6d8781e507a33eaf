import { type FibreName, FIBRES } from './shelf-names.ts'
import { lastOf, nth } from '../present.ts'
import { spelled } from './spelling.ts'

/** One fibre of a yarn, with its share. */
export interface Fibre {
  /** Null when it is not one we know. */
  fibre: FibreName | null
  /** Null when the text does not say how much. */
  percent: number | null
}

/** What each fibre is called in texts. */
const NAMES: Record<FibreName, RegExp> = {
  BAMBOO: /\bbamboo\b/,
  BLUEFACED_LEICESTER: /\bblue[ -]?faced leicester\b|\bbfl\b/,
  MERINO: /\bmerino\b/,
  CORRIEDALE: /\bcorriedale\b/,
  ROMNEY: /\bromney\b/,
  SHETLAND: /\bshetland\b/,
  JACOB: /\bjacob\b/,
  POLWARTH: /\bpolwarth\b/,
  FALKLAND: /\bfalkland\b/,
  ICELANDIC: /\bicelandic\b|\blopi\b/,
  LAMBSWOOL: /\blambs?'?s?[ -]?wool\b/,
  ALPACA: /\balpaca\b|\bsuri\b|\bhuacaya\b/,
  LLAMA: /\bllama\b/,
  MOHAIR: /\bmohair\b/,
  CASHMERE: /\bcashmere\b/,
  ANGORA: /\bangora\b/,
  YAK: /\byak\b/,
  CAMEL: /\bcamel\b/,
  QIVIUT: /\bqiviu[tk]\b|\bmusk ox\b/,
  POSSUM: /\bpossum\b/,
  SILK: /\bsilk\b|\btussah\b/,
  COTTON: /\bcotton\b|\bpima\b|\bsupima\b/,
  LINEN: /\blinen\b|\bflax\b/,
  HEMP: /\bhemp\b/,
  NETTLE: /\bnettle\b/,
  RAMIE: /\bramie\b/,
  JUTE: /\bjute\b/,
  LYOCELL: /\blyocell\b|\btencel\b/,
  MODAL: /\bmodal\b/,
  VISCOSE: /\bviscose\b|\brayon\b/,
  NYLON: /\bnylon\b|\bpolyamide?\b/,
  POLYESTER: /\bpolyester\b/,
  ACRYLIC: /\bacrylic\b|\bpolyacryl(?:ic)?\b/,
  ELASTANE: /\belasthane\b|\belastane\b|\blycra\b|\bspandex\b/,
  METALLIC: /\bmetallic\b|\blurex\b|\bstellina\b/,
  WOOL: /\bwool\b/,
}

/**
 * The fibres of a yarn's content text with their shares. Null when it names none we know, or when the shares do not add
 * up to 100 %.
 */
export function readFibres(content: string): Fibre[] | null {
  const text = spelled(content)
  const parts = text && (shared(text) ?? listed(text))
  if (!parts || parts.every(({ fibre }) => fibre === null)) return null
  const merged = new Map<FibreName | null, number | null>()
  for (const { fibre, percent } of parts)
    merged.set(fibre, percent === null ? null : (merged.get(fibre) ?? 0) + percent)
  return Array.from(merged, ([fibre, percent]) => ({ fibre, percent }))
}

/** "80% merino, 20% nylon", "merino 80%, nylon 20%", "wool/nylon 75/25". Null when the text gives no shares. */
function shared(text: string): Fibre[] | null {
  const slashed =
    /^(?<shares>\d{1,3}(?: ?\/ ?\d{1,3}){1,5}) ?%? (?<names>[a-z' -]{2,60}(?:\/[a-z' -]{2,60}){1,5})$/.exec(text)
  const reversed =
    /^(?<names>[a-z' -]{2,60}(?:\/[a-z' -]{2,60}){1,5}),? ?(?<shares>\d{1,3}(?: ?\/ ?\d{1,3}){1,5}) ?%?$/.exec(text)
  const { shares, names } = (slashed ?? reversed)?.groups ?? {}
  if (shares && names) return whole(names.split('/'), shares.split('/').map(Number))
  const [before = '', ...rest] = text.split(/(\d{1,3}(?:\.\d{1,2})?) ?(?:%|percent\b|per cent\b|pct\b)/)
  if (rest.length === 0) return null
  const percents = rest.filter((_part, place) => place % 2 === 0).map(Number)
  const words = [before, ...rest.filter((_part, place) => place % 2 === 1)]
  // The names come either after their shares or before them, the same way in the whole text.
  if (nameOf(before) === null) return whole(words.slice(1), percents)
  return /[a-z]/.test(lastOf(words)) ? [] : whole(words.slice(0, -1), percents)
}

function whole(names: readonly string[], percents: readonly number[]): Fibre[] {
  const sum = percents.reduce((total, percent) => total + percent, 0)
  if (names.length !== percents.length || Math.abs(sum - 100) > 1) return []
  return names.map((name, place) => ({ fibre: nameOf(name), percent: nth(percents, place) }))
}

/** A list without shares: "merino and silk", or "pure new wool", which is 100 %. */
function listed(text: string): Fibre[] {
  const parts = text.split(/,|;|\/|\+|&|\band\b|\bwith\b/).map(part => nameOf(part))
  const isPure = parts.length === 1 && /^(?:pure|all)\b/.test(text)
  return parts.map(fibre => ({ fibre, percent: isPure ? 100 : null }))
}

function nameOf(text: string): FibreName | null {
  return FIBRES.find(name => NAMES[name].test(text)) ?? null
}
