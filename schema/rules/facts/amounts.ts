import { agreed, NUMBER, spelled } from './spelling.ts'
import { rounded } from './rounded.ts'
import type { Kind } from './shelf-names.ts'

const MASSES = {
  metric: [
    [/^(?:kg|kilos?|kilograms?)$/, 1_000],
    [/^g/, 1],
  ],
  imperial: [
    [/^(?:oz|ounces?)$/, 28.3495],
    [/^(?:lb|lbs|pounds?)$/, 453.592],
  ],
} as const
const LENGTHS = {
  metric: [
    [/^km$/, 1_000],
    [/^m/, 1],
  ],
  imperial: [
    [/^y/, 0.9144],
    [/^(?:ft|feet|foot)$/, 0.3048],
  ],
} as const
const MASS = 'kg|kilos?|kilograms?|grammes?|grams?|grm?s?|gms?|g|oz|ounces?|lbs?|pounds?'
const LENGTH = 'km|metres?|meters?|mtrs?|mts?|m|yards?|yds?|yd|y|ft|feet|foot'

type Units = typeof MASSES | typeof LENGTHS

/** The amounts that a text names. "2 x 50 g" and "5 balls of 20 g" count as 100 g. Ranges are left out. */
function amounts(text: string, unit: string, units: Units): { metric: number[]; imperial: number[] } {
  const pieces = '(?:skeins?|balls?|hanks?|cakes?|cones?|minis?|mini skeins?|mini-skeins?)'
  const pattern = new RegExp(
    String.raw`(?<![\d.\-])(?:(\d{1,3}) ?(?:x|${pieces}(?: of| at| a| @|,)?) ?)?(${NUMBER}) ?-?(${unit})\b\.?(?! ?-? ?\d{1,6} ?(?:${unit})\b)`,
    'g',
  )
  const found = { metric: [] as number[], imperial: [] as number[] }
  for (const [, count, number, name = ''] of text.matchAll(pattern)) {
    for (const system of ['metric', 'imperial'] as const) {
      const factor = units[system].find(([names]) => names.test(name))?.[1]
      if (factor !== undefined) found[system].push(Number(count ?? 1) * Number(number) * factor)
    }
  }
  return found
}

/** Grams and metres are preferred to ounces and yards, which are usually converted and rounded. */
function measured(text: string, unit: string, units: Units): number | null {
  const { metric, imperial } = amounts(text, unit, units)
  const number = metric.length > 0 ? agreed(metric) : agreed(imperial)
  return number === null ? null : rounded(number, 10)
}

/** Texts that leave the total open: a range, an amount "each", or "1.000", which may mean one or a thousand. */
const isVague = (text: string, unit: string) =>
  /(?<!\d)\d{1,3}\.\d00(?!\d)/.test(text) ||
  new RegExp(
    String.raw`\d ?(?:-|or|and|&) ?\d{1,6}(?:\.\d{1,4})? ?(?:${unit})\b|\d ?(?:${unit})\.? (?:each|apiece)\b`,
  ).test(text)

/** Grams of a weight text: "50g/1.75oz" is 50, "2 × 50 g" is 100, "3½ oz" is 99.2. Null for none, or different ones. */
export function readGrams(weight: string): number | null {
  const text = spelled(weight)
  return text === null || isVague(text, MASS) ? null : measured(text, MASS, MASSES)
}

const PER = new RegExp(String.raw`^(.{1,100}?) ?(?:/|per|je|=) ?(${NUMBER}) ?-?(${MASS})\b`)

/** Metres of a length text: "437 yds" is 399.6. A length per weight, such as "210 m / 50 g", needs the total grams. */
export function readMetres(length: string, grams: number | null = null): number | null {
  const text = spelled(length)
  if (text === null || isVague(text, LENGTH)) return null
  const per = perMass(text)
  if (per === null) return measured(text, LENGTH, LENGTHS)
  return grams === null ? null : rounded((per.metres / per.grams) * grams, 10)
}

/** Metres in 100 g: from the length text if that says so itself, otherwise from length and weight together. */
export function metresPer100g(weight: string, length: string): number | null {
  const text = spelled(length)
  const per = text === null || isVague(text, LENGTH) ? null : perMass(text)
  const grams = per?.grams ?? readGrams(weight)
  const metres = per?.metres ?? readMetres(length)
  return grams === null || metres === null ? null : rounded((metres / grams) * 100, 10)
}

function perMass(text: string): { metres: number; grams: number } | null {
  const [, before, number, unit] = PER.exec(text) ?? []
  const metres = before === undefined ? null : measured(before, LENGTH, LENGTHS)
  const grams = number === undefined ? null : measured(`${number} ${unit}`, MASS, MASSES)
  return metres === null || grams === null ? null : { metres, grams }
}

/** Cents for 100 m, half a cent rounded up. Null for kits: their price pays for more than yarn. */
export function pricePer100m(
  price: number,
  { kind, metres }: { kind: Kind | null; metres: number | null },
): number | null {
  return kind === 'KIT' || metres === null || metres <= 0 ? null : Math.round((price * 100) / metres)
}
