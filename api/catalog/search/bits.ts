/** One bit for each product, by its place. */
export type Bits = Uint32Array<ArrayBuffer>

/** The places of a few products. */
export type Places = Int32Array<ArrayBuffer>

/**
 * Some of the products: the words of bits that are not empty, and where they stand, in order. What it takes to go through it
 * follows what is in it, not how many products there are.
 */
export interface Selection {
  at: Uint32Array
  bits: Uint32Array
}

/** The word a place has its bit in. Beyond the end there are no bits. */
const wordAt = (bits: Bits, word: number): number => bits[word] ?? 0

export const noBits = (capacity: number): Bits => new Uint32Array(capacity / 32)

export function put(bits: Bits, place: number, value: boolean): void {
  const word = place >>> 5
  const bit = 1 << (place & 31)
  bits[word] = value ? wordAt(bits, word) | bit : wordAt(bits, word) & ~bit
}

export const has = (bits: Bits, place: number): boolean => (wordAt(bits, place >>> 5) & (1 << (place & 31))) !== 0

/** Adds what another set has. */
export function addAll(to: Bits, bits: Bits): void {
  for (let word = 0; word < to.length; word++) to[word] = wordAt(to, word) | wordAt(bits, word)
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

export function longer(bits: Bits, length: number): Bits {
  if (bits.length >= length) return bits
  const grown = new Uint32Array(length)
  grown.set(bits)
  return grown
}

/** Those places, each once. */
export function placesAsBits(places: Places, capacity: number): Bits {
  const bits = noBits(capacity)
  for (const place of places) if (place < capacity) put(bits, place, true)
  return bits
}

/** Those that are not empty of so many words; beyond the end of a set there are none. */
function selectWords(count: number, wordOf: Uint32Array | null, bitsOf: Uint32Array, by: Bits | null): Selection {
  const [at, bits] = [new Uint32Array(count), new Uint32Array(count)]
  let length = 0
  for (let index = 0; index < count; index++) {
    const word = wordOf === null ? index : wordOf[index]!
    const left = by === null ? bitsOf[index]! : bitsOf[index]! & by[word]!
    if (left === 0) continue
    at[length] = word
    bits[length++] = left
  }
  return { at: at.subarray(0, length), bits: bits.subarray(0, length) }
}

export const selectAll = (bits: Bits): Selection => selectWords(bits.length, null, bits, null)

/** What is in both. */
export const narrow = ({ at, bits }: Selection, by: Bits): Selection => selectWords(at.length, at, bits, by)

export function selectPlaces(places: Places): Selection {
  const [at, bits] = [new Uint32Array(places.length), new Uint32Array(places.length)]
  let length = 0
  for (const place of places.toSorted()) {
    const word = place >>> 5
    if (length === 0 || at[length - 1] !== word) at[length++] = word
    bits[length - 1] = bits[length - 1]! | (1 << (place & 31))
  }
  return { at: at.subarray(0, length), bits: bits.subarray(0, length) }
}

/** Those whose number is from `from` up to below `to`. */
export function narrowTo(
  selection: Selection,
  numbers: Float64Array | Uint32Array,
  from: number,
  to: number,
): Selection {
  const within = selection.bits.slice()
  for (let index = 0; index < within.length; index++) {
    const first = 32 * selection.at[index]!
    let kept = 0
    // All of them, in the set or not: to ask each takes longer.
    for (let bit = 0; bit < 32; bit++) {
      const number = numbers[first + bit]!
      kept |= (Number(number >= from) & Number(number < to)) << bit
    }
    within[index] = within[index]! & kept
  }
  return selectWords(within.length, selection.at, within, null)
}

export function asBits({ at, bits }: Selection, capacity: number): Bits {
  const all = noBits(capacity)
  for (let index = 0; index < at.length; index++) all[at[index]!] = bits[index]!
  return all
}

export function asPlaces({ at, bits }: Selection): number[] {
  const places: number[] = []
  for (let index = 0; index < at.length; index++)
    for (let left = bits[index]!; left !== 0; left &= left - 1)
      places.push(32 * at[index]! + 31 - Math.clz32(left & -left))
  return places
}

function onesIn(word: number): number {
  let ones = word - ((word >>> 1) & 0x55555555)
  ones = (ones & 0x33333333) + ((ones >>> 2) & 0x33333333)
  return Math.imul((ones + (ones >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

export function countIn({ bits }: Selection): number {
  let count = 0
  for (const word of bits) count += onesIn(word)
  return count
}

/** Tells how many of a selection a set has; a number above `most` for any more. */
export function counterOf(selection: Selection, capacity: number): (by: Bits, most: number) => number {
  const { at, bits } = selection
  if (at.length > capacity / 32 / 8) {
    const all = asBits(selection, capacity)
    return (by, most) => countBoth(all, by, most)
  }
  return (by, most) => {
    let count = 0
    for (let index = 0; index < at.length && count <= most; index++) count += onesIn(bits[index]! & by[at[index]!]!)
    return Math.min(count, most + 1)
  }
}

/** Looked at every so many words only, whether that is enough: a branch for each word takes four times as long. */
const STRIDE = 256

function countBoth(a: Bits, b: Bits, most: number): number {
  let count = 0
  for (let index = 0; index < a.length && count <= most;) {
    const end = Math.min(index + STRIDE, a.length)
    for (; index < end; index++) count += onesIn(a[index]! & b[index]!)
  }
  return Math.min(count, most + 1)
}
