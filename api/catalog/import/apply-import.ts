import type { EntityManager } from '@mikro-orm/postgresql'
import { limits } from '#schema/rules/limits'
import { unitsOf } from '#schema/rules/lots'
import { fromLotsCell } from '#schema/rules/shapes/product'
import { lastOf } from '#schema/rules/present'
import { recordAudit, type Actor } from '../../audit/record-audit.ts'
import { groupsNamed, variesBy } from '../group-products.ts'
import { recordProductChanges } from '../product-event.ts'
import { uniqueSku } from '../save-product.ts'
import { readLots, setLots, shiftStock } from '../stock.ts'
import { indexProducts } from '../search/index-products.ts'
import { leaveSales, turnSales } from '../turn-sales.ts'
import { refuse } from '../../kernel/errors.ts'
import type { AuditAction, FieldChange } from '../../generated/types.ts'
import { isId } from '../../kernel/validation.ts'
import { columns } from './columns.ts'
import { ProductImport } from './product-import.entity.ts'

const BATCH = 500

/** How many products the message names when they block an import. */
const MOST_NAMED = 5

/** An import whose progress stands still for longer was cut off by a crash; its transaction is gone, so it can start again. */
const STALE = `progress_at < now() - interval '1 minute'`

/** The rows of one step, `from` (exclusive) to `to`, by product id: the order in which buyers lock products. */
interface Step {
  importId: string
  from: string
  to: string
}

const RANGE = `r.import_id = ? and r.product_id > ? and r.product_id <= ?`
const inRange = ({ importId, from, to }: Step) => [importId, from, to]
const NO_ID = '00000000-0000-0000-0000-000000000000'

/** Does what the preview said, in one transaction. */
export async function applyImport(em: EntityManager, actor: Actor, id: string): Promise<ProductImport> {
  await claim(
    em,
    id,
    'APPLYING',
    `status = 'READY' or (status = 'APPLYING' and ${STALE})`,
    'This import was applied before.',
  )
  return running(em, id, 'READY', tx =>
    uniqueSku(() =>
      tx.transactional(async tx => {
        await lock(
          tx,
          id,
          // It is not known which lot units came from that were sold before lots were kept.
          `p.version = r.version and coalesce((r.before ->> 'stock_without_lots')::int, p.count_in_stock) = p.count_in_stock`,
          `r.action = 'UPDATE'`,
          'changed since this preview was made. Please import the file again.',
        )
        await inSteps(em, tx, id, async range => {
          await update(tx, 'fields', 'r.stock_delta', range)
          await create(tx, range)
          await regroup(tx, 'fields', range)
          await moveLots(tx, 'fields', range)
          await auditStep(tx, actor, range, done)
        })
        return finish(tx, actor, id, 'APPLIED')
      }),
    ),
  )
}

/** Takes back what the import applied last has done, in one transaction. */
export async function undoImport(em: EntityManager, actor: Actor, id: string): Promise<ProductImport> {
  const last = `not exists (select 1 from product_imports n where n.status in ('APPLIED', 'APPLYING', 'UNDOING') and n.applied_at > product_imports.applied_at)`
  await claim(
    em,
    id,
    'UNDOING',
    `(status = 'APPLIED' and ${last}) or (status = 'UNDOING' and ${STALE})`,
    'Only the import applied last can be undone.',
  )
  return running(em, id, 'APPLIED', tx =>
    tx.transactional(async tx => {
      await lock(
        tx,
        id,
        'p.version = r.applied_version',
        `r.action in ('CREATE', 'UPDATE')`,
        'changed since the import was applied, so nothing was undone.',
      )
      await inSteps(em, tx, id, async range => {
        await update(tx, 'before', '-r.stock_moved', range)
        await regroup(tx, 'before', range)
        await moveLots(tx, 'before', range)
        await archiveCreated(tx, range)
        await auditStep(tx, actor, range, undone)
      })
      return finish(tx, actor, id, 'UNDONE')
    }),
  )
}

