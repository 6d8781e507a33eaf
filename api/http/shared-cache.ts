import { LRUCache } from 'lru-cache'

interface Budget<Value> {
  /** How long anything is kept, in milliseconds; 0 keeps nothing. */
  keepMs: number
  /** Bytes of all that is kept, keys and values. */
  bytes: number
  /** Bytes of the largest value that is kept with its key. */
  largest: number
  sizeOf: (value: Value) => number
}

/** However small they are: each entry costs some hundred bytes, and a timer, beyond what it holds. */
const MOST_ENTRIES = 2_000

/** What a text takes in memory at most. */
export const bytesOf = (text: string) => text.length * 2

/** What every visitor is shown alike, kept for a moment within a budget of bytes. All of it goes when anything changes. */
export class SharedCache<Value extends object> {
  readonly #keepMs: number
  readonly #entries: LRUCache<string, Value>
  #making = new Map<string, Promise<Value>>()
  #changes = 0

  constructor({ keepMs, bytes, largest, sizeOf }: Budget<Value>) {
    this.#keepMs = keepMs
    this.#entries = new LRUCache({
      max: MOST_ENTRIES,
      maxSize: bytes,
      maxEntrySize: largest,
      sizeCalculation: (value, key) => sizeOf(value) + bytesOf(key),
      ttl: keepMs,
      ttlAutopurge: true,
    })
  }

  /** Bytes kept at the moment. */
  get bytes(): number {
    return this.#entries.calculatedSize
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key)
  }

  /** Whether it takes no work to answer: kept, or in the making for somebody else. */
  holds(key: string): boolean {
    return this.#entries.has(key) || this.#making.has(key)
  }

  /** Where what is made from now on may be put: nowhere any more once something has changed. */
  reserve(key: string): (value: Value) => void {
    const begun = this.#changes
    return value => {
      if (this.#keepMs > 0 && begun === this.#changes) this.#entries.set(key, value)
    }
  }

  /** What is kept, or else made: those who ask while one is in the making share it. */
  async share(key: string, make: () => Promise<Value>, isLasting: (value: Value) => boolean): Promise<Value> {
    const known = this.get(key) ?? this.#making.get(key)
    if (known) return known
    const [making, put] = [this.#making, this.reserve(key)]
    const made = make().finally(() => making.delete(key))
    making.set(key, made)
    const value = await made
    if (isLasting(value)) put(value)
    return value
  }

  forget(): void {
    this.#changes++
    this.#making = new Map()
    this.#entries.clear()
  }
}
