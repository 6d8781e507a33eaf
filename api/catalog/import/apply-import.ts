import type { EntityManager } from '@mikro-orm/postgresql'
import { lastOf } from '#schema/rules/present'
import { recordAudit, type Actor } from '../../audit/record-audit.ts'
import { recordProductChanges } from '../product-event.ts'
import { uniqueSku } from '../save-product.ts'
import { indexProducts } from '../search/index-products.ts'
import { seeColoursLater } from '../see-colours.ts'
import { leaveSales, turnSales } from '../turn-sales.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { refuse } from '../../kernel/errors.ts'
import type { AuditAction, FieldChange } from '../../generated/types.ts'
import { isId } from '../../kernel/validation.ts'
import {
  archiveCreated,
  createProducts,
  inRange,
  moveLots,
  RANGE,
  regroup,
  showPicturesOfBefore,
  updateProducts,
  type Step,
} from './apply-step.ts'
import { fetchPicturesLater } from './fetch-pictures.ts'
import { ProductImport } from './product-import.entity.ts'

const BATCH = 500

/** How many products the message names when they block an import. */
const MOST_NAMED = 5

/** An import whose progress stands still for longer was cut off by a crash; its transaction is gone, so it can start again. */
const STALE = `progress_at < now() - interval '1 minute'`

const NO_ID = '00000000-0000-0000-0000-000000000000'

/** Does what the preview said, in one transaction. */
export async function applyImport(em: EntityManager, jobs: Jobs, actor: Actor, id: string): Promise<ProductImport> {
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
          await updateProducts(tx, 'fields', 'r.stock_delta', range)
          await createProducts(tx, range)
          await regroup(tx, 'fields', range)
          await moveLots(tx, 'fields', range)
          await auditStep(tx, actor, range, done)
        })
        await seeColoursLater(jobs, tx)
        const applied = await finish(tx, actor, id, 'APPLIED')
        await fetchPicturesLater(jobs, tx, id)
        return applied
      }),
    ),
  )
}

/** Takes back what the import applied last has done, in one transaction. */
export async function undoImport(em: EntityManager, jobs: Jobs, actor: Actor, id: string): Promise<ProductImport> {
  const last = `not exists (select 1 from product_imports n where n.status in ('APPLIED', 'APPLYING', 'UNDOING') and n.applied_at > product_imports.applied_at)`
  await claim(
    em,
    id,
    'UNDOING',
    `(status = 'APPLIED' and ${last}) or (status = 'UNDOING' and ${STALE})`,
    'Only the import applied last can be undone.',
  )
  const undoing = running(em, id, 'APPLIED', tx =>
    tx.transactional(async tx => {
      await lock(
        tx,
        id,
        'p.version = r.applied_version',
        `r.action in ('CREATE', 'UPDATE')`,
        'changed since the import was applied, so nothing was undone.',
      )
      await inSteps(em, tx, id, async range => {
        await updateProducts(tx, 'before', '-r.stock_moved', range)
        await showPicturesOfBefore(tx, range)
        await regroup(tx, 'before', range)
        await moveLots(tx, 'before', range)
        await archiveCreated(tx, range)
        await auditStep(tx, actor, range, undone)
      })
      return finish(tx, actor, id, 'UNDONE')
    }),
  )
  return undoing.catch(async error => {
    // Their job may have come by meanwhile, and left them alone.
    await fetchPicturesLater(jobs, em, id)
    throw error
  })
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
