import type { EntityManager } from '@mikro-orm/postgresql'
import { LRUCache } from 'lru-cache'
import { METRES_STEPS, PRICE_PER_100_M_STEPS, PRICE_STEPS, stepText, type Step } from '#schema/rules/facts/facet-steps'
import { WEIGHT_CLASSES } from '#schema/rules/facts/weight-class'
import type { ProductFacetField } from '../../generated/types.ts'
import { FIELDS_OF, type Filter } from './product-filter.ts'

/** So many rows are read at a time: few enough for others to be answered in between. */
const BATCH = 1_000
/** A word is looked for among so many products at a time, within the time that a statement has. */
const SPAN = 2 ** 17
/** Up to so many products the database may look for a word in whatever way it likes. */
const FEW = 2 ** 14
/** Places of so many products are kept as they are; bits of more take less room. */
const MOST_PLACES = 2 ** 12
/** What words found, kept for the next who asks for them. */
const KEPT_BYTES = 64 * 2 ** 20
/** After more changes than these a word is searched for again as a whole. */
const MOST_CHANGED = 1_000
const MOST_ANSWERS = 200
/** A score is below 5; products are parted by it before the best are sorted. */
const STEPS_OF_SCORE = 5_000

/** One bit for each product, by its place. */
type Bits = Uint32Array<ArrayBuffer>

/** What is looked for: products that match at least `most` of the terms, each written as PostgreSQL's text search has it. */
export interface Wanted {
  terms: readonly string[]
  most: number
}

/** What a list holds. */
export interface Holding {
  total: number
  /** Places of the best rated, the best first. */
  best(most: number): number[]
}

/** What one way to say a term found: every product's bit, or the places of a few. */
type Found = Bits | Int32Array<ArrayBuffer>

interface Kept {
  /** As of which change. */
  seen: number
  bytes: number
  found: Promise<Found>
}

interface Row {
  place: number
  on_sale: boolean
  kind: string | null
  weight_class: number | null
  fibres: string[]
  colours: string[]
  needle_mm: number[]
  hook_mm: number[]
  superwash: boolean | null
  in_stock: boolean
  /** Floor of the plain average. */
  rating: number
  score: number
  metres: number | null
  price: number
  price_per_100_m: number | null
  category: string
}

const ROW = `p.place, p.published_at is not null and p.archived_at is null as on_sale, p.kind, p.weight_class, p.fibres, p.colours,
  p.needle_mm, p.hook_mm, p.superwash, p.count_in_stock > 0 as in_stock, p.rating_sum / greatest(p.num_reviews, 1) as rating,
  p.score, p.metres, p.price, p.price_per_100_m, p.category`

const STEPS = { METRES: METRES_STEPS, PRICE: PRICE_STEPS, PRICE_PER_100_M: PRICE_PER_100_M_STEPS } as const
type StepField = keyof typeof STEPS
const isStepField = (field: ProductFacetField): field is StepField => field in STEPS
const COLUMN = { METRES: 'metres', PRICE: 'price', PRICE_PER_100_M: 'price_per_100_m' } as const

/**
 * Which product has which value, in the memory of the process: a bit for each product and value, some 60 MB for a million
 * products. Whoever asks first hears from the database what transactions have changed since the last time, so no answer
 * is late; those that nothing changed since are kept.
 */
export class FacetIndex {
  #capacity = 1_024
  #onSale: Bits = new Uint32Array(this.#capacity / 32)
  readonly #values = new Map<ProductFacetField, Map<string, Bits>>()
  readonly #numbers = {
    METRES: new Float64Array(this.#capacity),
    PRICE: new Float64Array(this.#capacity),
    PRICE_PER_100_M: new Float64Array(this.#capacity),
  }
  #score = new Float64Array(this.#capacity)
  #category: Bits = new Uint32Array(this.#capacity)
  readonly #categories = new Map<string, number>()
  /** Transactions from this one on may have changed something that was not seen yet. Null before anything was read. */
  #horizon: string | null = null
  #running: Promise<void> | null = null
  #next: Promise<void> | null = null
  /** Places that have changed, the last at the end; `#forgotten` came before. */
  #changed: number[] = []
  #forgotten = 0
  readonly #found = new LRUCache<string, Kept>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
  })
  /** Answers, and as of which change. */
  readonly #answers = new LRUCache<string, { asOf: number; answer: Promise<unknown> }>({ max: MOST_ANSWERS })

  /** How many products match, and which of them are rated best. */
  async holding(em: EntityManager, wanted: Wanted | null, filter: Filter): Promise<Holding> {
    await this.#refresh(em)
    return this.#holding(em, wanted, filter)
  }

