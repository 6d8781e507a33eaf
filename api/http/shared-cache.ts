import { LRUCache } from 'lru-cache'
import { present } from '#schema/rules/present'

interface Budget<Value> {
  /** How long anything is kept, in milliseconds; 0 keeps nothing. */
  keepMs: number
  /** Bytes of all that is kept, keys and values. */
  bytes: number
  /** Bytes of the largest value that is kept with its key. */
  largest: number
  sizeOf: (value: Value) => number
}

/** Limits the number of entries: each costs some hundred bytes and a timer beyond its content. */
const MOST_ENTRIES = 2_000

/** Memory for one product id of an entry. */
const BYTES_PER_ID = 100

/** How many changes are remembered, for answers that were begun before them. */
const MOST_CHANGES = 200

/** What a text takes in memory at most. */
export const bytesOf = (text: string) => text.length * 2

/** What something was made of, collected while it is made. */
export class Sources {
  /** Ids of the products it shows. */
  readonly ids = new Set<string>()
  /** Whether it may be cached at all. */
  areShared = true
  /** Whether stock of other products makes it out of date only when one of them sells out or is back. */
  areAll = true

  add({ ids, areShared, areAll }: Sources): void {
    for (const id of ids) this.ids.add(id)
    this.areShared &&= areShared
    this.areAll &&= areAll
  }
}

interface Kept<Value> {
  value: Value
  sources: Sources
}

/**
 * What every visitor is shown alike, kept for a moment within a budget of bytes. Of what changes, some makes all of it
 * untrue and some only what shows certain products.
 */
export class SharedCache<Value extends object> {
  readonly #keepMs: number
  readonly #entries: LRUCache<string, Kept<Value>>
  #willSweep = false
  #making = new Map<string, Promise<Value>>()
  #changes = 0
  /** The number of the last change that invalidated everything, and the changes after it, oldest first. */
  #lastOfAll = 0
  #lastOfSome: { change: number; ids: readonly string[] }[] = []

  constructor({ keepMs, bytes, largest, sizeOf }: Budget<Value>) {
    this.#keepMs = keepMs
    this.#entries = new LRUCache({
      max: MOST_ENTRIES,
      maxSize: bytes,
      maxEntrySize: largest,
      sizeCalculation: ({ value, sources }, key) => sizeOf(value) + bytesOf(key) + sources.ids.size * BYTES_PER_ID,
      ttl: keepMs,
    })
  }

  /** Bytes kept at the moment. */
  get bytes(): number {
    return this.#entries.calculatedSize
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key)?.value
  }

  /** Whether it is cached, or being made for another request. */
  holds(key: string): boolean {
    return this.#entries.has(key) || this.#making.has(key)
  }

  /** Reserves a place for what is made from now on. It is not stored if what it was made of has changed by then. */
  reserve(key: string): (value: Value, sources: Sources) => void {
    const begun = this.#changes
    return (value, sources) => {
      if (this.#keepMs === 0 || !sources.areShared || this.#hasChanged(sources, begun)) return
      this.#entries.set(key, { value, sources })
      if (!this.#willSweep) this.#sweepLater()
    }
  }

  /** Lets go of what has expired: one timer for all of it, not one for each entry. */
  #sweepLater(): void {
    this.#willSweep = true
    setTimeout(() => {
      this.#willSweep = false
      this.#entries.purgeStale()
      if (this.#entries.size > 0) this.#sweepLater()
    }, this.#keepMs).unref()
  }

  /** The cached value, or a new one: concurrent requests for it share the work. */
  async share(
    key: string,
    make: (sources: Sources) => Promise<Value>,
    isLasting: (value: Value) => boolean,
  ): Promise<Value> {
    const known = this.get(key) ?? this.#making.get(key)
    if (known) return known
    const [making, put, sources] = [this.#making, this.reserve(key), new Sources()]
    const made = make(sources).finally(() => making.delete(key))
    making.set(key, made)
    const value = await made
    if (isLasting(value)) put(value, sources)
    return value
  }

  forget(): void {
    this.#lastOfAll = ++this.#changes
    this.#lastOfSome = []
    this.#making = new Map()
    this.#entries.clear()
  }

  /** Drops what shows one of these products, and what may show one. */
  forgetProducts(ids: readonly string[]): void {
    this.#lastOfSome.push({ change: ++this.#changes, ids })
    if (this.#lastOfSome.length > MOST_CHANGES) this.#lastOfAll = present(this.#lastOfSome.shift()).change
    // What is still being made may show them: it answers those who already wait for it, and is not stored.
    this.#making = new Map()
    // Much more is kept than is dropped, so nothing is noted for it: all that is kept is looked at.
    const untrue: string[] = []
    for (const [key, { sources }] of this.#entries.entries())
      if (!sources.areAll || ids.some(id => sources.ids.has(id))) untrue.push(key)
    for (const key of untrue) this.#entries.delete(key)
  }

  #hasChanged({ ids, areAll }: Sources, since: number): boolean {
    if (since < this.#lastOfAll) return true
    return this.#lastOfSome.some(last => last.change > since && (!areAll || last.ids.some(id => ids.has(id))))
  }
}
