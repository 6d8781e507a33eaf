import type { EntityManager } from '@mikro-orm/postgresql'
import { LRUCache } from 'lru-cache'
import { METRES_STEPS, PRICE_PER_100_M_STEPS, PRICE_STEPS, stepText, type Step } from '#schema/rules/facts/facet-steps'
import { WEIGHT_CLASSES } from '#schema/rules/facts/weight-class'
import type { ProductFacetField } from '../../generated/types.ts'
import { addAll, bestIn, type Bits, countBoth, eachIn, inAll, longer, noBits, put, within } from './bits.ts'
import { FIELDS_OF, type Filter } from './product-filter.ts'
import { TermFinder, type Wanted } from './term-finder.ts'

/** So many rows are read at a time: few enough for others to be answered in between. */
const BATCH = 1_000
const MOST_ANSWERS = 200
/** What a list holds. */
export interface Holding {
  total: number
  /** Places of the best rated, the best first. */
  best(most: number): number[]
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
  #onSale = noBits(this.#capacity)
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
  readonly #terms = new TermFinder(this.#capacity)
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
      const words = wanted ? [await this.#terms.matches(em, wanted)] : []
      const bits = inAll([this.#onSale, ...words, ...this.#chosen(filter).values()])
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
      const there = new Set<number | undefined>()
      eachIn(this.#onSale, place => there.add(this.#category[place]))
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
      const words = wanted ? [await this.#terms.matches(em, wanted)] : []
      const chosen = this.#chosen(filter)
      const everything = inAll([this.#onSale, ...words, ...chosen.values()])
      const counts = new Map<ProductFacetField, Map<string, number>>()
      for (const field of Object.keys(FIELDS_OF) as ProductFacetField[]) {
        const others = chosen.has(field)
          ? inAll([this.#onSale, ...words, ...[...chosen].filter(([other]) => other !== field).map(([, bits]) => bits)])
          : everything
        const values = this.#values.get(field) ?? new Map<string, Bits>()
        counts.set(field, new Map(Array.from(values, ([value, bits]) => [value, countBoth(others, bits, most)])))
      }
      return counts
    })
  }

  /** What `find` answers from what is known of the products: found again once one has changed. */
  async #kept<T>(of: readonly unknown[], find: () => Promise<T>): Promise<T> {
    const key = JSON.stringify(of)
    const asOf = this.#terms.end
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
        last = rows.at(-1)?.place ?? last
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
      this.#terms.note(row.place)
    }
    this.#terms.forgetOld()
    this.#horizon = rows[0]?.horizon ?? this.#horizon
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
    const category = this.#categories.get(row.category) ?? this.#categories.size
    this.#categories.set(row.category, category)
    this.#category[place] = category
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
    const bits = values.get(value) ?? noBits(this.#capacity)
    values.set(value, bits)
    return bits
  }

  #grow(place: number): void {
    while (place >= this.#capacity) this.#capacity *= 2
    this.#terms.capacity = this.#capacity
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
        chosen.set(field, within(this.#numbers[field], from - 0.5, to + 0.5, this.#capacity))
      } else if (field === 'RATING') {
        if ((first as number) > 0) chosen.set(field, this.#any(field, [String(first)]))
      } else chosen.set(field, this.#any(field, [first].flat().map(String)))
    }
    if (filter.category != null) {
      const wanted = this.#categories.get(filter.category) ?? Infinity
      chosen.set('CATEGORY', within(this.#category, wanted, wanted + 1, this.#capacity))
    }
    return chosen
  }

  #any(field: ProductFacetField, values: readonly string[]): Bits {
    const any = noBits(this.#capacity)
    for (const value of values) {
      const bits = this.#values.get(field)?.get(value)
      if (bits) addAll(any, bits)
    }
    return any
  }
}

/** To the nearest whole number, as product-filter.ts has it. */
const isWithin = (number: number, { from, to }: Step) => number >= from - 0.5 && (to === null || number < to + 0.5)
