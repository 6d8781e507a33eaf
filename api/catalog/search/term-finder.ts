import type { EntityManager } from '@mikro-orm/postgresql'
import { LRUCache } from 'lru-cache'
import { primaryOf } from '../../query/primary.ts'
import { read } from '../../query/read.ts'
import {
  addAll,
  type Bits,
  inMost,
  longer,
  narrow,
  noBits,
  type Places,
  placesAsBits,
  put,
  type Selection,
  selectPlaces,
} from './bits.ts'

/** A word is looked for among so many products at a time, within the time that a statement has. */
const SPAN = 2 ** 19
/** Up to so many products the database may look for a word in whatever way it likes. */
const FEW = 2 ** 14
/** Places of so many products are kept as they are; bits of more take less room. */
const MOST_PLACES = 2 ** 12
/** What words found, kept for the next who asks for them. */
const KEPT_BYTES = 64 * 2 ** 20
/**
 * More ways to say a term than these are looked for as one, unless all of them are known: of words that begin alike products have several, and
 * would be read for each.
 */
const MOST_APART = 4
/** After more changes than these a word is searched for again as a whole. */
const MOST_CHANGED = 1_000

/** What is looked for: products that match at least `most` of the terms, each written as PostgreSQL's text search has it. */
export interface Wanted {
  terms: readonly string[]
  most: number
}

/** What one way to say a term found: every product's bit, or the places of a few. */
type Found = Bits | Places

interface Kept {
  /** As of which change. */
  seen: number
  bytes: number
  found: Promise<Found>
}

const NOTHING = new Int32Array(0)