  /** The same, with what `put` makes of it; `by` says how that differs from what others make of it. */
  async inOrder<T>(
    em: EntityManager,
    wanted: Wanted,
    filter: Filter,
    by: readonly unknown[],
    put: (holding: Holding) => Promise<T>,
  ): Promise<{ total: number; ordered: T }> {
    await this.#refresh(em)
    return this.#kept(['ordered', wanted, filter, by], async () => {
      const holding = await this.#holding(em, wanted, filter)
      return { total: holding.total, ordered: await put(holding) }
    })
  }

  #holding(em: EntityManager, wanted: Wanted | null, filter: Filter): Promise<Holding> {
    return this.#kept(['holding', wanted, filter], async () => {
      const words = wanted ? await this.#matches(em, wanted) : null
      const bits = this.#both([this.#onSale, words, ...this.#chosen(filter).values()])
      let best: number[] = []
      const total = countBoth(bits, bits, Infinity)
      return {
        total,
        best: most => {
          if (best.length < Math.min(most, total)) best = bestIn(bits, this.#score, most)
          return best.slice(0, most)
        },
      }
    })
  }

  /** What products on sale have: values of facets, and categories. */
  async held(em: EntityManager): Promise<Map<ProductFacetField | 'CATEGORY', Set<string>>> {
    await this.#refresh(em)
    return this.#kept(['held'], () => {
      const held = new Map<ProductFacetField | 'CATEGORY', Set<string>>()
      for (const [field, values] of this.#values)
        held.set(
          field,
          new Set([...values].filter(([, bits]) => bits.some(word => word !== 0)).map(([value]) => value)),
        )
      const there = new Set<number>()
      eachIn(this.#onSale, place => there.add(this.#category[place]!))
      held.set(
        'CATEGORY',
        new Set([...this.#categories].filter(([, number]) => there.has(number)).map(([category]) => category)),
      )
      return Promise.resolve(held)
    })
  }

  /** Counts of every value of every facet: of the products that match all but the facet's own field. Counting ends behind `most`. */
  async count(
    em: EntityManager,
    wanted: Wanted | null,
    filter: Filter,
    most: number,
  ): Promise<Map<ProductFacetField, Map<string, number>>> {
    await this.#refresh(em)
    return this.#kept(['count', wanted, filter, most], async () => {
      const words = wanted ? await this.#matches(em, wanted) : null
      const chosen = this.#chosen(filter)
      const everything = this.#both([this.#onSale, words, ...chosen.values()])
      const counts = new Map<ProductFacetField, Map<string, number>>()
      for (const field of Object.keys(FIELDS_OF) as ProductFacetField[]) {
        const within = chosen.has(field)
          ? this.#both([
              this.#onSale,
              words,
              ...[...chosen].filter(([other]) => other !== field).map(([, bits]) => bits),
            ])
          : everything
        const values = this.#values.get(field) ?? new Map<string, Bits>()
        counts.set(field, new Map(Array.from(values, ([value, bits]) => [value, countBoth(within, bits, most)])))
      }
      return counts
    })
  }

  /** What `find` answers from what is known of the products: found again once one has changed. */
  async #kept<T>(of: readonly unknown[], find: () => Promise<T>): Promise<T> {
    const key = JSON.stringify(of)
    const asOf = this.#end
    const known = this.#answers.get(key)
    if (known?.asOf === asOf) return known.answer as Promise<T>
    const answer = find()
    this.#answers.set(key, { asOf, answer })
    try {
      return await answer
    } catch (error) {
      this.#answers.delete(key)
      throw error
    }
  }

  /** Reads the shop's products, which takes seconds for a million of them. */
  warm(em: EntityManager): Promise<void> {
    return this.#refresh(em)
  }

  get #end(): number {
    return this.#forgotten + this.#changed.length
  }

  /** Reads what has changed. One who comes while that goes on waits for the next time: this one may have begun too early. */
  #refresh(em: EntityManager): Promise<void> {
    if (!this.#running) {
      this.#running = this.#read(em).finally(() => {
        this.#running = null
      })
      return this.#running
    }
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = null
        return this.#refresh(em)
      })
    return this.#next
  }

  async #read(em: EntityManager): Promise<void> {
    if (this.#horizon === null) {
      const [{ horizon }] = (await em.execute('select pg_snapshot_xmin(pg_current_snapshot())::text as horizon')) as [
        { horizon: string },
      ]
      for (let last = 0; ;) {
        const rows = await em.execute<Row[]>(
          `select ${ROW} from products p where p.place > ? order by p.place limit ${BATCH}`,
          [last],
        )
        for (const row of rows) this.#set(row, true)
        if (rows.length < BATCH) break
        last = rows.at(-1)!.place
      }
      this.#horizon = horizon
    }
    // In one statement, so that what it does not see has a number from the new horizon on.
    const rows = await em.execute<(Row & { horizon: string; place: number | null })[]>(
      `select pg_snapshot_xmin(pg_current_snapshot())::text as horizon, ${ROW}
       from (select 1) one left join products p on p.facts_changed >= ?::text::xid8`,
      [this.#horizon],
    )
    for (const row of rows) {
      if (row.place === null) continue
      this.#set(row)
      this.#changed.push(row.place)
    }
    if (this.#changed.length > 4 * MOST_CHANGED)
      this.#forgotten += this.#changed.splice(0, this.#changed.length - MOST_CHANGED).length
    this.#horizon = rows[0]!.horizon
  }

  #set(row: Row, isNew = false): void {
    const { place } = row
    if (place >= this.#capacity) this.#grow(place)
    put(this.#onSale, place, row.on_sale)
    if (!isNew) for (const values of this.#values.values()) for (const bits of values.values()) put(bits, place, false)
    this.#score[place] = row.score
    this.#numbers.METRES[place] = row.metres ?? NaN
    this.#numbers.PRICE[place] = row.price
    this.#numbers.PRICE_PER_100_M[place] = row.price_per_100_m ?? NaN
    if (!this.#categories.has(row.category)) this.#categories.set(row.category, this.#categories.size)
    this.#category[place] = this.#categories.get(row.category)!
    if (!row.on_sale) return
    const add = (field: ProductFacetField, value: string | null | undefined) => {
      if (value != null) put(this.#bitsOf(field, value), place, true)
    }
    add('KIND', row.kind)
    add('WEIGHT_CLASS', row.weight_class === null ? null : WEIGHT_CLASSES[row.weight_class])
    for (const fibre of row.fibres) add('FIBRE', fibre)
    for (const colour of row.colours) add('COLOUR', colour)
    for (const size of row.needle_mm) add('NEEDLE_MM', String(size))
    for (const size of row.hook_mm) add('HOOK_MM', String(size))
    add('SUPERWASH', row.superwash === null ? null : String(row.superwash))
    add('IN_STOCK', String(row.in_stock))
    for (let rating = 1; rating <= row.rating; rating++) add('RATING', String(rating))
    for (const field of Object.keys(STEPS) as StepField[]) {
      const number = row[COLUMN[field]]
      const step = number === null ? undefined : STEPS[field].find(step => isWithin(number, step))
      if (step) add(field, stepText(step))
    }
  }

  #bitsOf(field: ProductFacetField, value: string): Bits {
    const values = this.#values.get(field) ?? new Map<string, Bits>()
    this.#values.set(field, values)
    const bits = values.get(value) ?? new Uint32Array(this.#capacity / 32)
    values.set(value, bits)
    return bits
  }

  #grow(place: number): void {
    while (place >= this.#capacity) this.#capacity *= 2
    const grown = (bits: Bits) => longer(bits, this.#capacity / 32)
    this.#onSale = grown(this.#onSale)
    for (const values of this.#values.values()) for (const [value, bits] of values) values.set(value, grown(bits))
    for (const field of Object.keys(STEPS) as StepField[]) {
      const numbers = new Float64Array(this.#capacity)
      numbers.set(this.#numbers[field])
      this.#numbers[field] = numbers
    }
    const score = new Float64Array(this.#capacity)
    score.set(this.#score)
    this.#score = score
    this.#category = longer(this.#category, this.#capacity)
  }

  /** The products that the filter leaves, field by field. */
  #chosen(filter: Filter): Map<ProductFacetField | 'CATEGORY', Bits> {
    const chosen = new Map<ProductFacetField | 'CATEGORY', Bits>()
    for (const [field, names] of Object.entries(FIELDS_OF) as [ProductFacetField, readonly (keyof Filter)[]][]) {
      const [first, last] = names.map(name => filter[name] ?? null)
      if (first == null && last == null) continue
      if (isStepField(field)) {
        const [from, to] = [(first as number | null) ?? -Infinity, (last as number | null) ?? Infinity]
        chosen.set(field, this.#where(this.#numbers[field], from - 0.5, to + 0.5))
      } else if (field === 'RATING') {
        if ((first as number) > 0) chosen.set(field, this.#any(field, [String(first)]))
      } else chosen.set(field, this.#any(field, [first].flat().map(String)))
    }
    if (filter.category != null) {
      const wanted = this.#categories.get(filter.category) ?? Infinity
      chosen.set('CATEGORY', this.#where(this.#category, wanted, wanted + 1))
    }
    return chosen
  }

  #any(field: ProductFacetField, values: readonly string[]): Bits {
    const any = new Uint32Array(this.#capacity / 32)
    for (const value of values) {
      const bits = this.#values.get(field)?.get(value)
      if (bits) for (let word = 0; word < any.length; word++) any[word]! |= bits[word]!
    }
    return any
  }

  /** Which products have a number from `from` up to below `to`. */
  #where(numbers: Float64Array | Uint32Array, from: number, to: number): Bits {
    const bits = new Uint32Array(this.#capacity / 32)
    for (let place = 0; place < numbers.length; place++)
      if (numbers[place]! >= from && numbers[place]! < to) bits[place >>> 5]! |= 1 << (place & 31)
    return bits
  }

  #both(sets: readonly (Bits | null)[]): Bits {
    const [first, ...others] = sets.filter(bits => bits !== null)
    if (others.length === 0) return first!
    const both = first!.slice()
    for (const bits of others) for (let word = 0; word < both.length; word++) both[word]! &= bits[word]!
    return both
  }

  async #matches(em: EntityManager, { terms, most }: Wanted): Promise<Bits> {
    const found: Bits[] = []
    for (const term of terms) found.push(await this.#term(em, term))
    if (most === terms.length) return this.#both(found)
    // Of n terms, at least so many: whoever has k of the first n has k of the first n - 1, or k - 1 and the last.
    let least: (Bits | null)[] = [null, ...Array.from({ length: most }, () => new Uint32Array(this.#capacity / 32))]
    for (const bits of found)
      least = least.map((before, count) => {
        if (before === null) return null
        const fewer = least[count - 1] ?? null
        return before.map((word, place) => word | ((fewer ? fewer[place]! : ~0) & (bits[place] ?? 0)))
      })
    return least[most]!
  }

  /** What a term finds: any of the ways to say it. What each found is kept: beginnings of one word share most of theirs. */
  async #term(em: EntityManager, term: string): Promise<Bits> {
    const ways = await this.#ways(em, [...new Set(term.split(' | '))])
    const any = new Uint32Array(this.#capacity / 32)
    for (const found of ways)
      if (found instanceof Int32Array) for (const place of found) put(any, place, true)
      else for (let word = 0; word < found.length; word++) any[word]! |= found[word]!
    return any
  }

  /** What each way finds. Of those that were asked for before, only products that have changed are looked at again. */
  async #ways(em: EntityManager, ways: readonly string[]): Promise<Found[]> {
    const end = this.#end
    const found = new Map<string, Promise<Found>>()
    const missing: string[] = []
    const stale: [string, Kept][] = []
    for (const way of ways) {
      const kept = this.#found.get(way)
      if (!kept || kept.seen < this.#forgotten || end - kept.seen > MOST_CHANGED) missing.push(way)
      else if (kept.seen < end) stale.push([way, kept])
      else found.set(way, kept.found)
    }
    const keep = (way: string, what: Promise<Found>) => {
      found.set(way, what)
      this.#keep(way, end, what)
    }
    if (missing.length > 0) {
      const all = this.#find(em, missing)
      for (const [at, way] of missing.entries())
        keep(
          way,
          all.then(each => each[at]!),
        )
    }
    if (stale.length > 0) {
      const since = Math.min(...stale.map(([, { seen }]) => seen))
      const changed = [...new Set(this.#changed.slice(since - this.#forgotten))]
      const all = Promise.all(stale.map(([, kept]) => kept.found)).then(known =>
        this.#findAgain(
          em,
          stale.map(([way]) => way),
          known,
          changed,
        ),
      )
      for (const [at, [way]] of stale.entries())
        keep(
          way,
          all.then(each => each[at]!),
        )
    }
    return Promise.all(ways.map(way => found.get(way)!))
  }

  #keep(way: string, seen: number, found: Promise<Found>): void {
    const kept: Kept = { seen, bytes: this.#capacity / 8, found }
    this.#found.set(way, kept)
    const isStill = () => this.#found.peek(way) === kept
    found.then(
      ({ byteLength }) => isStill() && this.#found.set(way, { ...kept, bytes: byteLength + 1_000 }),
      () => isStill() && this.#found.delete(way),
    )
  }

  async #find(em: EntityManager, ways: readonly string[]): Promise<Found[]> {
    const few = await this.#reading(em, tx => placesOfEach(tx, ways, MOST_PLACES + 1))
    return Promise.all(
      few.map(async (places, at) => {
        if (places.length <= MOST_PLACES) return places
        const bits = new Uint32Array(this.#capacity / 32)
        for (let from = 0, to = this.#capacity; from < to; from += SPAN) {
          const within = await this.#reading(em, tx => placesWithin(tx, ways[at]!, from, from + SPAN))
          // One that is new to the index too is among the next changes.
          for (const place of within) if (place < 32 * bits.length) put(bits, place, true)
        }
        return bits
      }),
    )
  }

  #reading<T>(em: EntityManager, read: (tx: EntityManager) => Promise<T>): Promise<T> {
    if (this.#capacity <= FEW) return read(em)
    return em.fork().transactional(async tx => {
      // Documents are kept apart from their rows, which the planner does not count: whoever compares them one by one reads ten times as much.
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
      if (found instanceof Int32Array)
        return Int32Array.from([...found.filter(place => !isChanged.has(place)), ...again[at]!])
      const bits = longer(found, this.#capacity / 32)
      for (const place of changed) put(bits, place, false)
      for (const place of again[at]!) if (place < 32 * bits.length) put(bits, place, true)
      return bits
    })
  }
}

const FOUND = `string_agg(int4send(place), ''::bytea) as places`

/** At most so many places for each of several ways. */
async function placesOfEach(
  em: EntityManager,
  ways: readonly string[],
  most: number,
  among?: readonly number[],
): Promise<Int32Array<ArrayBuffer>[]> {
  const rows = await em.execute<{ places: Buffer | null }[]>(
    `select found.places from jsonb_array_elements_text(?::jsonb) with ordinality as w(way, at) cross join lateral (
       select ${FOUND} from (
         select place from products where search_document @@ to_tsquery('english', w.way) ${among ? 'and place = any (?::int[])' : ''} limit ?
       ) matching) found
     order by w.at`,
    [JSON.stringify(ways), ...(among ? [`{${among.join()}}`] : []), most],
  )
  return rows.map(({ places }) => placesIn(places))
}

async function placesWithin(em: EntityManager, way: string, from: number, to: number) {
  const [{ places }] = (await em.execute(
    `select ${FOUND} from products where search_document @@ to_tsquery('english', ?) and place >= ? and place < ?`,
    [way, from, to],
  )) as [{ places: Buffer | null }]
  return placesIn(places)
}

const placesIn = (places: Buffer | null) =>
  Int32Array.from({ length: (places?.length ?? 0) / 4 }, (_, index) => places!.readInt32BE(4 * index))

/** Places of the products with the highest scores, the last added first among equals. */
function bestIn(bits: Bits, score: Float64Array, most: number): number[] {
  const steps = new Uint32Array(STEPS_OF_SCORE + 1)
  const stepOf = (place: number) => Math.floor((score[place]! / 5) * STEPS_OF_SCORE)
  eachIn(bits, place => steps[stepOf(place)]!++)
  let least = steps.length
  for (let count = 0; count < most && least > 0;) count += steps[--least]!
  const best: number[] = []
  eachIn(bits, place => {
    if (stepOf(place) >= least) best.push(place)
  })
  return best.toSorted((a, b) => score[b]! - score[a]! || b - a).slice(0, most)
}

function eachIn(bits: Bits, tell: (place: number) => void): void {
  for (let word = 0; word < bits.length; word++)
    for (let left = bits[word]!; left !== 0; left &= left - 1) tell(32 * word + 31 - Math.clz32(left & -left))
}

/** To the nearest whole number, as product-filter.ts has it. */
const isWithin = (number: number, { from, to }: Step) => number >= from - 0.5 && (to === null || number < to + 0.5)

function put(bits: Bits, place: number, value: boolean): void {
  if (value) bits[place >>> 5]! |= 1 << (place & 31)
  else bits[place >>> 5]! &= ~(1 << (place & 31))
}

function longer(bits: Bits, length: number): Bits {
  if (bits.length >= length) return bits
  const grown = new Uint32Array(length)
  grown.set(bits)
  return grown
}

/** How many bits two sets have in common; a number above `most` for any more. */
function countBoth(a: Bits, b: Bits, most: number): number {
  let count = 0
  for (let word = 0; word < a.length; word++) {
    let both = a[word]! & b[word]!
    if (both === 0) continue
    both -= (both >>> 1) & 0x55555555
    both = (both & 0x33333333) + ((both >>> 2) & 0x33333333)
    count += Math.imul((both + (both >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
    if (count > most) return most + 1
  }
  return count
}
