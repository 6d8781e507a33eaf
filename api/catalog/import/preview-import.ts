import type { EntityManager } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { unitsOf } from '#schema/rules/lots'
import { fromLotsCell, sku as skuRule } from '#schema/rules/shapes/product'
import { dayProblem } from '#schema/rules/preorder'
import { saleProblem } from '#schema/rules/sale'
import { nth } from '#schema/rules/present'
import { clock } from '../../kernel/clock.ts'
import { changesBetween, type Actor } from '../../audit/record-audit.ts'
import { keptByLotMessage, NO_LOTS } from '../count-stock.ts'
import { SALE } from '../product.entity.ts'
import type { FieldChange, ImportAction } from '../../generated/types.ts'
import {
  blank,
  columns,
  fieldRules,
  fromCell,
  isSale,
  unreadable,
  type Cell,
  type CsvRow,
  type Field,
} from './columns.ts'
import { ProductImport } from './product-import.entity.ts'
import { readCsv } from './read-csv.ts'

const BATCH = 500
/** A preview nobody applied is forgotten after this many days. */
const KEEP_DAYS = 30

type Values = Partial<Record<Field, Cell>>

type Known = Record<Field, Cell> & {
  id: string
  sku: string
  version: number
  keptByLot: boolean
  isDownload: boolean
  /** Where its picture was before an import fetched it. */
  pictureFrom: string | null
  /** Where others that an import gave it were. */
  others: string[]
}

/** A row of `product_import_rows`, by its column names. */
interface PreviewRow {
  line: number
  action: ImportAction
  sku: string | null
  name: string
  product_id: string | null
  version: number | null
  fields: Record<string, Cell>
  before: Record<string, Cell>
  stock_delta: number
  /** Those to be fetched. */
  pictures: { place: number; address: string; alt: string }[]
  changes: FieldChange[]
  reasons: string[]
}

/** Reads a CSV and keeps what applying it would do, row by row. No product changes. */
export async function previewImport(
  em: EntityManager,
  actor: Actor,
  file: Buffer,
  fileName: string,
): Promise<ProductImport> {
  // Once through before anything is stored: a file that breaks off near its end costs no work and no space.
  for await (const _row of readCsv(file));
  return em.transactional(async tx => {
    await tx.execute(`delete from product_imports where status = 'READY' and created_at < now() - ?::interval`, [
      `${KEEP_DAYS} days`,
    ])
    const preview = tx.create(ProductImport, {
      fileName,
      status: 'READY',
      createdById: actor.id,
      createdBy: actor.name,
      totalRows: 0,
      creates: 0,
      updates: 0,
      unchanged: 0,
      refused: 0,
    })
    await tx.flush()

    const lineOfSku = new Map<string, number>()
    let batch: CsvRow[] = []
    const store = async () => {
      const rows = await judge(tx, batch, lineOfSku)
      await insert(tx, preview.id, rows)
      for (const { action } of rows) preview[counters[action]]++
      preview.totalRows += rows.length
      batch = []
    }
    for await (const row of readCsv(file)) {
      batch.push(row)
      if (batch.length === BATCH) await store()
    }
    if (batch.length > 0) await store()
    // Thousands of rows the planner has not heard of would make it choose the wrong plans for what comes next.
    await tx.execute('analyze product_import_rows, product_import_pictures')
    return preview
  })
}

const counters = { CREATE: 'creates', UPDATE: 'updates', UNCHANGED: 'unchanged', REFUSED: 'refused' } as const

const GIVEN = `from product_import_pictures i join product_imports m on m.id = i.import_id
  where i.product_id = products.id and i.is_given and m.status = 'APPLIED'`
const PICTURE_FROM = `(select i.address ${GIVEN} and i.stored_as = products.image limit 1)`
const OTHERS = `(select coalesce(jsonb_agg(i.address), '[]') ${GIVEN} and i.place > 0)`