/** Whether `undoImport` would succeed. */
export async function canUndo(em: EntityManager, { id, status }: ProductImport): Promise<boolean> {
  if (status !== 'APPLIED') return false
  const [last] = await em.execute<{ id: string }[]>(
    `select id from product_imports where status = 'APPLIED' order by applied_at desc limit 1`,
  )
  return last?.id === id
}

/** Marks the import as being worked on, so that only one request does it. */
async function claim(em: EntityManager, id: string, status: string, allowed: string, otherwise: string): Promise<void> {
  const claimed = isId(id)
    ? await em.execute<{ id: string }[]>(
        `update product_imports set status = ?, applied_rows = 0, progress_at = now() where id = ? and (${allowed}) returning id`,
        [status, id],
      )
    : []
  if (claimed.length > 0) return
  const known = isId(id) ? await em.findOne(ProductImport, { id }, { refresh: true }) : null
  if (!known) throw refuse('NOT_FOUND', 'There is no such import.')
  throw refuse('IMPORT_STATE', otherwise, { details: { productImport: known } })
}

/** After any failure the import returns to its previous state. */
async function running<T>(
  em: EntityManager,
  id: string,
  before: string,
  run: (em: EntityManager) => Promise<T>,
): Promise<T> {
  try {
    return await run(em)
  } catch (error) {
    await em.execute('update product_imports set status = ?, applied_rows = 0, progress_at = null where id = ?', [
      before,
      id,
    ])
    throw error
  }
}

/** Locks the products and checks with `unchanged` that each is still as it was; otherwise nothing is changed. */
async function lock(
  em: EntityManager,
  importId: string,
  unchanged: string,
  rows: string,
  changed: string,
): Promise<void> {
  const locked = await em.execute<{ fresh: boolean; name: string; sku: string }[]>(
    `select p.name, p.sku, ${unchanged} and p.archived_at is null as fresh
     from product_import_rows r join products p on p.id = r.product_id where r.import_id = ? and ${rows} order by p.id for update of p`,
    [importId],
  )
  const stale = locked.filter(({ fresh }) => !fresh).map(({ name, sku }) => `“${name}” (${sku})`)
  if (stale.length === 0) return
  const named =
    stale.length > MOST_NAMED
      ? [...stale.slice(0, MOST_NAMED - 1), `${stale.length - MOST_NAMED + 1} more products`]
      : stale
  throw refuse(
    'CONFLICT',
    `${new Intl.ListFormat('en').format(named)} ${stale.length === 1 ? 'was' : 'were'} ${changed}`,
  )
}

async function inSteps(
  outside: EntityManager,
  em: EntityManager,
  importId: string,
  step: (range: Step) => Promise<void>,
): Promise<void> {
  const watched = outside.fork()
  let from = NO_ID
  let applied = 0
  for (;;) {
    const ids = await em.execute<{ product_id: string }[]>(
      `select product_id from product_import_rows where import_id = ? and action in ('CREATE', 'UPDATE') and product_id > ? order by product_id limit ${BATCH}`,
      [importId, from],
    )
    if (ids.length === 0) return
    const to = lastOf(ids).product_id
    // Rows hold the price without a sale.
    await leaveSales(
      em,
      ids.map(({ product_id }) => product_id),
    )
    await step({ importId, from, to })
    await turnSales(
      em,
      ids.map(({ product_id }) => product_id),
    )
    await indexProducts(
      em,
      ids.map(({ product_id }) => product_id),
    )
    await recordProductChanges(
      em,
      ids.map(({ product_id }) => product_id),
    )
    from = to
    applied += ids.length
    // Written outside the transaction, whose progress others could not see before it commits.
    await watched.execute('update product_imports set applied_rows = ?, progress_at = now() where id = ?', [
      applied,
      importId,
    ])
  }
}

const plain = columns.filter(({ field }) => field !== 'countInStock' && field !== 'group' && field !== 'lots')

/** Whose stock the step moves, and by how much. */
type Shift = { productId: string; delta: number }

