import { nth, onlyOf, valueAt } from '#schema/rules/present'
import type { ProductFacetField } from '../../generated/types.ts'
import { BitTable } from './bit-table.ts'
import { addAll, type Bits, has, longer, noBits, put, type Selection } from './bits.ts'
import { FACET_FIELDS, facetOf, STEP_FIELDS, type Row } from './facet-row.ts'

const MOST_TOGETHER = 10_000

/** Which product has which value of which facet: a row of bits for each value. */
export class FacetTable {
  #capacity: number
  readonly #table: BitTable
  /** Rows of the table. */
  readonly #values = new Map<ProductFacetField, Map<string, number>>()
  /** For each row, which rows share a product with it, or once did: others have none of what it has. */
  readonly #beside: Bits[] = []
  /** The rows of what some product has, by all that it has: many have the same. */
  readonly #together = new Map<string, readonly number[]>()

  constructor(capacity: number) {
    this.#capacity = capacity
    this.#table = new BitTable(capacity)
  }

  grow(capacity: number): void {
    this.#capacity = capacity
    this.#table.grow(capacity)
  }

  put(product: Row): void {
    for (const row of this.#rowsFor(product)) this.#table.put(row, product.place)
  }

  clear(place: number): void {
    this.#table.clear(place)
  }

  /** The values that some product has. */
  held(): Map<ProductFacetField, Set<string>> {
    const isHeld = ([, row]: [string, number]) => this.#table.row(row).some(word => word !== 0)
    return new Map(
      Array.from(this.#values, ([field, rows]) => [field, new Set([...rows].filter(isHeld).map(([value]) => value))]),
    )
  }

  /** The rows of values, as far as some product has had them. */
  rows(field: ProductFacetField, values: readonly string[]): number[] {
    return values.flatMap(value => this.#values.get(field)?.get(value) ?? [])
  }

  /** What is in any of these rows. Good until a product is put in. */
  any(rows: readonly number[]): Bits {
    const only = onlyOf(rows)
    if (only !== undefined) return this.#table.row(only)
    const any = noBits(this.#capacity)
    for (const row of rows) addAll(any, this.#table.row(row))
    return any
  }

  /** How many of a selection have each value; a number above `most` for any more. Everything selected is in one of each of `within`. */
  count(
    fields: readonly ProductFacetField[],
    selection: Selection,
    within: readonly (readonly number[])[],
    most: number,
  ): Map<ProductFacetField, Map<string, number>> {
    const isPossible = (row: number) => within.every(rows => rows.some(chosen => has(nth(this.#beside, chosen), row)))
    const possible = fields
      .flatMap(field => Array.from(this.#values.get(field) ?? [], ([value, row]) => ({ field, value, row })))
      .filter(({ row }) => isPossible(row))
    const numbers = this.#table.count(
      selection,
      possible.map(({ row }) => row),
      most,
    )
    const counts = new Map(fields.map(field => [field, new Map<string, number>()]))
    for (const [at, { field, value }] of possible.entries()) valueAt(counts, field).set(value, nth(numbers, at))
    return counts
  }

  #rowsFor(product: Row): readonly number[] {
    const key = `${product.traits} ${STEP_FIELDS.map(field => facetOf(field).values(product)).join()}`
    const known = this.#together.get(key)
    if (known) return known
    const rows = FACET_FIELDS.flatMap(field =>
      facetOf(field)
        .values(product)
        .map(value => this.#rowOf(field, value)),
    )
    const beside = noBits(32 * Math.ceil(this.#beside.length / 32))
    for (const row of rows) put(beside, row, true)
    for (const row of rows) {
      const others = longer(nth(this.#beside, row), beside.length)
      addAll(others, beside)
      this.#beside[row] = others
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
}