async function judge(
  em: EntityManager,
  rows: readonly CsvRow[],
  lineOfSku: Map<string, number>,
): Promise<PreviewRow[]> {
  const skus = rows.map(({ sku }) => sku.toUpperCase()).filter(Boolean)
  const fields = columns.map(({ readAs, field }) => `${readAs} as "${field}"`).join(', ')
  const found =
    skus.length > 0
      ? await em.execute<Known[]>(
          `select id, sku, version, kept_by_lot as "keptByLot", is_download as "isDownload", ${PICTURE_FROM} as "pictureFrom", ${OTHERS} as others, ${fields} from products where archived_at is null and sku in (select jsonb_array_elements_text(?::jsonb))`,
          [JSON.stringify(skus)],
        )
      : []
  const known = new Map(found.map(product => [product.sku, product]))
  return rows.map(row => judgeRow(row, known, lineOfSku))
}

function judgeRow(row: CsvRow, known: ReadonlyMap<string, Known>, lineOfSku: Map<string, number>): PreviewRow {
  const { values, reasons } = readValues(row)
  const sku = row.sku ? skuRule.safeParse(row.sku) : null
  if (sku?.error) reasons.push(nth(sku.error.issues, 0).message)
  const product = sku?.data ? known.get(sku.data) : undefined
  const shown = {
    line: row.line,
    sku: sku?.data ?? (row.sku.slice(0, 64) || null),
    name: String(values.name ?? product?.name ?? ''),
  }

  // The file still says where its picture once was.
  if (row.fetched && product && values.image === product.pictureFrom) values.image = product.image

  if (sku?.data) {
    const before = lineOfSku.get(sku.data)
    if (before === undefined) lineOfSku.set(sku.data, row.line)
    else reasons.push(`SKU ${sku.data} is on line ${before} already.`)
  }
  reasons.push(...row.reasons)
  if (!product && values.name === undefined && !reasons.some(reason => reason.startsWith('Name')))
    reasons.push('Name is required for a new product.')
  if (!product && values.price === undefined && !reasons.some(reason => reason.startsWith('Price')))
    reasons.push('Price is required for a new product.')
  if (product?.keptByLot && !hasOther(product, values, 'lots') && hasOther(product, values, 'countInStock'))
    reasons.push(keptByLotMessage(String(product.name)))
  if (product?.isDownload && hasOther(product, values, 'lots')) reasons.push(NO_LOTS)
  reasons.push(...dayReasons(product ?? blank, values))
  if (reasons.length === 0) reasons.push(...saleReasons({ ...(product ?? blank), ...values }, values))
  if (reasons.length > 0) return { ...shown, ...NOTHING, action: 'REFUSED', product_id: null, version: null, reasons }
  return withPictures(product ? update(shown, product, values) : creation(shown, values), row, product)
}

/** With the pictures at another host that the product is not there yet or has not been given. */
function withPictures(judged: PreviewRow, { fetched }: CsvRow, product: Known | undefined): PreviewRow {
  if (!fetched) return judged
  const image = String(judged.fields['image'])
  const first = URL.canParse(image) ? [{ place: 0, address: image, alt: fetched.alt }] : []
  const others = fetched.others.flatMap(({ address, alt }, index) => {
    const isNew = URL.canParse(address) && !product?.others.includes(address)
    return isNew ? [{ place: index + 1, address, alt }] : []
  })
  const pictures = [...first, ...others]
  if (others.length === 0) return { ...judged, pictures }
  return {
    ...judged,
    action: judged.action === 'UNCHANGED' ? 'UPDATE' : judged.action,
    pictures,
    changes: [...judged.changes, { field: 'pictures', before: null, after: `${others.length} more` }],
  }
}

/** What is wrong with the sale that the row leads to, if it says anything of price or sale. */
function saleReasons({ price, salePrice, saleFrom, saleUntil }: Values, given: Values): string[] {
  if (['price' as const, ...SALE].every(field => given[field] === undefined)) return []
  if (salePrice == null) return saleFrom || saleUntil ? ['A sale needs a sale price.'] : []
  const instant = (cell: Cell | undefined) => (cell ? new Date(String(cell)) : null)
  const sale = { price: Number(salePrice), from: instant(saleFrom), until: instant(saleUntil) }
  const problem = saleProblem(Number(price), sale, clock.now())
  return problem ? [problem.message] : []
}

/** What is wrong with a day that the row changes. */
function dayReasons(before: Record<Field, Cell>, values: Values): string[] {
  if (!values.expectedOn || !hasOther(before, values, 'expectedOn')) return []
  const problem = dayProblem(String(values.expectedOn), clock.now())
  return problem ? [problem] : []
}

