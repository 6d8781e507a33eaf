import { setImmediate } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import { LRUCache } from 'lru-cache'
import { stepText } from '#schema/rules/facts/facet-steps'
import { valueAt } from '#schema/rules/present'
import type { ProductFacetField } from '../../generated/types.ts'
import type { Key, Stretch } from '../../query/connection.ts'
import { MOST_COUNTED } from '../../query/page-sizes.ts'
import { primaryOf } from '../../query/primary.ts'
import { listed, read } from '../../query/read.ts'
import { asBits, type Few, countIn, has, longer, narrow, noBits, put, type Selection, selectPlaces } from './bits.ts'
import {
  FACET_FIELDS,
  FIELDS_OF,
  type Filter,
  isStepField,
  NUMBERS,
  ORDERINGS,
  STEPS,
  type Row,
  type Sorting,
  type StepField,
} from './facet-row.ts'
import { FacetTable } from './facet-table.ts'
import { NameOrder, type Neighbour } from './name-order.ts'
import { FEW, Order, partOf, type Part, type KeyRange } from './order.ts'
import { filterConditions, UNFACETED } from './product-filter.ts'
import { ProductReader } from './product-reader.ts'
import { placesIn, TermFinder, type Wanted } from './term-finder.ts'
import { Vocabulary } from './vocabulary.ts'

/** Of one with words it is a bit for each product of the shop. */
const MOST_ANSWERS = 100

type Ordering = keyof typeof NUMBERS | 'CATEGORY'

/** What a list holds. */
export interface Holding {
  /** A number above MOST_COUNTED for any more. */
  total: number
  /** How many there are; one more than `most` for any more. */
  count(most: number): number
  /** Places, in an order: of all, or of those whose number in it is in a range. */
  part(by: Sorting, part: Part, range?: KeyRange): number[]
  /** Those of the places that it holds, in the same order. */
  among(places: Int32Array): Int32Array
}

/** So often names are looked for anew while products change. */
const MOST_LOOKS = 3

/** What a filter asks for that is no fact of a product: these are looked up each time. */
const OTHERS = UNFACETED.filter(field => field !== 'category')

/**
 * Which product has which value, in the memory of the process: a bit for each product and value, and the orders of lists, some
 * 150 MB for a million products. Whoever calls `hear` learns from the database what transactions have changed since the last
 * time, so no answer is late; those that nothing changed since are kept.
 */
