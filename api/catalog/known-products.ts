import type { EntityManager } from '@mikro-orm/postgresql'
import { LRUCache } from 'lru-cache'
import { present } from '#schema/rules/present'
import { listed, read } from '../query/read.ts'
import { columnsOf, shown } from '../query/shown.ts'
import { Product } from './product.entity.ts'

/** Of all that is remembered, as text. In memory it takes about as much again. */
const MOST_BYTES = 2 ** 24

/** A product as it was when a transaction had changed it last. */
export interface Known {
  /** Its place, that transaction and its moment: no other state of any product has the same. */
  state: string
  place: number
  product: Product
}

/** A replica that becomes the primary may give the number of a transaction out again, but not at the same moment. */
const STATE = `place || ':' || updated_in || ':' || extract(epoch from updated_at)`

/** By database. Each product is there by its place and by its id. */
const memories = new WeakMap<object, LRUCache<number | string, Known>>()

function memoryOf({ config }: EntityManager) {
  const memory = memories.get(config) ?? new LRUCache<number | string, Known>({ maxSize: MOST_BYTES })
  memories.set(config, memory)
  return memory
}

/**
 * The products that a condition finds, in its order. PostgreSQL finds them and says in which state they are, every time; it sends those
 * alone that are remembered in no state or in another one. `expected` are places or ids of some that it may find. They are to be read,
 * not to be changed: others are shown the same ones.
 */
export async function knownProducts(
  em: EntityManager,
  condition: string,
  values: readonly string[],
  expected: readonly (number | string)[],
): Promise<Known[]> {
  // A transaction may change a product twice, and be undone.
  const memory = em.isInTransaction() ? null : memoryOf(em)
  const before = new Map<string, Known>()
  for (const key of expected) {
    const known = memory?.get(key)
    if (known) before.set(known.state, known)
  }
  const found = await read<{ state: string; row: string | null }>(
    em,
    `select ${STATE} as state, case when ${STATE} = any (?::text[]) then null
       else (select to_json(shown)::text from (select ${columnsOf(em, Product)}) shown) end as row
     from products where ${condition}`,
    [listed([...before.keys()]), ...values],
  )
  return found.map(({ state, row }) => {
    if (row === null) return present(before.get(state))
    const product = Object.freeze(shown(em, Product, JSON.parse(row) as Record<string, unknown>))
    const known = { state, place: Number.parseInt(state), product }
    memory?.set(known.place, known, { size: row.length }).set(product.id, known, { size: row.length })
    return known
  })
}