const hasOther = (product: Record<Field, Cell>, values: Values, field: Field) =>
  values[field] !== undefined && values[field] !== product[field]

/** Where lots are given they say how many there are, whatever the count is. */
const withUnitsOfLots = (values: Values, lots: Cell | undefined): Values =>
  lots ? { ...values, countInStock: unitsOf(fromLotsCell(String(lots))) } : values

const NOTHING = { fields: {}, before: {}, stock_delta: 0, pictures: [], changes: [], reasons: [] as string[] }

function readValues({ cells }: CsvRow): { values: Values; reasons: string[] } {
  const values: Values = {}
  const reasons: string[] = []
  for (const { column, cell } of cells) {
    const { field } = column
    if (cell === '' && column.empty === 'ignored') continue
    const value = fromCell(column, cell)
    const checked = fieldRules[field].safeParse(value)
    if (checked.success) values[field] = checked.data
    else reasons.push(Object.is(value, NaN) ? unreadable(column) : nth(checked.error.issues, 0).message)
  }
  return { values, reasons }
}

type Shown = Pick<PreviewRow, 'line' | 'sku' | 'name'>

function update(shown: Shown, product: Known, given: Values): PreviewRow {
  const movesLots = hasOther(product, given, 'lots')
  const values = withUnitsOfLots(given, movesLots ? given.lots : undefined)
  const changed = columns.filter(({ field }) => hasOther(product, values, field))
  const { id, version } = product
  const action = changed.length > 0 ? 'UPDATE' : 'UNCHANGED'
  // A sale is set as a whole: it may be over and forgotten before the import is applied.
  const setsSale = SALE.some(field => hasOther(product, values, field))
  const set = columns.filter(column => changed.includes(column) || (setsSale && isSale(column.field)))
  const texts = set.filter(({ field }) => field !== 'countInStock')
  return {
    ...shown,
    action,
    product_id: id,
    version,
    fields: Object.fromEntries(
      texts.map(({ header, field }) => [header, values[field] === undefined ? product[field] : values[field]]),
    ),
    before: {
      ...Object.fromEntries(texts.map(({ header, field }) => [header, product[field]])),
      ...(movesLots && !product.keptByLot && { stock_without_lots: product.countInStock }),
    },
    stock_delta: movesLots
      ? 0
      : ((values.countInStock as number) ?? product.countInStock) - (product.countInStock as number),
    pictures: [],
    changes: changesBetween(
      product,
      values,
      changed.map(({ field }) => field),
    ),
    reasons: [],
  }
}

function creation(shown: Shown, values: Values): PreviewRow {
  const product = { ...blank, ...withUnitsOfLots(values, values.lots) }
  const { countInStock, ...fields } = product
  return {
    ...shown,
    action: 'CREATE',
    product_id: v7(),
    version: null,
    fields: Object.fromEntries(
      columns.flatMap(({ header, field }) => (field === 'countInStock' ? [] : [[header, fields[field]]])),
    ),
    before: {},
    stock_delta: product.lots ? 0 : Number(countInStock),
    pictures: [],
    changes: changesBetween(null, { sku: shown.sku, ...product }, ['sku', ...columns.map(({ field }) => field)]).filter(
      ({ after }) => after !== null,
    ),
    reasons: [],
  }
}

async function insert(em: EntityManager, importId: string, rows: readonly PreviewRow[]): Promise<void> {
  const json = JSON.stringify(rows)
  await em.execute(
    `insert into product_import_rows (import_id, line, action, sku, name, product_id, version, fields, before, stock_delta, changes, reasons)
     select ?, line, action, sku, name, product_id, version, fields, before, stock_delta, changes, reasons
     from jsonb_to_recordset(?::jsonb) as r(line integer, action text, sku text, name text, product_id uuid, version integer,
       fields jsonb, before jsonb, stock_delta integer, changes jsonb, reasons jsonb)`,
    [importId, json],
  )
  await em.execute(
    `insert into product_import_pictures (import_id, line, place, product_id, address, alt)
     select ?, r.line, p.place, r.product_id, p.address, p.alt
     from jsonb_to_recordset(?::jsonb) as r(line integer, product_id uuid, pictures jsonb),
       jsonb_to_recordset(r.pictures) as p(place smallint, address text, alt text)`,
    [importId, json],
  )
}
