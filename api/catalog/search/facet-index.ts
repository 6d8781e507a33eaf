import { setImmediate } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import { LRUCache } from 'lru-cache'
import { stepText } from '#schema/rules/facts/facet-steps'
import { lastOf, nth, onlyOf, valueAt } from '#schema/rules/present'
import type { ProductFacetField } from '../../generated/types.ts'
import type { Key, Stretch } from '../../query/connection.ts'
import { MOST_COUNTED } from '../../query/page-sizes.ts'
import { primaryOf } from '../../query/primary.ts'
import { listed, read } from '../../query/read.ts'
import { BitTable } from './bit-table.ts'
import {
  addAll,
  asBits,
  type Bits,
  type Few,
  countIn,
  has,
  longer,
  narrow,
  noBits,
  put,
  type Selection,
  selectPlaces,
} from './bits.ts'
import {
  FACET_FIELDS,
  facetOf,
  FIELDS_OF,
  type Filter,
  isStepField,
  NUMBERS,
  ORDERINGS,
  PACKED,
  ROW,
  rowOf,
  STEP_FIELDS,
  STEPS,
  type Change,
  type Packed,
  type Row,
  type Sorting,
  type StepField,
  unpack,
} from './facet-row.ts'
import { NameOrder, type Neighbour } from './name-order.ts'
import { FEW, Order, partOf, type Part, type KeyRange } from './order.ts'
import { filterConditions, UNFACETED } from './product-filter.ts'
import { placesIn, TermFinder, type Wanted } from './term-finder.ts'
import { Vocabulary } from './vocabulary.ts'

