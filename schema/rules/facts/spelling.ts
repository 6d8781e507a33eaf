import { rounded } from './rounded.ts'

/** In characters. A longer text counts as stating no fact, and no pattern is tried on it. */
const LONGEST = 500

const FRACTIONS = {
  '½': 1 / 2,
  '¼': 1 / 4,
  '¾': 3 / 4,
  '⅓': 1 / 3,
  '⅔': 2 / 3,
  '⅛': 1 / 8,
  '⅜': 3 / 8,
  '⅝': 5 / 8,
  '⅞': 7 / 8,
}

/** Matches a number as `spelled` writes it; for use in patterns. */
export const NUMBER = String.raw`\d{1,6}(?:\.\d{1,4})?`

/** From one number to another; both are the same where a text names one. */
export interface Range {
  from: number
  to: number
}

/**
 * A text in uniform spelling: lower case, fractions and decimal commas as decimals, one kind of dash, cross and quote,
 * single spaces. Null for one that is blank or too long to be looked at.
 */
export function spelled(text: string): string | null {
  if (text.length > LONGEST || text.trim() === '') return null
  return text
    .replaceAll(/(\d{0,6}) ?([½¼¾⅓⅔⅛⅜⅝⅞])/gu, (_all, whole: string, sign: keyof typeof FRACTIONS) =>
      decimal(Number(whole) + FRACTIONS[sign]),
    )
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(
      /(?<![\d/.])(?:(\d{1,3})[ -])?([1-7])[/\u2044]([248])(?![\d/.])/g,
      (_all, whole: string | undefined, above: string, below: string) =>
        decimal(Number(whole ?? 0) + Number(above) / Number(below)),
    )
    .replaceAll(/(?<![\d,.])(\d{1,3}),(\d{3})(?![\d,])/g, '$1$2')
    .replaceAll(/(?<![\d,.])(\d{1,4}),(\d{1,2})(?![\d,])/g, '$1.$2')
    .replaceAll(/[\u2010-\u2015\u2212~]/g, '-')
    .replaceAll(/(?<=\d) ?(?:to|bis) ?(?=\d)/g, '-')
    .replaceAll(/[×✕*]/g, 'x')
    .replaceAll(/[“”″]|''|’’|′′/g, '"')
    .replaceAll(/[’‘′]/g, "'")
    .replaceAll(/\s{1,500}/g, ' ')
    .trim()
}

const decimal = (number: number) => String(Math.round(number * 1e4) / 1e4)

/** "22" or "20-24" as numbers. Null when they run backwards or start at 0. */
export function rangeOf(from: string, to: string | undefined, factor = 1): Range | null {
  const range = { from: rounded(Number(from) * factor), to: rounded(Number(to ?? from) * factor) }
  return range.from > 0 && range.from <= range.to ? range : null
}

/** The number that all of them agree on; null when there are none, or when they differ. */
export function agreed(numbers: readonly number[]): number | null {
  const [first, ...others] = numbers
  return first !== undefined && first > 0 && others.every(other => Math.abs(other - first) < first / 1_000)
    ? first
    : null
}
