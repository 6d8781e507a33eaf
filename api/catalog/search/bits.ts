import { nth } from '#schema/rules/present'
/** One bit for each product, by its place. */
export type Bits = Uint32Array<ArrayBuffer>

/** The places of a few products. */
export type Places = Int32Array<ArrayBuffer>

/** The words of bits that are not empty, and where they stand, in order. */
export interface Few {
  at: Uint32Array
  bits: Uint32Array
}

/** Some of the products. What it takes to go through few follows what is in it, not how many products there are. */
export type Selection = Bits | Few

/** The word a place has its bit in. Beyond the end there are no bits. */
const wordAt = (bits: Uint32Array, word: number): number => bits[word] ?? 0

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
  const least = Array.from({ length: most }, () => noBits(capacity))
  // Of n sets: what is in k of the first n is in k of the first n - 1, or in k - 1 of them and in the last.
  for (const bits of sets)
    for (let count = most - 1; count >= 0; count--) {
      const [now, fewer] = [nth(least, count), least[count - 1]]
      for (let word = 0; word < now.length; word++)
        now[word] = wordAt(now, word) | ((fewer ? wordAt(fewer, word) : ~0) & wordAt(bits, word))
    }
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

/** What is in both. Of bits there are no others than before: these lose the rest. */
export function narrow(selection: Few, by: Bits): Few
export function narrow(selection: Selection, by: Bits): Selection
export function narrow(selection: Selection, by: Bits): Selection {
  if (!(selection instanceof Uint32Array)) return narrowFew(selection, by)
  const words = Math.min(selection.length, by.length)
  for (let word = 0; word < words; word++) selection[word] = wordAt(selection, word) & wordAt(by, word)
  return selection.fill(0, words)
}

/** Leaves what is not in the others. */
export function without(bits: Bits, others: Bits): void {
  const words = Math.min(bits.length, others.length)
  for (let word = 0; word < words; word++) bits[word] = wordAt(bits, word) & ~wordAt(others, word)
}

function narrowFew({ at, bits }: Few, by: Bits): Few {
  const few = { at: new Uint32Array(at.length), bits: new Uint32Array(at.length) }
  let length = 0
  for (let index = 0; index < at.length; index++) {
    const word = nth(at, index)
    const left = wordAt(bits, index) & wordAt(by, word)
    if (left === 0) continue
    few.at[length] = word
    few.bits[length++] = left
  }
  return { at: few.at.subarray(0, length), bits: few.bits.subarray(0, length) }
}

export function selectPlaces(places: Places): Few {
  const [at, bits] = [new Uint32Array(places.length), new Uint32Array(places.length)]
  let length = 0
  for (const place of places.toSorted()) {
    const word = place >>> 5
    if (length === 0 || at[length - 1] !== word) at[length++] = word
    bits[length - 1] = wordAt(bits, length - 1) | (1 << (place & 31))
  }
  return { at: at.subarray(0, length), bits: bits.subarray(0, length) }
}

export function asBits(selection: Selection, capacity: number): Bits {
  if (selection instanceof Uint32Array) return selection
  const all = noBits(capacity)
  for (let index = 0; index < selection.at.length; index++)
    all[nth(selection.at, index)] = wordAt(selection.bits, index)
  return all
}

/** The bits that a word has, by their numbers. */
export function eachOne(word: number, use: (bit: number) => void): void {
  for (let left = word; left !== 0; left &= left - 1) use(31 - Math.clz32(left & -left))
}

export function asPlaces(selection: Selection): number[] {
  const places: number[] = []
  const add = (word: number, bits: number) => {
    eachOne(bits, bit => places.push(32 * word + bit))
  }
  if (selection instanceof Uint32Array)
    for (let word = 0; word < selection.length; word++) add(word, wordAt(selection, word))
  else
    for (let index = 0; index < selection.at.length; index++)
      add(nth(selection.at, index), wordAt(selection.bits, index))
  return places
}

function onesIn(word: number): number {
  let ones = word - ((word >>> 1) & 0x55555555)
  ones = (ones & 0x33333333) + ((ones >>> 2) & 0x33333333)
  return Math.imul((ones + (ones >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** How many there are; a number above `most` for any more. */
export function countIn(selection: Selection, most: number): number {
  const words = selection instanceof Uint32Array ? selection : selection.bits
  let count = 0
  for (let index = 0; index < words.length && count <= most; index++) count += onesIn(wordAt(words, index))
  return count
}
