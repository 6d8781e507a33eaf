import { nth } from '#schema/rules/present'
/** Letters left out, put in, changed, or swapped with their neighbour, between two words; `most` + 1 for any more. */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, place) => place)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = nth(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwapped ? nth(before, j - 2) + 1 : Infinity
      row.push(Math.min(nth(last, j) + 1, nth(row, j - 1) + 1, changed, swapped))
    }
    if (Math.min(...row) > most) return most + 1
    ;[before, last] = [last, row]
  }
  return nth(last, b.length)
}