/**
 * Sets the products' fields to what the rows keep under `source`, null included; a field that is not in it stays. Stocks
 * move by a difference, as far as it goes: what was sold in the meantime stays sold.
 */
async function update(
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

async function create(em: EntityManager, range: Step): Promise<void> {
  const fields = plain.map(({ header }) => header).join(', ')
  const shifts = await em.execute<Shift[]>(
    `with made as (
       insert into products (id, sku, ${fields}, count_in_stock, created_at, published_at)
       select r.product_id, coalesce(r.sku, 'SKN-' || nextval('product_skus')), ${plain.map(({ header }) => `f.${header}`).join(', ')}, 0, now(), now()
       from product_import_rows r, jsonb_populate_record(null::products, r.fields) f where ${RANGE} and r.action = 'CREATE' order by r.line
       returning id, sku
     )
     update product_import_rows r set sku = made.sku, applied_version = 1 from made
     where r.import_id = ? and r.action = 'CREATE' and r.product_id = made.id
     returning r.product_id as "productId", r.stock_delta as delta`,
    [...inRange(range), range.importId],
  )
  await shiftStock(em, shifts, 'initial')
}

/** Puts the products into the groups that the rows name, behind what is there, in the order of the file; out of theirs where the name is empty. */
async function regroup(em: EntityManager, source: 'fields' | 'before', range: Step): Promise<void> {
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
async function moveLots(em: EntityManager, target: 'fields' | 'before', range: Step): Promise<void> {
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

async function archiveCreated(em: EntityManager, range: Step): Promise<void> {
  await em.execute(
    `update products p set archived_at = now(), version = p.version + 1 from product_import_rows r where ${RANGE} and r.action = 'CREATE' and p.id = r.product_id`,
    inRange(range),
  )
}

interface Applied {
  id: string
  name: string
  action: 'CREATE' | 'UPDATE'
  changes: FieldChange[]
}

/** What the rows of a step did to which product, in the order of the file. */
const appliedIn = (em: EntityManager, range: Step) =>
  em.execute<Applied[]>(
    `select p.id, p.name, r.action, r.changes from product_import_rows r join products p on p.id = r.product_id
     where ${RANGE} and r.action in ('CREATE', 'UPDATE') order by r.line`,
    inRange(range),
  )

async function auditStep(
  em: EntityManager,
  actor: Actor,
  range: Step,
  judge: (applied: Applied) => { action: AuditAction; changes: FieldChange[] },
): Promise<void> {
  const records = (await appliedIn(em, range)).map(applied => ({
    entity: 'PRODUCT' as const,
    entityId: applied.id,
    label: applied.name,
    importId: range.importId,
    ...judge(applied),
  }))
  await recordAudit(em, actor, ...records)
}

const done = ({ action, changes }: Applied) => ({
  action: action === 'CREATE' ? ('CREATED' as const) : ('UPDATED' as const),
  changes,
})

const undone = ({ action, changes }: Applied) =>
  action === 'CREATE'
    ? { action: 'ARCHIVED' as const, changes: [] }
    : {
        action: 'UPDATED' as const,
        changes: changes.map(({ field, before, after }) => ({ field, before: after, after: before })),
      }

async function finish(
  em: EntityManager,
  actor: Actor,
  id: string,
  status: 'APPLIED' | 'UNDONE',
): Promise<ProductImport> {
  const stamp = status === 'APPLIED' ? 'applied_at' : 'undone_at'
  await em.execute(
    `update product_imports set status = ?, ${stamp} = clock_timestamp(), progress_at = null where id = ?`,
    [status, id],
  )
  const finished = await em.findOneOrFail(ProductImport, { id }, { refresh: true })
  await recordAudit(em, actor, {
    entity: 'IMPORT',
    entityId: id,
    label: finished.fileName,
    action: status,
    importId: id,
    changes: [
      { field: 'creates', before: null, after: String(finished.creates) },
      { field: 'updates', before: null, after: String(finished.updates) },
    ],
  })
  return finished
}
