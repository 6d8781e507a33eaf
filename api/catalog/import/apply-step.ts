import type { EntityManager } from '@mikro-orm/postgresql'
import { limits } from '#schema/rules/limits'
import { unitsOf } from '#schema/rules/lots'
import { fromLotsCell } from '#schema/rules/shapes/product'
import { groupsNamed, variesBy } from '../group-products.ts'
import { readLots } from '../lots.ts'
import { setLots, shiftStock } from '../stock.ts'
import { blank, columns } from './columns.ts'

/** The rows of one step, `from` (exclusive) to `to`, by product id: the order in which buyers lock products. */
export interface Step {
  importId: string
  from: string
  to: string
}

export const RANGE = `r.import_id = ? and r.product_id > ? and r.product_id <= ?`
export const inRange = ({ importId, from, to }: Step) => [importId, from, to]

const plain = columns.filter(({ field }) => field !== 'countInStock' && field !== 'group' && field !== 'lots')

/** Whose stock the step moves, and by how much. */
type Shift = { productId: string; delta: number }

/**
 * Sets the products' fields to what the rows keep under `source`, null included; a field that is not in it stays. Stocks
 * move by a difference, as far as it goes: what was sold in the meantime stays sold.
 */
export async function updateProducts(
  em: EntityManager,
  source: 'fields' | 'before',
  delta: 'r.stock_delta' | '-r.stock_moved',
  range: Step,
): Promise<void> {
  const set = plain.map(({ header }) => `${header} = (m.filled).${header}`)
  const shifts = await em.execute<Shift[]>(
    `with moves as (
       update product_import_rows r
       set applied_version = p.version + 1, stock_moved = least(greatest(${delta}, -p.count_in_stock), ${limits.stock} - p.count_in_stock)
       from products p where ${RANGE} and r.action = 'UPDATE' and p.id = r.product_id returning r.product_id, r.stock_moved, jsonb_populate_record(p, r.${source}) as filled
     ), changed as (
       update products p set ${set.join(', ')}, version = p.version + 1 from moves m where p.id = m.product_id
     )
     select product_id as "productId", stock_moved as delta from moves`,
    inRange(range),
  )
  await shiftStock(em, shifts)
}

const BLANK = JSON.stringify(Object.fromEntries(plain.map(({ header, field }) => [header, blank[field]])))

/** A column that is not in the rows, for it came after the preview was made, is left blank. */
export async function createProducts(em: EntityManager, range: Step): Promise<void> {
  const fields = plain.map(({ header }) => header).join(', ')
  const shifts = await em.execute<Shift[]>(
    `with made as (
       insert into products (id, sku, ${fields}, count_in_stock, created_at, published_at)
       select r.product_id, coalesce(r.sku, 'SKN-' || nextval('product_skus')), ${plain.map(({ header }) => `f.${header}`).join(', ')}, 0, now(), now()
       from product_import_rows r, jsonb_populate_record(null::products, ?::jsonb || r.fields) f where ${RANGE} and r.action = 'CREATE' order by r.line
       returning id, sku
     )
     update product_import_rows r set sku = made.sku, applied_version = 1 from made
     where r.import_id = ? and r.action = 'CREATE' and r.product_id = made.id
     returning r.product_id as "productId", r.stock_delta as delta`,
    [BLANK, ...inRange(range), range.importId],
  )
  await shiftStock(em, shifts, 'initial')
}

