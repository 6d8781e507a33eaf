/** One bit for each product, by its place. */
export type Bits = Uint32Array<ArrayBuffer>

/** A score is below 5; products are parted by it before the best are sorted. */
const STEPS_OF_SCORE = 5_000

/** The word a place has its bit in. Beyond the end there are no bits. */
const wordAt = (bits: Bits, word: number): number => bits[word] ?? 0

export const noBits = (capacity: number): Bits => new Uint32Array(capacity / 32)

export function put(bits: Bits, place: number, value: boolean): void {
  const word = place >>> 5
  const bit = 1 << (place & 31)
  bits[word] = value ? wordAt(bits, word) | bit : wordAt(bits, word) & ~bit
}

/** Adds what another set has. */
export function addAll(to: Bits, bits: Bits): void {
  for (let word = 0; word < to.length; word++) to[word] = wordAt(to, word) | wordAt(bits, word)
}

/** What is in all of the sets, of which there is one at least. */
export function inAll([first, ...others]: readonly [Bits, ...Bits[]]): Bits {
  if (others.length === 0) return first
  const all = first.slice()
  for (const bits of others)
    for (let word = 0; word < all.length; word++) all[word] = wordAt(all, word) & wordAt(bits, word)
  return all
}

/** What is in so many of the sets at least. */
export function inMost(sets: readonly Bits[], most: number, capacity: number): Bits {
  // Of n sets: whoever is in k of the first n is in k of the first n - 1, or in k - 1 of them and in the last.
  let least = Array.from({ length: most }, () => noBits(capacity))
  for (const bits of sets)
    least = least.map((before, count) => {
      const fewer = least[count - 1]
      return before.map((word, place) => word | ((fewer ? wordAt(fewer, place) : ~0) & wordAt(bits, place)))
    })
  return least.at(-1) ?? noBits(capacity)
}

/** The places whose number is from `from` up to below `to`. */
export function within(numbers: Float64Array | Uint32Array, from: number, to: number, capacity: number): Bits {
  const bits = noBits(capacity)
  numbers.forEach((number, place) => {
    if (number >= from && number < to) put(bits, place, true)
  })
  return bits
}

export function eachIn(bits: Bits, tell: (place: number) => void): void {
  bits.forEach((all, word) => {
    for (let left = all; left !== 0; left &= left - 1) tell(32 * word + 31 - Math.clz32(left & -left))
  })
}

export function longer(bits: Bits, length: number): Bits {
  if (bits.length >= length) return bits
  const grown = new Uint32Array(length)
  grown.set(bits)
  return grown
}

/** How many bits two sets have in common; a number above `most` for any more. */
export function countBoth(a: Bits, b: Bits, most: number): number {
  let count = 0
  for (let word = 0; word < a.length; word++) {
    let both = wordAt(a, word) & wordAt(b, word)
    if (both === 0) continue
    both -= (both >>> 1) & 0x55555555
    both = (both & 0x33333333) + ((both >>> 2) & 0x33333333)
    count += Math.imul((both + (both >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
    if (count > most) return most + 1
  }
  return count
}

/** Places with the highest scores, the last added first among equals. */
export function bestIn(bits: Bits, scores: Float64Array, most: number): number[] {
  const steps = new Uint32Array(STEPS_OF_SCORE + 1)
  const scoreOf = (place: number) => scores[place] ?? 0
  const stepOf = (place: number) => Math.floor((scoreOf(place) / 5) * STEPS_OF_SCORE)
  eachIn(bits, place => {
    const step = stepOf(place)
    steps[step] = (steps[step] ?? 0) + 1
  })
  let least = steps.length
  for (let count = 0; count < most && least > 0;) count += steps[--least] ?? 0
  const best: number[] = []
  eachIn(bits, place => {
    if (stepOf(place) >= least) best.push(place)
  })
  return best.toSorted((a, b) => scoreOf(b) - scoreOf(a) || b - a).slice(0, most)
}
