import type { EntityManager } from '@mikro-orm/postgresql'
import { LRUCache } from 'lru-cache'
import { METRES_STEPS, PRICE_PER_100_M_STEPS, PRICE_STEPS, stepText, type Step } from '#schema/rules/facts/facet-steps'
import { WEIGHT_CLASSES } from '#schema/rules/facts/weight-class'
import type { ProductFacetField } from '../../generated/types.ts'
import type { Condition } from '../../query/paging.ts'
import { FIELDS_OF, type Filter } from './product-filter.ts'

const BATCH = 5_000
/** What keywords found, kept for the next who narrows it down. */
const KEPT_BYTES = 64 * 2 ** 20
/** After more changes than these a keyword is searched for again as a whole. */
const MOST_CHANGED = 1_000

/** One bit for each product, by its place. */
type Bits = Uint32Array<ArrayBuffer>

/** What a keyword found. */
interface Kept {
  bits: Bits
  /** Places that are to be looked at again. */
  changed: Set<number>
  ready: Promise<void>
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
  metres: number | null
  price: number
  price_per_100_m: number | null
  category: string
}

const ROW = `p.place, p.published_at is not null and p.archived_at is null as on_sale, p.kind, p.weight_class, p.fibres, p.colours,
  p.needle_mm, p.hook_mm, p.superwash, p.count_in_stock > 0 as in_stock, p.rating_sum / greatest(p.num_reviews, 1) as rating,
  p.metres, p.price, p.price_per_100_m, p.category`

const STEPS = { METRES: METRES_STEPS, PRICE: PRICE_STEPS, PRICE_PER_100_M: PRICE_PER_100_M_STEPS } as const
type StepField = keyof typeof STEPS
const isStepField = (field: ProductFacetField): field is StepField => field in STEPS
const COLUMN = { METRES: 'metres', PRICE: 'price', PRICE_PER_100_M: 'price_per_100_m' } as const

/**
 * Which product has which value, in the memory of the process: a bit for each product and value, some 20 MB for a million
 * products. Every count first asks the database what transactions have changed since the last one, so it is never late.
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
  #category: Bits = new Uint32Array(this.#capacity)
  readonly #categories = new Map<string, number>()
  /** Transactions from this one on may have changed something that was not seen yet. Null before anything was read. */
  #horizon: string | null = null
  #running: Promise<void> | null = null
  #next: Promise<void> | null = null
  readonly #found = new LRUCache<string, Kept>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ bits }) => bits.byteLength + 1_000,
  })

  /** Counts of every value of every facet: of the products that match all but the facet's own field. Counting ends behind `most`. */
  async count(
    em: EntityManager,
    found: Condition | null,
    filter: Filter,
    most: number,
  ): Promise<Map<ProductFacetField, Map<string, number>>> {
    await this.#refresh(em)
    const words = found ? await this.#matches(em, found) : null
    const chosen = this.#chosen(filter)
    const everything = this.#both([this.#onSale, words, ...chosen.values()])
    const counts = new Map<ProductFacetField, Map<string, number>>()
    for (const field of Object.keys(FIELDS_OF) as ProductFacetField[]) {
      const within = chosen.has(field)
        ? this.#both([this.#onSale, words, ...[...chosen].filter(([other]) => other !== field).map(([, bits]) => bits)])
        : everything
      const values = this.#values.get(field) ?? new Map<string, Bits>()
      counts.set(field, new Map(Array.from(values, ([value, bits]) => [value, countBoth(within, bits, most)])))
    }
    return counts
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
        for (const row of rows) this.#set(row)
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
      for (const found of this.#found.values()) found.changed.add(row.place)
    }
    this.#horizon = rows[0]!.horizon
  }

  #set(row: Row): void {
    const { place } = row
    if (place >= this.#capacity) this.#grow(place)
    put(this.#onSale, place, row.on_sale)
    for (const values of this.#values.values()) for (const bits of values.values()) put(bits, place, false)
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
    this.#category = longer(this.#category, this.#capacity)
    for (const found of this.#found.values()) found.bits = grown(found.bits)
  }

  /** The products that the filter leaves, field by field. */
  #chosen(filter: Filter): Map<ProductFacetField | 'CATEGORY', Bits> {
    const chosen = new Map<ProductFacetField | 'CATEGORY', Bits>()
    for (const [field, names] of Object.entries(FIELDS_OF) as [ProductFacetField, readonly (keyof Filter)[]][]) {
      const [first, last] = names.map(name => filter[name] ?? null)
      if (first == null && last == null) continue
      if (isStepField(field)) {
        const step = { from: (first as number | null) ?? -Infinity, to: (last as number | null) ?? null }
        chosen.set(
          field,
          this.#where(this.#numbers[field], number => isWithin(number, step)),
        )
      } else if (field === 'RATING') {
        if ((first as number) > 0) chosen.set(field, this.#any(field, [String(first)]))
      } else chosen.set(field, this.#any(field, [first].flat().map(String)))
    }
    if (filter.category != null) {
      const wanted = this.#categories.get(filter.category)
      chosen.set(
        'CATEGORY',
        this.#where(this.#category, category => category === wanted),
      )
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

  #where(numbers: Float64Array | Uint32Array, holds: (number: number) => boolean): Bits {
    const bits = new Uint32Array(this.#capacity / 32)
    for (let place = 0; place < numbers.length; place++) if (holds(numbers[place]!)) put(bits, place, true)
    return bits
  }

  #both(sets: readonly (Bits | null)[]): Bits {
    const [first, ...others] = sets.filter(bits => bits !== null)
    if (others.length === 0) return first!
    const both = first!.slice()
    for (const bits of others) for (let word = 0; word < both.length; word++) both[word]! &= bits[word]!
    return both
  }

  /** What a keyword finds. Of a keyword asked for before, only products that have changed are looked at again. */
  async #matches(em: EntityManager, found: Condition): Promise<Bits> {
    const key = JSON.stringify(found)
    let kept = this.#found.get(key)
    if (!kept || kept.changed.size > MOST_CHANGED) {
      // Kept before it is read, so that it hears of what changes meanwhile.
      kept = { bits: new Uint32Array(this.#capacity / 32), changed: new Set(), ready: Promise.resolve() }
      this.#found.set(key, kept)
      kept.ready = this.#find(em, found, kept)
    } else if (kept.changed.size > 0) {
      const again = [...kept.changed]
      kept.changed.clear()
      const { ready } = kept
      kept.ready = ready.then(() => this.#find(em, found, kept!, again))
    }
    try {
      await kept.ready
    } catch (error) {
      this.#found.delete(key)
      throw error
    }
    return kept.bits
  }

  async #find(em: EntityManager, found: Condition, kept: Kept, among?: readonly number[]): Promise<void> {
    const places = await this.#places(em, found, among)
    for (const place of among ?? []) put(kept.bits, place, false)
    // One that is new to the index too is among the next changes.
    for (const place of places) if (place < this.#capacity) put(kept.bits, place, true)
  }

  async #places(em: EntityManager, [sql, ...values]: Condition, among?: readonly number[]): Promise<number[]> {
    const [{ places }] = (await em.execute(
      `select string_agg(int4send(place), ''::bytea) as places from products
       where published_at is not null and archived_at is null and ${sql} ${among ? 'and place = any (?::int[])' : ''}`,
      [...values, ...(among ? [`{${among.join()}}`] : [])],
    )) as [{ places: Buffer | null }]
    return Array.from({ length: (places?.length ?? 0) / 4 }, (_, index) => places!.readInt32BE(4 * index))
  }
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
