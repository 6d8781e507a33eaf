import { nth } from '#schema/rules/present'
import {
  asBits,
  asPlaces,
  has,
  longer,
  narrow,
  noBits,
  put,
  selectPlaces,
  without,
  type Bits,
  type Selection,
} from './bits.ts'

/** Up to so many are best sorted by themselves; more are found going through the order of all. */
export const FEW = 4_096
/** So many may stand elsewhere than they should before the order is put right. */
const MOST_MOVED = 1_000
/** From so many on it pays to sort numbers by themselves. */
const MANY = 1_000
/** How far apart it is known which products come before: 8 MB for a million of them. */
const STRIDE = 2 ** 14

export interface Part {
  descending: boolean
  offset: number
  limit: number
}

/** A part of what is sorted already. */
export const partOf = (sorted: Int32Array, { descending, offset, limit }: Part): number[] =>
  Array.from(
    descending
      ? sorted.slice(Math.max(sorted.length - offset - limit, 0), Math.max(sorted.length - offset, 0)).reverse()
      : sorted.slice(offset, offset + limit),
  )

/** From a number up to below another; up to Infinity, which what comes last has, it has no end. */
export interface KeyRange {
  from: number
  to: number
}

/** Every product by one number of it, equal ones by place: which come first in any selection of them. */
export class Order {
  keys: Float64Array<ArrayBuffer>
  /** As of the last time it was put right. What has moved since stands in `#moved`. */
  #sorted = new Int32Array(0)
  #moved: number[] = []
  #hasMoved: Bits
  /** What the first so many strides have, found when it is asked for. */
  #before: Bits[] = []
  /** Overwritten by every range: sets of bits for each are much to throw away. */
  #below: Bits

  constructor(capacity: number) {
    this.keys = new Float64Array(capacity).fill(NaN)
    this.#hasMoved = noBits(capacity)
    this.#below = noBits(capacity)
  }

  grow(capacity: number): void {
    const keys = new Float64Array(capacity).fill(NaN)
    keys.set(this.keys)
    this.keys = keys
    this.#hasMoved = longer(this.#hasMoved, capacity / 32)
    this.#below = noBits(capacity)
  }

