import { nth } from '#schema/rules/present'
import { asBits, eachOne, type Bits, type Few, type Selection } from './bits.ts'

/** count-bits.wat as WebAssembly: JavaScript counts four bytes in the time that this takes for thirty. */
export const COUNT_BITS =
  'AGFzbQEAAAABCQFgBH9/f38BfwIRAQV0YWJsZQZtZW1vcnkCAAEDAgEABwoBBmluQm90aAAACp8BAZwBAgN/AXsgACACaiEEAkADQCAAIARPDQEgBiADSw0BIABBgCBqIQUgBSAESwRAIAQhBQv9DAAAAAAAAAAAAAAAAAAAAAAhBwNAIAcgAP0ABAAgAf0ABAD9Tv1i/X39f/2uASEHIABBEGohACABQRBqIQEgACAFSQ0ACyAGIAf9GwAgB/0bAWogB/0bAiAH/RsDampqIQYMAAsLIAYL'

const PAGE_BYTES = 65_536
/** The row where what is counted lies meanwhile. */
const COUNTED = 0

type Count = (one: number, other: number, bytes: number, most: number) => number

interface Memory {
  readonly buffer: ArrayBuffer
  /** By so many pages. Views of the buffer before are empty then. */
  grow(pages: number): number
}

/** Its types are with those of browsers, which are not for the server. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: {
    Memory: new (size: { initial: number }) => Memory
    Module: new (bytes: Buffer) => object
    Instance: new (module: object, imports: { table: { memory: Memory } }) => { exports: { inBoth: Count } }
  }
}

/**
 * Sets of products, a row of bits each, and how many of each are in a selection. The same is kept the other way round, a few words for each
 * product: of a hundred products that is a hundred places in memory to read, where every row would be read at a hundred.
 */
export class BitTable {
  #capacity: number
  #rows = COUNTED + 1
  readonly #memory: Memory = new WebAssembly.Memory({ initial: 1 })
  readonly #inBoth: Count
  #words = new Uint32Array(this.#memory.buffer)
  /** How many words it takes to say which rows a product is in. */
  #across = 1
  #rowsOf = new Uint32Array(0)

  constructor(capacity: number) {
    this.#capacity = capacity
    const module = new WebAssembly.Module(Buffer.from(COUNT_BITS, 'base64'))
    this.#inBoth = new WebAssembly.Instance(module, { table: { memory: this.#memory } }).exports.inBoth
    this.#makeRoom()
  }

  get #width(): number {
    return this.#capacity / 32
  }

  /** Adds an empty row. Returns its number. */
  add(): number {
    this.#rows++
    this.#makeRoom()
    return this.#rows - 1
  }

  /** Good until a row is added, or all grow. */
  row(row: number): Bits {
    return this.#words.subarray(row * this.#width, (row + 1) * this.#width)
  }

  put(row: number, place: number): void {
    const word = row * this.#width + (place >>> 5)
    this.#words[word] = nth(this.#words, word) | (1 << (place & 31))
    const across = place * this.#across + (row >>> 5)
    this.#rowsOf[across] = nth(this.#rowsOf, across) | (1 << (row & 31))
  }

  /** Takes a product out of every row. */
  clear(place: number): void {
    const others = ~(1 << (place & 31))
    this.#eachRowOf(place, row => {
      const word = row * this.#width + (place >>> 5)
      this.#words[word] = nth(this.#words, word) & others
    })
    this.#rowsOf.fill(0, place * this.#across, (place + 1) * this.#across)
  }

  grow(capacity: number): void {
    const before = this.#width
    this.#capacity = capacity
    this.#makeRoom()
    // The last first: each moves to where those behind it were.
    for (let row = this.#rows - 1; row >= 0; row--) {
      this.#words.copyWithin(row * this.#width, row * before, (row + 1) * before)
      this.#words.fill(0, row * this.#width + before, (row + 1) * this.#width)
    }
  }

  /** How many of a selection each of those rows has; a number above `most` for any more. */
  count(selection: Selection, rows: Iterable<number>, most: number): number[] {
    if (!(selection instanceof Uint32Array) && selection.at.length < this.#width / 8) {
      const counts = this.#countOneByOne(selection)
      return Array.from(rows, row => Math.min(nth(counts, row), most + 1))
    }
    const [counted, bits] = [this.row(COUNTED), asBits(selection, this.#capacity)]
    counted.set(bits)
    counted.fill(0, bits.length)
    const bytes = 4 * this.#width
    return Array.from(rows, row => Math.min(this.#inBoth(COUNTED, row * bytes, bytes, most), most + 1))
  }

  #countOneByOne({ at, bits }: Few): Uint32Array {
    const counts = new Uint32Array(this.#rows)
    const add = (row: number) => {
      counts[row] = nth(counts, row) + 1
    }
    for (const [index, word] of at.entries())
      eachOne(nth(bits, index), bit => {
        this.#eachRowOf(32 * word + bit, add)
      })
    return counts
  }

  #eachRowOf(place: number, use: (row: number) => void): void {
    const start = place * this.#across
    for (let word = 0; word < this.#across; word++)
      eachOne(this.#rowsOf[start + word] ?? 0, bit => {
        use(32 * word + bit)
      })
  }

  #makeRoom(): void {
    this.#makeRoomAcross()
    const missing = 4 * this.#rows * this.#width - this.#memory.buffer.byteLength
    if (missing <= 0) return
    this.#memory.grow(Math.ceil(missing / PAGE_BYTES))
    this.#words = new Uint32Array(this.#memory.buffer)
  }

  #makeRoomAcross(): void {
    const across = Math.ceil(this.#rows / 32)
    const [before, places] = [this.#across, this.#rowsOf.length / this.#across]
    if (across === before && places === this.#capacity) return
    const rowsOf = new Uint32Array(this.#capacity * across)
    if (across === before) rowsOf.set(this.#rowsOf)
    else
      for (let place = 0; place < places; place++)
        rowsOf.set(this.#rowsOf.subarray(place * before, (place + 1) * before), place * across)
    this.#rowsOf = rowsOf
    this.#across = across
  }
}
