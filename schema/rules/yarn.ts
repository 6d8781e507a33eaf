/** What a skein weighs when its weight text names no grams. SPEC §9. */
const DEFAULT_GRAMS = 100

/** The leading number of grams of a weight text: "50 g (1.76 oz)" -> 50, "a hank" -> 100. SPEC §9. */
export function gramsOf(weight: string): number {
  const match = /^\s*(\d{1,6}(?:\.\d{1,6})?)\s*g/i.exec(weight)
  return match ? Number(match[1]) : DEFAULT_GRAMS
}