  set(place: number, key: number): void {
    if (this.keys[place] === key) return
    this.keys[place] = key
    if (has(this.#hasMoved, place)) return
    this.#moved.push(place)
    put(this.#hasMoved, place, true)
  }

  /** Numbers products as they are listed, and no others. */
  rank(places: Int32Array): void {
    this.#sorted = places.filter(place => place < this.keys.length)
    this.#forgetMoved()
    this.keys.fill(NaN)
    this.spread()
  }

  /** Whole numbers, one after the other, in the same order. */
  spread(): void {
    this.putRight(0)
    for (const [at, place] of this.#sorted.entries()) this.keys[place] = at
  }

  /** The smallest number greater than another that a product has. Infinity when there is none. */
  after(number: number): number {
    let at = this.#firstFrom(number)
    const isBefore = (place: number) => has(this.#hasMoved, place) || this.#keyAt(place) <= number
    while (at < this.#sorted.length && isBefore(nth(this.#sorted, at))) at++
    const next = at < this.#sorted.length ? this.#keyAt(nth(this.#sorted, at)) : Infinity
    return this.#moved.map(this.#keyAt).reduce((least, key) => (key > number && key < least ? key : least), next)
  }

  /** All those selected. */
  sorted(selection: Selection): Int32Array {
    return this.#inOrder(Int32Array.from(asPlaces(selection)))
  }

  /** Those whose number is in the range. */
  within(places: Int32Array, { from, to }: KeyRange): Int32Array {
    return places.filter(place => this.#keyAt(place) >= from && (this.#keyAt(place) < to || to === Infinity))
  }

  /** Places of those selected whose number is in the range, found without sorting them. */
  part(selection: Selection, { descending, offset, limit }: Part, range: KeyRange | null = null): number[] {
    this.putRight(MOST_MOVED)
    const selected = asBits(selection, this.keys.length)
    const sorted = this.#sorted
    const moved = range ? this.within(this.#movedOf(selected), range) : this.#movedOf(selected)
    const part: number[] = []
    const step = descending ? -1 : 1
    const start = range ? this.#firstFrom(range.from) : 0
    const end = range && range.to !== Infinity ? this.#firstFrom(range.to) : sorted.length
    let [at, next, before] = descending ? [end - 1, moved.length - 1, 0] : [start, 0, 0]
    // Mostly nothing has, and the way to a far page is ten thousand steps.
    if (this.#moved.length === 0) {
      for (; at >= start && at < end && part.length < limit; at += step) {
        const place = nth(sorted, at)
        if (has(selected, place) && ++before > offset) part.push(place)
      }
      return part
    }
    while (part.length < limit) {
      // Most of those passed over are not selected.
      while (at >= start && at < end && (!has(selected, nth(sorted, at)) || has(this.#hasMoved, nth(sorted, at))))
        at += step
      const [one, other] = [at >= start && at < end ? sorted[at] : undefined, moved[next]]
      const isOne = other === undefined || (one !== undefined && this.#compare(one, other) < 0 !== descending)
      const place = isOne ? one : other
      if (place === undefined) break
      if (isOne) at += step
      else next += step
      if (++before > offset) part.push(place)
    }
    return part
  }

  /** What is left of a selection, which may be lost: those whose number is in the range. */
  narrow(selection: Selection, { from, to }: KeyRange): Selection {
    if (!(selection instanceof Uint32Array)) {
      const isWithin = (place: number) => this.#keyAt(place) >= from && this.#keyAt(place) < to
      return selectPlaces(Int32Array.from(asPlaces(selection).filter(isWithin)))
    }
    this.putRight(MOST_MOVED)
    const [start, end] = [this.#firstFrom(from), this.#firstFrom(to)]
    const isAny = this.#moved.length > 0
    if (isAny || start > 0) without(selection, this.#smaller(from, start))
    if (isAny || end < this.#sorted.length) narrow(selection, this.#smaller(to, end))
    return selection
  }

  /** Every place with a smaller number than that which the one at `count` is the first to have. Good until it is asked again. */
  #smaller(number: number, count: number): Bits {
    const strides = Math.floor(count / STRIDE)
    while (this.#before.length <= strides) {
      const all = noBits(this.keys.length)
      all.set(this.#before.at(-1) ?? [])
      const end = this.#before.length * STRIDE
      for (let at = Math.max(end - STRIDE, 0); at < end; at++) put(all, nth(this.#sorted, at), true)
      this.#before.push(all)
    }
    const below = this.#below
    const before = nth(this.#before, strides)
    below.set(before)
    below.fill(0, before.length)
    for (let at = strides * STRIDE; at < count; at++) put(below, nth(this.#sorted, at), true)
    for (const place of this.#moved) put(below, place, this.#keyAt(place) < number)
    return below
  }

  /** Where the first stands that has such a number, as far as it has not moved. */
  #firstFrom(number: number): number {
    const hasMoved = (at: number) => has(this.#hasMoved, nth(this.#sorted, at))
    let [low, high] = [0, this.#sorted.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      let at = middle
      while (at < high && hasMoved(at)) at++
      if (at < high && this.#keyAt(nth(this.#sorted, at)) < number) low = at + 1
      else high = middle
    }
    return low
  }

  /** Sorts it again when more than `most` have moved. */
  putRight(most: number): void {
    if (this.#moved.length <= most) return
    const sorted = this.#sorted.filter(place => !has(this.#hasMoved, place))
    const moved = this.#movedOf(null)
    const all = new Int32Array(sorted.length + moved.length)
    let [at, next] = [0, 0]
    for (let length = 0; length < all.length; length++)
      all[length] =
        next === moved.length || (at < sorted.length && this.#compare(nth(sorted, at), nth(moved, next)) < 0)
          ? nth(sorted, at++)
          : nth(moved, next++)
    this.#sorted = all
    this.#forgetMoved()
  }

  #forgetMoved(): void {
    this.#moved = []
    this.#before = []
    this.#hasMoved.fill(0)
  }

  /** In order. */
  #movedOf(selected: Bits | null): Int32Array {
    const moved = selected ? this.#moved.filter(place => has(selected, place)) : this.#moved
    return this.#inOrder(Int32Array.from(moved))
  }

  /** Numbers by themselves are sorted in a fraction of the time in which places are compared by them. */
  #inOrder(places: Int32Array): Int32Array {
    if (places.length < MANY) return places.sort(this.#compare)
    places.sort()
    // What has no number comes last.
    const keyOf = (place: number) => (Number.isNaN(this.#keyAt(place)) ? Infinity : this.#keyAt(place))
    const keys = Float64Array.from(places, keyOf).sort()
    const sorted = new Int32Array(places.length)
    /** How many have come that have the number which begins there. */
    const met = new Int32Array(places.length)
    for (const place of places) {
      const first = firstFrom(keys, keyOf(place))
      const before = met[first] ?? 0
      sorted[first + before] = place
      met[first] = before + 1
    }
    return sorted
  }

  /** Of a place that no product has, nothing. */
  readonly #keyAt = (place: number): number => this.keys[place] ?? NaN

  readonly #compare = (a: number, b: number): number => this.#keyAt(a) - this.#keyAt(b) || a - b
}

/** Where the first of these numbers stands that is not smaller. */
function firstFrom(sorted: Float64Array, number: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? NaN) < number) low = middle + 1
    else high = middle
  }
  return low
}
