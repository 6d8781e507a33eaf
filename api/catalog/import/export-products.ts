import type { EntityManager } from '@mikro-orm/postgresql'
import { type Options, stringify } from 'csv-stringify/sync'
import { lastOf } from '#schema/rules/present'
import { adminConditions } from '../list-products.ts'
import { refuse } from '../../kernel/errors.ts'
import type { AdminProductFilter } from '../../generated/types.ts'
import { columns, headers, SKU, toCell, type Cell, type Field } from './columns.ts'

const LIMIT = 50_000
const BATCH = 1_000

/** Spreadsheets of some languages take a semicolon for the end of a cell, and others drop spaces at its edges. */
const CSV: Options = { record_delimiter: 'windows', quoted_match: /[;\r\n]|^\s|\s$/ }

type Values = Record<Field, Cell> & { sku: string }
type Row = Values & { id: string; at: string }

/** The products of a filter as CSV, read in batches. */
export async function exportProducts(em: EntityManager, filter: AdminProductFilter): Promise<string> {
  const conditions = adminConditions(filter) ?? [['false']]
  const where = conditions.map(([sql]) => sql).join(' and ')
  const parameters = conditions.flatMap(([, ...values]) => values)
  let file = fileOf([])
  let count = 0
  const fields = columns.map(({ readAs, field }) => `${readAs} as "${field}"`).join(', ')
  let after: [string, string] | null = null
  for (;;) {
    const rows: Row[] = await em.execute<Row[]>(
      `select id, sku, created_at::text as at, ${fields} from products
       where ${where} ${after ? 'and (created_at, id) > (?::timestamptz, ?::uuid)' : ''} order by created_at, id limit ${BATCH}`,
      [...parameters, ...(after ?? [])],
    )
    count += rows.length
    if (count > LIMIT)
      throw refuse(
        'INVALID',
        `At most ${LIMIT.toLocaleString('en-US')} products can be exported at once. Please narrow the filter.`,
        { field: ['filter'] },
      )
    file += stringify(rows.map(cellsOf), CSV)
    if (rows.length < BATCH) return file
    const last = lastOf(rows)
    after = [last.at, last.id]
  }
}

const cellsOf = (values: Values): string[] => [
  toCell(SKU, values.sku),
  ...columns.map(column => toCell(column, values[column.field])),
]

const fileOf = (lines: readonly string[][]) => stringify([[...headers], ...lines], { ...CSV, bom: true })

/** The header and two products as an example. */
export function importTemplate(): string {
  const example: Values = {
    sku: 'FERN-HOLLOW-MOSS',
    name: 'Fern Hollow Worsted in Moss',
    category: 'Worsted',
    price: 2450,
    salePrice: 1990,
    saleFrom: null,
    saleUntil: '2030-12-01T00:00:00Z',
    countInStock: 24,
    expectedOn: null,
    reducedTax: false,
    description: 'A round, springy wool for sweaters and hats.',
    image: '/images/sample.webp',
    weight: '100 g',
    length: '200 m (219 yd)',
    gauge: '18 sts / 24 rows',
    knittingNeedle: '4.5 mm (US 7)',
    crochetHook: '5 mm (US H-8)',
    recommendedCare: 'Hand wash cold, dry flat',
    content: '100% wool',
    group: 'Fern Hollow Worsted',
    lots: '4412:16|4417:8',
  }
  const needles: Values = {
    sku: 'BIRCH-CIRCULAR-4',
    name: 'Birch Circular Needle',
    category: 'Needles',
    price: 1200,
    salePrice: null,
    saleFrom: null,
    saleUntil: null,
    countInStock: 8,
    expectedOn: '2030-12-01',
    reducedTax: false,
    description: 'Warm in the hand, with a join that lets every stitch pass.',
    image: '/images/sample.webp',
    weight: '',
    length: '',
    gauge: '',
    knittingNeedle: '4 mm (US 6)',
    crochetHook: '',
    recommendedCare: '',
    content: 'Birch wood, nylon cord',
    group: '',
    lots: '',
  }
  return fileOf([cellsOf(example), cellsOf(needles)])
}
