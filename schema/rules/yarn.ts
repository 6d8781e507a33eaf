/** What a skein weighs when its weight text names no grams. SPEC §9. */
export const DEFAULT_GRAMS = 100

/** The leading number of grams of a weight text: "50 g (1.76 oz)" -> 50, "a hank" -> 100. SPEC §9. */
export function gramsOf(weight: string): number {
  const match = /^\s*(\d{1,6}(?:\.\d{1,6})?)\s*g/i.exec(weight)
  return match ? Number(match[1]) : DEFAULT_GRAMS
}

/** Metres of a length text: "210 m (230 yd)" -> 210. Null when it names none. */
export function metresOf(length: string): number | null {
  const match = /(\d[\d,]{0,11}(?:\.\d{1,6})?)\s{0,9}m\b/i.exec(length)
  return match ? Number(match[1]!.replaceAll(',', '')) : null
}