/** So many rows are read at a time: few enough for others to be answered in between. */
const BATCH = 1_000
/** Of one with words it is a bit for each product of the shop. */
const MOST_ANSWERS = 100
const MOST_TOGETHER = 10_000

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
  /** Rows of the table. */
  readonly #values = new Map<ProductFacetField, Map<string, number>>()
  readonly #table = new BitTable(this.#capacity)
  /** For each row, which rows share a product with it, or once did: others have none of what it has. */
  readonly #beside: Bits[] = []
  /** The rows of what some product has, by all that it has: many have the same. */
  readonly #together = new Map<string, readonly number[]>()
  readonly #orders = Object.fromEntries(
    [...Object.keys(NUMBERS), 'CATEGORY'].map(ordering => [ordering, new Order(this.#capacity)]),
  ) as Readonly<Record<Ordering, Order>>
  readonly #names = new NameOrder(this.#capacity)
  readonly #categories = new Map<string, { number: number; onSale: number }>()
  /** Transactions from this one on may have changed something that was not seen yet. Null before anything was read. */
  #horizon: string | null = null
  /** What was read the last time, and which transaction had changed it: the same change may be reported again. */
  #heard = new Map<number, string>()
  readonly vocabulary = new Vocabulary()
  /** The transactions that were heard of the last time to have changed it. Null for none. */
  #vocabularyHeard: string | null = null
  #changes = 0
  #running: Promise<void> | null = null
  #next: Promise<void> | null = null
  readonly #terms = new TermFinder(this.#capacity)
  /** Answers, and as of which change. */
  readonly #answers = new LRUCache<string, { asOf: number; answer: Promise<unknown> }>({ max: MOST_ANSWERS })
  readonly #ranked = new LRUCache<string, { asOf: number; places: readonly number[]; ranked: Promise<unknown> }>({
    max: MOST_ANSWERS,
  })

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
    const held = new Map<ProductFacetField | 'CATEGORY', Set<string>>()
    for (const [field, values] of this.#values)
      held.set(
        field,
        new Set([...values].filter(([, row]) => this.#table.row(row).some(word => word !== 0)).map(([value]) => value)),
      )
    const categories = [...this.#categories].filter(([, { onSale }]) => onSale > 0)
    return held.set('CATEGORY', new Set(categories.map(([category]) => category)))
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
      const counts = new Map(FACET_FIELDS.map(field => [field, new Map<string, number>()]))
      const count = (fields: readonly ProductFacetField[], without?: ProductFacetField) => {
        const narrowings = [...chosen].flatMap(([field, by]) => (field === without ? [] : by))
        const selection = this.#narrowed(start, narrowings)
        const isPossible = (row: number) =>
          narrowings.every(({ rows }) => !rows || rows.some(chosen => has(nth(this.#beside, chosen), row)))
        const possible = fields
          .flatMap(field => Array.from(this.#values.get(field) ?? [], ([value, row]) => ({ field, value, row })))
          .filter(({ row }) => isPossible(row))
        const numbers = this.#table.count(
          selection,
          possible.map(({ row }) => row),
          MOST_COUNTED,
        )
        for (const [at, { field, value }] of possible.entries()) valueAt(counts, field).set(value, nth(numbers, at))
      }
      count(FACET_FIELDS.filter(field => !chosen.has(field)))
      for (const field of FACET_FIELDS) if (chosen.has(field)) count([field], field)
      return counts
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
    return this.#names.putRight(primaryOf(em), () => this.#heardByNow())
  }

  /** What tells whether a product, as it is, was heard of by now. */
  #heardByNow(): (product: Neighbour) => boolean {
    const [horizon, heard] = [BigInt(this.#horizon ?? 0), this.#heard]
    return ({ place, change }) => BigInt(change) < horizon || heard.get(place) === change
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
      const isHeard = this.#heardByNow()
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

  /**
   * Reads what has changed. One who comes while that goes on waits for the next time, for this one may have begun too early;
   * unless it fails: a database that does not answer keeps nobody waiting twice.
   */
  hear(em: EntityManager): Promise<void> {
    if (!this.#running) {
      this.#running = this.#read(em).finally(() => {
        this.#running = null
      })
      return this.#running
    }
    this.#next ??= this.#running
      .finally(() => {
        this.#next = null
      })
      .then(() => this.hear(em))
    return this.#next
  }

  async #read(asked: EntityManager): Promise<void> {
    const em = primaryOf(asked)
    if (this.#horizon === null) {
      const [{ horizon }] = (await em.execute('select pg_snapshot_xmin(pg_current_snapshot())::text as horizon')) as [
        { horizon: string },
      ]
      const partAfter = (place: number) =>
        read<Packed>(
          em,
          `select ${PACKED} from (select ${ROW} from products p where p.place > ? order by p.place limit ${BATCH}) part`,
          [place],
        )
      for (let next: Promise<Packed[]> | null = partAfter(0); next;) {
        const rows = unpack(nth(await next, 0))
        next = rows.length < BATCH ? null : partAfter(lastOf(rows).place)
        // The next part is on its way before this one is gone through, and may fail before it is awaited.
        next?.catch(() => {})
        if (next) await setImmediate()
        for (const row of rows) this.#set(row)
      }
      this.#horizon = horizon
    }
    // What the first statement does not see has a number from its horizon on.
    let next: string | null = null
    const heard = new Map<number, string>()
    for (let last: [change: string, place: number] = [this.#horizon, 0]; ;) {
      // Could PostgreSQL see that few have changed, it would plan it again each time, which takes twenty times as long. Mostly nothing
      // has, and one value that is not there takes less time to read than twenty.
      const rows = await read<{
        horizon: string
        vocabulary: string | null
        row: (Change & { reworded: boolean | null }) | null
      }>(
        em,
        `select pg_snapshot_xmin(pg_current_snapshot())::text as horizon, to_json(changed) as row,
           (select string_agg(changed_in::text, ' ' order by changed_in) from vocabulary_changes where changed_in >= (select ?::text::xid8)) as vocabulary
         from (select 1) one left join lateral (
           select ${ROW}, p.facts_changed::text as facts_changed, p.document_changed >= ?::text::xid8 as reworded from products p
           where (p.facts_changed, p.place) > ((select ?::text::xid8), (select ?::int)) order by p.facts_changed, p.place limit ${BATCH}
         ) changed on true`,
        [this.#horizon, this.#horizon, ...last],
      )
      if (next === null) {
        const { horizon, vocabulary } = nth(rows, 0)
        next = horizon
        if (vocabulary !== null && vocabulary !== this.#vocabularyHeard) this.vocabulary.forget()
        this.#vocabularyHeard = vocabulary
      }
      const changed = rows.flatMap(({ row }) => row ?? [])
      for (const row of changed) {
        heard.set(row.place, row.facts_changed)
        if (this.#heard.get(row.place) === row.facts_changed) continue
        this.#changes++
        this.#set(rowOf(row))
        if (row.reworded) this.#terms.note(row.place)
      }
      if (changed.length < BATCH) break
      const { facts_changed: change, place } = lastOf(changed)
      last = [change, place]
    }
    this.#heard = heard
    this.#terms.forgetOld()
    this.#horizon = next
  }

  #set(row: Row): void {
    const { place } = row
    if (place >= this.#capacity) this.#grow(place)
    this.#setCategory(row)
    this.#names.note(place)
    if (has(this.#onSale, place)) this.#table.clear(place)
    put(this.#onSale, place, row.on_sale)
    for (const [ordering, numberOf] of ORDERINGS) this.#orders[ordering].set(place, numberOf(row))
    if (!row.on_sale) return
    for (const each of this.#rowsOf(row)) this.#table.put(each, place)
  }

  /** The rows of all that a product has. */
  #rowsOf(row: Row): readonly number[] {
    const key = `${row.traits} ${STEP_FIELDS.map(field => facetOf(field).values(row)).join()}`
    const known = this.#together.get(key)
    if (known) return known
    const rows = FACET_FIELDS.flatMap(field =>
      facetOf(field)
        .values(row)
        .map(value => this.#rowOf(field, value)),
    )
    const beside = noBits(32 * Math.ceil(this.#beside.length / 32))
    for (const each of rows) put(beside, each, true)
    for (const each of rows) {
      const others = longer(nth(this.#beside, each), beside.length)
      addAll(others, beside)
      this.#beside[each] = others
    }
    if (this.#together.size === MOST_TOGETHER) this.#together.clear()
    this.#together.set(key, rows)
    return rows
  }

  #rowOf(field: ProductFacetField, value: string): number {
    let values = this.#values.get(field)
    if (!values) this.#values.set(field, (values = new Map()))
    let row = values.get(value)
    if (row === undefined) {
      values.set(value, (row = this.#table.add()))
      this.#beside[row] = noBits(0)
    }
    return row
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
    this.#table.grow(this.#capacity)
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
    const rows = values.flatMap(value => this.#values.get(field)?.get(value) ?? [])
    return {
      rows,
      narrow: selection => {
        const only = onlyOf(rows)
        if (only !== undefined) return narrow(selection, this.#table.row(only))
        const any = noBits(this.#capacity)
        for (const row of rows) addAll(any, this.#table.row(row))
        return narrow(selection, any)
      },
    }
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