/** Puts the products into the groups that the rows name, behind what is there, in the order of the file; out of theirs where the name is empty. */
export async function regroup(em: EntityManager, source: 'fields' | 'before', range: Step): Promise<void> {
  const rows = await em.execute<(Parameters<typeof variesBy>[0] & { group: string })[]>(
    `select r.${source} ->> 'group' as group, p.name, p.category, p.weight, p.length
     from product_import_rows r join products p on p.id = r.product_id
     where ${RANGE} and r.action in ('CREATE', 'UPDATE') and r.${source} ->> 'group' is not null order by r.line`,
    inRange(range),
  )
  if (rows.length === 0) return
  const named = new Map(rows.filter(({ group }) => group !== '').map(row => [row.group, variesBy(row)]))
  const groups = await groupsNamed(
    em,
    [...named].map(([name, variesBy]) => ({ name, variesBy })),
  )
  await em.execute(
    `with wanted as (
       select r.product_id, r.line, (g.ids ->> (r.${source} ->> 'group'))::uuid as group_id
       from product_import_rows r, (select ?::jsonb as ids) g
       where ${RANGE} and r.action in ('CREATE', 'UPDATE') and r.${source} ->> 'group' is not null
     ), placed as (
       select w.product_id, w.group_id, case when w.group_id is not null then
         coalesce((select max(m.group_position) from products m where m.group_id = w.group_id), 0) + row_number() over (partition by w.group_id order by w.line) end as place
       from wanted w join products p on p.id = w.product_id where p.group_id is distinct from w.group_id
     )
     update products p set group_id = placed.group_id, group_position = placed.place from placed where p.id = placed.product_id`,
    [JSON.stringify(Object.fromEntries(groups)), ...inRange(range)],
  )
}

/**
 * Brings lots to what the rows keep under `target`, each by a difference as far as it goes, as stocks are. Where the
 * product was not kept by lot before, it is not after an undo either.
 */
export async function moveLots(em: EntityManager, target: 'fields' | 'before', range: Step): Promise<void> {
  const from = target === 'fields' ? 'before' : 'fields'
  const rows = await em.execute<LotsRow[]>(
    `select r.product_id as id, r.${target} ->> 'lots' as target, coalesce(r.${from} ->> 'lots', '') as seen,
            r.before -> 'stock_without_lots' as "withoutLots", r.action
     from product_import_rows r where ${RANGE} and coalesce(r.${target} ->> 'lots', '') <> coalesce(r.${from} ->> 'lots', '')
       and (r.action = 'UPDATE' or r.action = 'CREATE' and r.${target} ->> 'lots' is not null)`,
    inRange(range),
  )
  const there = await readLots(
    em,
    rows.map(({ id }) => id),
  )
  for (const { id, target: wanted, seen, withoutLots, action } of rows) {
    const left = there.get(id) ?? []
    if (target === 'before' && withoutLots !== null) {
      await setLots(em, id, null)
      const delta = withoutLots - unitsOf(fromLotsCell(seen))
      await shiftStock(em, [{ productId: id, delta: Math.max(delta, -unitsOf(left)) }])
      continue
    }
    const units = new Map(left.map(({ code, quantity }) => [code, quantity]))
    for (const { code, quantity } of fromLotsCell(seen)) units.set(code, (units.get(code) ?? 0) - quantity)
    for (const { code, quantity } of fromLotsCell(wanted)) units.set(code, (units.get(code) ?? 0) + quantity)
    const lots = [...units].flatMap(([code, quantity]) => (quantity > 0 ? [{ code, quantity }] : []))
    await setLots(em, id, lots, action === 'CREATE' ? 'initial' : 'adjusted')
  }
}

interface LotsRow {
  id: string
  /** As `toLotsCell` writes them. */
  target: string
  /** What they were when the row was judged, or what it made of them. */
  seen: string
  /** The stock of a product that was not kept by lot before. */
  withoutLots: number | null
  action: 'CREATE' | 'UPDATE'
}

/** Takes away the pictures that products were given once the import was applied. */
export async function showPicturesOfBefore(em: EntityManager, range: Step): Promise<void> {
  await em.execute(
    `update products p set pictures = r.before -> 'pictures' from product_import_rows r
     where ${RANGE} and r.action = 'UPDATE' and r.before -> 'pictures' is not null and p.id = r.product_id`,
    inRange(range),
  )
}

export async function archiveCreated(em: EntityManager, range: Step): Promise<void> {
  await em.execute(
    `update products p set archived_at = now(), version = p.version + 1 from product_import_rows r where ${RANGE} and r.action = 'CREATE' and p.id = r.product_id`,
    inRange(range),
  )
}
