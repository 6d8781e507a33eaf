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

/** Limits the number of entries: each costs some hundred bytes beyond its content. */
const MOST_ENTRIES = 2_000

/** Memory for one tag of an entry. */
const BYTES_PER_TAG = 100

/** For so many tags the last change is remembered. */
const MOST_TAGS = 5_000

/** What a text takes in memory at most. */
export const bytesOf = (text: string) => text.length * 2

/** What something was made of, collected while it is made. */
export class Sources {
  /** What makes it untrue when it changes: ids of what is shown, and names of whatever else decides about it. */
  readonly tags = new Set<string>()
  /** Whether it may be cached at all. */
  areShared = true

  add({ tags, areShared }: Sources): void {
    for (const tag of tags) this.tags.add(tag)
    this.areShared &&= areShared
  }
}

interface Kept<Value> {
  value: Value
  tags: ReadonlySet<string>
  /** How many changes there had been when the making of it began. */
  since: number
}

/**
 * What every visitor is shown alike, kept for a moment within a budget of bytes. Of what changes, some makes all of it
 * untrue and some only what has certain tags.
 */
export class SharedCache<Value extends object> {
  readonly #keepMs: number
  readonly #entries: LRUCache<string, Kept<Value>>
  #willSweep = false
  #making = new Map<string, Promise<Value>>()
  #changes = 0
  /** The number of the last change that made everything untrue, and of the last one of each tag since, oldest first. */
  #lastOfAll = 0
  readonly #lastOf = new Map<string, number>()

  constructor({ keepMs, bytes, largest, sizeOf }: Budget<Value>) {
    this.#keepMs = keepMs
    this.#entries = new LRUCache({
      max: MOST_ENTRIES,
      maxSize: bytes,
      maxEntrySize: largest,
      sizeCalculation: ({ value, tags }, key) => sizeOf(value) + bytesOf(key) + tags.size * BYTES_PER_TAG,
      ttl: keepMs,
    })
  }

  /** Bytes kept at the moment. */
  get bytes(): number {
    return this.#entries.calculatedSize
  }

  get(key: string): Value | undefined {
    const kept = this.#entries.get(key)
    if (!kept) return undefined
    if (this.#isTrue(kept)) return kept.value
    this.#entries.delete(key)
    return undefined
  }

  /** Whether it is cached, or being made for another request. */
  holds(key: string): boolean {
    return this.get(key) !== undefined || this.#making.has(key)
  }

  /** Reserves a place for what is made from now on. It is not stored if what it was made of has changed by then. */
  reserve(key: string): (value: Value, sources: Sources) => void {
    const since = this.#changes
    return (value, { tags, areShared }) => {
      const kept = { value, tags, since }
      if (this.#keepMs === 0 || !areShared || !this.#isTrue(kept)) return
      this.#entries.set(key, kept)
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
    this.#lastOf.clear()
    this.#making = new Map()
    this.#entries.clear()
  }

  /** Drops what has one of these tags: whoever asks for it next finds that out, so that many changes cost little. */
  forgetTagged(tags: readonly string[]): void {
    this.#changes++
    for (const tag of tags) {
      this.#lastOf.delete(tag)
      this.#lastOf.set(tag, this.#changes)
    }
    while (this.#lastOf.size > MOST_TAGS) {
      const [tag, change] = present(this.#lastOf.entries().next().value)
      this.#lastOf.delete(tag)
      this.#lastOfAll = change
    }
    // What is still being made may be of what was before: it answers those who already wait for it, and is not stored.
    this.#making = new Map()
  }

  #isTrue({ tags, since }: Kept<Value>): boolean {
    if (since < this.#lastOfAll) return false
    for (const tag of tags) if ((this.#lastOf.get(tag) ?? 0) > since) return false
    return true
  }
}