export class FacetIndex {
  #capacity = 1_024
  #onSale = noBits(this.#capacity)
  /** What selections are narrowed down in, and what is left there. */
  #bits = noBits(this.#capacity)
  #narrowedLast: { by: readonly Narrowing[]; left: Selection } | null = null
  readonly #facets = new FacetTable(this.#capacity)
  readonly #orders = Object.fromEntries(
    [...Object.keys(NUMBERS), 'CATEGORY'].map(ordering => [ordering, new Order(this.#capacity)]),
  ) as Readonly<Record<Ordering, Order>>
  readonly #names = new NameOrder(this.#capacity)
  readonly #categories = new Map<string, { number: number; onSale: number }>()
  readonly vocabulary = new Vocabulary()
  readonly #terms = new TermFinder(this.#capacity)
  #changes = 0
  readonly #reader = new ProductReader({
    known: product => this.#set(product),
    changed: (product, isReworded) => {
      this.#changes++
      this.#set(product)
      if (isReworded) this.#terms.note(product.place)
    },
    vocabularyChanged: () => this.vocabulary.forget(),
  })
  /** Answers, and as of which change. */
  readonly #answers = new LRUCache<string, { asOf: number; answer: Promise<unknown> }>({ max: MOST_ANSWERS })
  readonly #ranked = new LRUCache<string, { asOf: number; places: readonly number[]; ranked: Promise<unknown> }>({
    max: MOST_ANSWERS,
  })

  /** Reads what has changed; everything, the first time. */
  hear(em: EntityManager): Promise<void> {
    return this.#reader.hear(em)
  }

  /** How many products match, and which come first. */
  holding(em: EntityManager, wanted: Wanted | null, filter: Filter): Promise<Holding> {
    return this.#kept(['holding', wanted, filter], async () => {
      const words = wanted && (await this.#terms.matches(em, wanted))
      const chosen = await this.#chosen(em, filter)
      const start = words && narrow(words, this.#onSale)
      const narrowings = [...chosen.values()]
      const select = () => this.#narrowed(start ?? this.#onSale, narrowings)
      const total = countIn(select(), MOST_COUNTED)
      const sorted = new Map<Order, Int32Array>()
      const part: Holding['part'] = (by, part, range) => {
        const order = this.#orderOf(by, part)
        if (total > FEW)
          return order.part(
            select(),
            part,
            range ?? (by === 'PRICE' || by === 'PRICE_PER_100_M' ? rangeOf(filter, by) : null),
          )
        const all = sorted.get(order) ?? order.sorted(select())
        sorted.set(order, all)
        return partOf(range ? order.within(all, range) : all, part)
      }
      const count = (most: number) => Math.min(countIn(select(), most), most + 1)
      const among: Holding['among'] = places => {
        const held = asBits(select(), this.#capacity)
        return places.filter(place => has(held, place))
      }
      return { total, count, part, among }
    })
  }

  /**
   * Those of the best rated products that have all of the terms, the best first. Null where what the terms find is known anyway: among a
   * million products the first who asks for a common word waits until all that have it are read.
   */
  async bestRatedWith(em: EntityManager, terms: readonly string[], lookedAt: number): Promise<number[] | null> {
    if (this.#terms.isKnown(terms)) return null
    const all = await this.holding(em, null, {})
    const best = all.part('RATING', { descending: true, offset: 0, limit: lookedAt })
    return this.ranked(['with', terms], best, () => this.#terms.among(em, terms, best))
  }

  #orderOf(by: Sorting, { descending }: Part): Order {
    if (by === 'NAME') return this.#names.order
    if (by === 'PRICE_PER_100_M') return this.#orders[descending ? 'DEAREST_PER_100_M' : 'CHEAPEST_PER_100_M']
    return this.#orders[by]
  }

  /** What `rank` makes of those places: kept until other places are asked about, or the words of a product change. */
  ranked<T>(by: readonly unknown[], places: readonly number[], rank: () => Promise<T>): Promise<T> {
    const key = JSON.stringify(by)
    const known = this.#ranked.get(key)
    if (
      known?.asOf === this.#terms.end &&
      known.places.length === places.length &&
      known.places.every((place, index) => place === places[index])
    )
      return known.ranked as Promise<T>
    const ranked = rank()
    this.#ranked.set(key, { asOf: this.#terms.end, places, ranked })
    ranked.catch(() => this.#ranked.delete(key))
    return ranked
  }

  /** What products on sale have: values of facets, and categories. */
  held(): Map<ProductFacetField | 'CATEGORY', Set<string>> {
    const categories = [...this.#categories].filter(([, { onSale }]) => onSale > 0)
    return new Map<ProductFacetField | 'CATEGORY', Set<string>>([
      ...this.#facets.held(),
      ['CATEGORY', new Set(categories.map(([category]) => category))],
    ])
  }

  /** Counts of every value of every facet: of the products that match all but the facet's own field. Counting ends behind MOST_COUNTED. */
  count(
    em: EntityManager,
    wanted: Wanted | null,
    filter: Filter,
  ): Promise<Map<ProductFacetField, Map<string, number>>> {
    return this.#kept(['count', wanted, filter], async () => {
      const words = wanted && (await this.#terms.matches(em, wanted))
      const chosen = await this.#chosen(em, filter)
      const start = words ? narrow(words, this.#onSale) : this.#onSale
      const count = (fields: readonly ProductFacetField[], without?: ProductFacetField) => {
        const narrowings = [...chosen].flatMap(([field, by]) => (field === without ? [] : by))
        const within = narrowings.flatMap(({ rows }) => (rows ? [rows] : []))
        return this.#facets.count(fields, this.#narrowed(start, narrowings), within, MOST_COUNTED)
      }
      const others = count(FACET_FIELDS.filter(field => !chosen.has(field)))
      return new Map(FACET_FIELDS.map(field => [field, others.get(field) ?? valueAt(count([field], field), field)]))
    })
  }

  /** What is left of a selection. Good until this is asked again: sets of bits for every answer are much to throw away. */
  #narrowed(selection: Selection, narrowings: readonly Narrowing[]): Selection {
    // After a list was counted, mostly its page is asked for.
    if (this.#narrowedLast?.by === narrowings) return this.#narrowedLast.left
    let left = selection
    if (left instanceof Uint32Array) {
      // Not where WebAssembly reads it: there narrowing down takes several times as long.
      if (this.#bits.length < this.#capacity / 32) this.#bits = noBits(this.#capacity)
      this.#bits.set(left)
      left = this.#bits.fill(0, left.length)
    }
    for (const { narrow } of narrowings) left = narrow(left)
    this.#narrowedLast = { by: narrowings, left }
    return left
  }

  /** What `find` answers from what is known of the products: found again once one has changed. */
  async #kept<T>(
    of: readonly [what: string, wanted: Wanted | null, filter: Filter, ...unknown[]],
    find: () => Promise<T>,
  ): Promise<T> {
    if (OTHERS.some(name => of[2][name] != null)) return find()
    const key = JSON.stringify(of)
    const asOf = this.#changes
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

  /** Puts names in order as far as changes were heard of, which lists by name ask for before they take a part. */
  sortNames(em: EntityManager): Promise<void> {
    return this.#names.putRight(primaryOf(em), () => this.#reader.heardByNow())
  }

  /** Those of a list between two names. Null when they change faster than they are read. */
  async stretchByName(
    asked: EntityManager,
    wanted: Wanted | null,
    filter: Filter,
    { above, below, order, limit }: Stretch,
  ): Promise<Named[] | null> {
    const em = primaryOf(asked)
    for (let look = 0; look < MOST_LOOKS; look++) {
      await this.hear(em)
      const isHeard = this.#reader.heardByNow()
      const holding = await this.holding(em, wanted, filter)
      await this.sortNames(em)
      const { renumbered } = this.#names
      const range = await this.#names.between(em, { above, below }, isHeard)
      if (!range || this.#names.renumbered !== renumbered) continue
      const places = holding.part('NAME', { descending: order === 'desc', offset: 0, limit }, range)
      if (places.length === 0) return []
      const found = await read<Named & Neighbour>(
        em,
        `select place, id, lower(name) as value, facts_changed::text as change from products where place = any (?::int[])
         order by lower(name) ${order}, id ${order}`,
        [listed(places)],
      )
      // Cursors are made of these. One that has got another name meanwhile would lead past others.
      if (found.length === places.length && found.every((each, at) => each.place === places[at] && isHeard(each)))
        return found
    }
    return null
  }

  /** Reads the shop's products, which takes a quarter of a minute for a million of them. */
  async warm(em: EntityManager): Promise<void> {
    await this.hear(em)
    await this.sortNames(em)
    for (const order of Object.values(this.#orders)) {
      order.putRight(0)
      // Others are answered in between.
      await setImmediate()
    }
  }

  #set(row: Row): void {
    const { place } = row
    if (place >= this.#capacity) this.#grow(place)
    this.#setCategory(row)
    this.#names.note(place)
    if (has(this.#onSale, place)) this.#facets.clear(place)
    put(this.#onSale, place, row.on_sale)
    for (const [ordering, numberOf] of ORDERINGS) this.#orders[ordering].set(place, numberOf(row))
    if (row.on_sale) this.#facets.put(row)
  }

  #setCategory({ place, category, on_sale: isOnSale }: Row): void {
    if (has(this.#onSale, place))
      for (const before of this.#categories.values())
        if (before.number === this.#orders.CATEGORY.keys[place]) before.onSale--
    let now = this.#categories.get(category)
    if (!now) this.#categories.set(category, (now = { number: this.#categories.size, onSale: 0 }))
    this.#orders.CATEGORY.set(place, now.number)
    if (isOnSale) now.onSale++
  }

  #grow(place: number): void {
    while (place >= this.#capacity) this.#capacity *= 2
    this.#terms.capacity = this.#capacity
    this.#onSale = longer(this.#onSale, this.#capacity / 32)
    this.#facets.grow(this.#capacity)
    for (const order of [...Object.values(this.#orders), this.#names.order]) order.grow(this.#capacity)
  }

  /** How each field of the filter narrows down a selection. */
  async #chosen(em: EntityManager, filter: Filter): Promise<Map<ProductFacetField | 'CATEGORY' | 'OTHERS', Narrowing>> {
    const chosen = new Map<ProductFacetField | 'CATEGORY' | 'OTHERS', Narrowing>()
    const others = await this.#others(em, filter)
    if (others)
      chosen.set('OTHERS', { rows: null, narrow: selection => narrow(others, asBits(selection, this.#capacity)) })
    for (const [field, names] of Object.entries(FIELDS_OF) as [ProductFacetField, readonly (keyof Filter)[]][]) {
      const [first, last] = names.map(name => filter[name] ?? null)
      if (first == null && last == null) continue
      if (isStepField(field)) {
        const range = rangeOf(filter, field)
        const step = STEPS[field].find(
          step => step.from - 0.5 === Math.max(range.from, -0.5) && (step.to ?? Infinity) + 0.5 === range.to,
        )
        if (step) chosen.set(field, this.#byAny(field, [stepText(step)]))
        else chosen.set(field, this.#byRange(field === 'PRICE_PER_100_M' ? 'CHEAPEST_PER_100_M' : field, range))
      } else if (field === 'RATING') {
        if ((first as number) > 0) chosen.set(field, this.#byAny(field, [String(first)]))
      } else chosen.set(field, this.#byAny(field, [first].flat().map(String)))
    }
    if (filter.category != null) {
      const wanted = this.#categories.get(filter.category)?.number ?? Infinity
      chosen.set('CATEGORY', this.#byRange('CATEGORY', { from: wanted, to: wanted + 1 }))
    }
    return chosen
  }

  #byAny(field: ProductFacetField, values: readonly string[]): Narrowing {
    const rows = this.#facets.rows(field, values)
    return { rows, narrow: selection => narrow(selection, this.#facets.any(rows)) }
  }

  #byRange(order: Ordering, range: KeyRange): Narrowing {
    return { rows: null, narrow: selection => this.#orders[order].narrow(selection, range) }
  }

  async #others(em: EntityManager, filter: Filter): Promise<Few | null> {
    const others = Object.fromEntries(OTHERS.map(name => [name, filter[name]])) as Filter
    const conditions = filterConditions(others)
    if (conditions.length === 0) return null
    const [{ places }] = (await em.execute(
      `select string_agg(int4send(place), ''::bytea) as places from products where ${conditions.map(([sql]) => sql).join(' and ')}`,
      conditions.flatMap(([, ...values]) => values),
    )) as [{ places: Buffer | null }]
    return selectPlaces(placesIn(places))
  }
}

/** A product's place, and where it stands by name. */
interface Named extends Key {
  place: number
}

interface Narrowing {
  /** Of the table, when it is for what has any of their values. */
  rows: readonly number[] | null
  /** What is left of a selection, which may be lost. */
  narrow(selection: Selection): Selection
}

/** What a filter asks of a number, to the nearest whole one as the facet has it. */
function rangeOf(filter: Filter, field: StepField): KeyRange {
  const [from, to] = FIELDS_OF[field].map(name => filter[name] ?? null)
  return { from: (from ?? -Infinity) - 0.5, to: (to ?? Infinity) + 0.5 }
}
