import type { EntityManager } from '@mikro-orm/postgresql'
import { lastOf, nth } from '#schema/rules/present'
import type { Key, Stretch } from '../../query/connection.ts'
import { listed, read } from '../../query/read.ts'
import { Order, type KeyRange } from './order.ts'
import { placesIn } from './term-finder.ts'

/** If more have changed, the whole order is read again. */
const MOST_PLACED = 2_000
/** So many are read at a time. */
const BATCH = 5_000
/** Before every product. */
const FIRST = { name: '', id: '00000000-0000-0000-0000-000000000000' }
/** So many of those before a product are looked at for one whose place is known. */
const LOOKED_AT = 4
/** Numbers closer to each other could soon no longer be told apart: of two million, they have 32 binary places left. */
const CLOSEST = 2 ** -20

export interface Neighbour {
  place: number
  /** The transaction that last changed it. */
  change: string
}

/**
 * Products by name, in the order of the database, whose collation nobody else knows: each has a number between those of the
 * products before and after it. What has changed is given another only when somebody asks for a list by name.
 */
export class NameOrder {
  readonly order: Order
  /** How often a product was given another number. Numbers that were read before are no longer those of the same names. */
  renumbered = 0
  #changed = new Set<number>()
  #isRead = false
  #running: Promise<void> = Promise.resolve()

  constructor(capacity: number) {
    this.order = new Order(capacity)
  }

  note(place: number): void {
    if (this.#changed.size <= MOST_PLACED) this.#changed.add(place)
  }

  /** Puts right what was noted. `heard` makes what tells of a product whether it was noted, by now, as it is. */
  putRight(em: EntityManager, heard: () => (product: Neighbour) => boolean): Promise<void> {
    const run = this.#running.then(() => this.#run(em, heard))
    this.#running = run.catch(() => {})
    return run
  }

  /** The numbers between two names. Null when everything close before one of them has changed since it was heard of. */
  async between(
    em: EntityManager,
    { above, below }: Pick<Stretch, 'above' | 'below'>,
    isHeard: (product: Neighbour) => boolean,
  ): Promise<KeyRange | null> {
    const from = above ? await this.#lastBefore(em, '<=', above, isHeard) : -Infinity
    const to = below ? await this.#lastBefore(em, '<', below, isHeard) : Infinity
    return from === null || to === null ? null : { from: this.order.after(from), to: this.order.after(to) }
  }

  async #lastBefore(
    em: EntityManager,
    sign: '<' | '<=',
    { value, id }: Key,
    isHeard: (product: Neighbour) => boolean,
  ): Promise<number | null> {
    const before = await read<Neighbour>(
      em,
      `select place, facts_changed::text as change from products where archived_at is null and (lower(name), id) ${sign} (?, ?::uuid)
       order by lower(name) desc, id desc limit ${LOOKED_AT}`,
      [value, id],
    )
    const previous = before.find(isHeard)
    if (!previous && before.length === LOOKED_AT) return null
    return this.#numberOf(previous?.place ?? null)
  }

  async #run(em: EntityManager, heard: () => (product: Neighbour) => boolean): Promise<void> {
    const changed = this.#changed
    this.#changed = new Set()
    try {
      if (!this.#isRead || changed.size > MOST_PLACED) await this.#readAll(em)
      else if (changed.size > 0) await this.#move(em, changed, heard())
    } catch (error) {
      for (const place of changed) this.note(place)
      throw error
    }
  }

  async #readAll(em: EntityManager): Promise<void> {
    // One that gets another name meanwhile may be met twice or never. It is heard of next.
    const places = new Set<number>()
    for (let last = FIRST; ;) {
      const [part] = (await read(
        em,
        `select string_agg(int4send(place), ''::bytea) as places, (array_agg(name))[count(*)] as name, (array_agg(id))[count(*)] as id
         from (
           select place, lower(name) as name, id from products where archived_at is null and (lower(name), id) > (?, ?::uuid)
           order by lower(name), id limit ${BATCH}
         ) part`,
        [last.name, last.id],
      )) as [typeof FIRST & { places: Buffer | null }]
      const found = placesIn(part.places)
      for (const place of found) places.add(place)
      if (found.length < BATCH) break
      last = part
    }
    this.order.rank(Int32Array.from(places))
    this.renumbered++
    this.#isRead = true
  }

  async #move(em: EntityManager, changed: ReadonlySet<number>, isHeard: (product: Neighbour) => boolean) {
    const rows = await read<{ place: number; before: Neighbour[] | null }>(
      em,
      `select p.place, b.before from products p left join lateral (
         select json_agg(near) as before from (
           select place, facts_changed as change from products
           where archived_at is null and (lower(name), id) < (lower(p.name), p.id)
           order by lower(name) desc, id desc limit ${LOOKED_AT}
         ) near
       ) b on true
       where p.place = any (?::int[]) and p.archived_at is null order by lower(p.name), p.id`,
      [listed([...changed])],
    )
    const moved = new Set(rows.map(({ place }) => place))
    let run: number[] = []
    let start: number | null = null
    for (const { place, before } of rows) {
      // One that was changed meanwhile may still have its number of before. It is heard of next.
      const previous = before?.find(near => moved.has(near.place) || isHeard(near))?.place ?? null
      if (previous === null && before?.length === LOOKED_AT) return this.#readAll(em)
      if (run.length === 0 || previous !== lastOf(run)) {
        this.#number(run, start)
        run = []
        start = previous
        if (this.order.after(this.#numberOf(start)) === this.order.keys[place]) continue
      }
      run.push(place)
    }
    this.#number(run, start)
  }

  /** Gives products that follow one another numbers behind that of another. */
  #number(run: readonly number[], start: number | null): void {
    if (run.length === 0) return
    this.renumbered++
    if (this.#gap(run.length, start).step < CLOSEST) this.order.spread()
    const { from, step } = this.#gap(run.length, start)
    for (const [at, place] of run.entries()) this.order.set(place, from + (at + 1) * step)
  }

  #gap(count: number, start: number | null): { from: number; step: number } {
    const below = this.#numberOf(start)
    const above = this.order.after(below)
    const from = start === null ? Math.min(above, 0) - count - 1 : below
    const to = above === Infinity ? from + count + 1 : above
    return { from, step: (to - from) / (count + 1) }
  }

  #numberOf(place: number | null): number {
    return place === null ? -Infinity : nth(this.order.keys, place)
  }
}