/** Which products match what is looked for. What was found is kept; only products that have changed are looked at again. */
export class TermFinder {
  capacity: number
  /** Places that have changed, the last at the end; `#forgotten` came before. */
  #changed: number[] = []
  #forgotten = 0
  readonly #found = new LRUCache<string, Kept>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
  })

  constructor(capacity: number) {
    this.capacity = capacity
  }

  /** The number of the last change that is known. */
  get end(): number {
    return this.#forgotten + this.#changed.length
  }

  note(place: number): void {
    this.#changed.push(place)
    if (this.#changed.length > 4 * MOST_CHANGED)
      this.#forgotten += this.#changed.splice(0, this.#changed.length - MOST_CHANGED).length
  }

  async matches(asked: EntityManager, { terms, most }: Wanted): Promise<Selection> {
    const em = primaryOf(asked)
    const found: Found[] = []
    for (const term of terms) found.push(await this.#term(em, term))
    const asAll = (each: Found) => (each instanceof Int32Array ? placesAsBits(each, this.capacity) : each)
    if (most < terms.length) return inMost(found.map(asAll), most, this.capacity)
    // The fewest first: what is done follows them.
    const [first, ...others] = found.toSorted((a, b) => a.byteLength - b.byteLength)
    const start: Selection =
      first instanceof Int32Array ? selectPlaces(first) : (first?.slice() ?? noBits(this.capacity))
    return others.reduce((all, other) => narrow(all, asAll(other)), start)
  }

  /** Whether what the terms find is known, but for what has changed since, or soon read. */
  isKnown(terms: readonly string[]): boolean {
    return this.capacity <= FEW || terms.every(term => this.#waysOf(term).every(way => this.#isKept(way)))
  }

  /** Those of the places that have all of the terms, in the same order. */
  async among(asked: EntityManager, terms: readonly string[], places: readonly number[]): Promise<number[]> {
    const all = terms.map(term => `(${term})`).join(' & ')
    const [found] = await placesOfEach(primaryOf(asked), [all], places.length, places)
    const matching = new Set(found)
    return places.filter(place => matching.has(place))
  }

  /** What a term finds: any of the ways to say it, each of which is kept. */
  async #term(em: EntityManager, term: string): Promise<Found> {
    const ways = await this.#ways(em, this.#waysOf(term))
    const few = ways.filter(found => found instanceof Int32Array)
    const count = few.reduce((all, { length }) => all + length, 0)
    if (few.length === ways.length && count <= MOST_PLACES) return Int32Array.from(few.flatMap(places => [...places]))
    const any = noBits(this.capacity)
    for (const found of ways)
      if (found instanceof Int32Array) for (const place of found) put(any, place, true)
      else addAll(any, found)
    return any
  }

  /** What each way finds. Of those that were asked for before, only products that have changed are looked at again. */
  async #ways(em: EntityManager, ways: readonly string[]): Promise<Found[]> {
    const end = this.end
    const found = new Map<string, Promise<Found>>()
    const missing: string[] = []
    const stale: [string, Kept][] = []
    for (const way of ways) {
      const kept = this.#found.get(way)
      if (!kept || !this.#isKept(way)) missing.push(way)
      else if (kept.seen < end) stale.push([way, kept])
      else found.set(way, kept.found)
    }
    const keep = (ways: readonly string[], all: Promise<Found[]>) => {
      for (const [at, way] of ways.entries()) {
        const what = all.then(each => each[at] ?? NOTHING)
        found.set(way, what)
        this.#keep(way, end, what)
      }
    }
    if (missing.length > 0) keep(missing, this.#find(em, missing))
    if (stale.length > 0) {
      const since = Math.min(...stale.map(([, { seen }]) => seen))
      const changed = [...new Set(this.#changed.slice(since - this.#forgotten))]
      const again = stale.map(([way]) => way)
      const known = Promise.all(stale.map(([, kept]) => kept.found))
      keep(
        again,
        known.then(known => this.#findAgain(em, again, known, changed)),
      )
    }
    return Promise.all(ways.map(way => found.get(way) ?? NOTHING))
  }

  /** The ways to say a term, or all of them as one. */
  #waysOf(term: string): string[] {
    const ways = [...new Set(term.split(' | '))]
    return ways.length <= MOST_APART || ways.every(way => this.#isKept(way)) ? ways : [term]
  }

  #isKept(way: string): boolean {
    const kept = this.#found.get(way)
    return kept !== undefined && kept.seen >= this.#forgotten && this.end - kept.seen <= MOST_CHANGED
  }

  #keep(way: string, seen: number, found: Promise<Found>): void {
    const kept: Kept = { seen, bytes: this.capacity / 8, found }
    this.#found.set(way, kept)
    const isStill = () => this.#found.peek(way) === kept
    found.then(
      ({ byteLength }) => isStill() && this.#found.set(way, { ...kept, bytes: byteLength + 1_000 }),
      () => isStill() && this.#found.delete(way),
    )
  }

  async #find(em: EntityManager, ways: readonly string[]): Promise<Found[]> {
    const few = await placesOfEach(em, ways, MOST_PLACES + 1)
    const found: Found[] = []
    // One after the other: a beginning is many words, and others need connections, too.
    for (const [at, way] of ways.entries()) {
      const places = few[at] ?? NOTHING
      found.push(places.length <= MOST_PLACES ? places : await this.#findMany(em, way))
    }
    return found
  }

  async #findMany(em: EntityManager, way: string): Promise<Bits> {
    const bits = noBits(this.capacity)
    for (let from = 0, to = this.capacity; from < to; from += SPAN) {
      const within = await this.#reading(em, tx => placesWithin(tx, way, from, from + SPAN))
      // One that is new to the index too is among the next changes.
      for (const place of within) if (place < 32 * bits.length) put(bits, place, true)
    }
    return bits
  }

  #reading<T>(em: EntityManager, read: (tx: EntityManager) => Promise<T>): Promise<T> {
    if (this.capacity <= FEW) return read(em)
    return em.fork().transactional(async tx => {
      // Long documents are kept apart from their rows, which the planner does not count: comparing them one by one reads ten times as much.
      await tx.execute(`select set_config('enable_seqscan', 'off', true), set_config('work_mem', '32MB', true)`)
      return read(tx)
    })
  }

  async #findAgain(
    em: EntityManager,
    ways: readonly string[],
    known: readonly Found[],
    changed: readonly number[],
  ): Promise<Found[]> {
    const again = await placesOfEach(em, ways, changed.length, changed)
    const isChanged = new Set(changed)
    return known.map((found, at) => {
      const now = again[at] ?? NOTHING
      if (found instanceof Int32Array) return Int32Array.from([...found.filter(place => !isChanged.has(place)), ...now])
      const bits = longer(found, this.capacity / 32)
      for (const place of changed) put(bits, place, false)
      for (const place of now) if (place < 32 * bits.length) put(bits, place, true)
      return bits
    })
  }
}

const FOUND = `string_agg(int4send(place), ''::bytea) as places`

/**
 * At most so many places for each of several ways. Places that are named are read before they are compared: to read all that has a common word first
 * takes half a second.
 */
async function placesOfEach(
  em: EntityManager,
  ways: readonly string[],
  most: number,
  among?: readonly number[],
): Promise<Places[]> {
  const rows = await read<{ places: Buffer | null }>(
    em,
    `select found.places from (
       select at, to_tsquery('english', way) as query from jsonb_array_elements_text(?::jsonb) with ordinality as w(way, at) offset 0
     ) asked cross join lateral (
       select ${FOUND} from (
         select place from ${among ? '(select place, document from product_documents where place = any (?::int[]) offset 0) among' : 'product_documents'}
         where document @@ asked.query limit ?
       ) matching) found
     order by asked.at`,
    [JSON.stringify(ways), ...(among ? [`{${among.join()}}`] : []), most],
  )
  return rows.map(({ places }) => placesIn(places))
}

async function placesWithin(em: EntityManager, way: string, from: number, to: number) {
  const [{ places }] = (await em.execute(
    `select ${FOUND} from product_documents where document @@ to_tsquery('english', ?) and place >= ? and place < ?`,
    [way, from, to],
  )) as [{ places: Buffer | null }]
  return placesIn(places)
}

export const placesIn = (places: Buffer | null) =>
  places ? Int32Array.from({ length: places.length / 4 }, (_, index) => places.readInt32BE(4 * index)) : NOTHING
