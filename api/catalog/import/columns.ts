import { z } from 'zod'
import { fromDecimal, toDecimal } from '#schema/rules/money'
import { BLANK_PRODUCT, type FieldKind, labelOf, ofEachField, snakeCase } from '#schema/rules/product-fields'
import { group, lotsCell, productFields, salePrice } from '#schema/rules/shapes/product'
import { SALE } from '../product.entity.ts'

/** An instant as it stands in a cell, to the second: 2026-11-27T08:00:00Z. */
const instantCell = (label: string) =>
  z
    .string()
    .transform((cell, context) => {
      const instant = new Date(cell)
      if (INSTANT.test(cell) && !Number.isNaN(instant.getTime())) return `${instant.toISOString().slice(0, 19)}Z`
      context.addIssue(`${label} is not an instant with its time zone, such as 2026-11-27T08:00Z.`)
      return z.NEVER
    })
    .nullable()
const INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/

/** The rules of every column but `sku`. */
export const fieldRules = {
  ...productFields,
  salePrice: salePrice.nullable(),
  saleFrom: instantCell('Sale from'),
  saleUntil: instantCell('Sale until'),
  group,
  lots: lotsCell,
}
/** What is cleared all the way: null, and no empty text. */
export const isSale = (field: Field | 'sku') => (SALE as readonly string[]).includes(field)
export type Field = keyof typeof fieldRules

/** What a column says of a product; null where there is no sale. */
export type Cell = string | number | boolean | null

/** What stands in a field of a new product of which a spreadsheet says nothing. */
export const blank: Record<Field, Cell> = {
  ...BLANK_PRODUCT,
  salePrice: null,
  saleFrom: null,
  saleUntil: null,
  group: '',
  lots: '',
}

/** What spreadsheets take for a formula, in any width; behind apostrophes that keep it from being one. */
const FORMULA = /^'*[=+\-@＝＋－＠\t\r\n]/

interface Kind {
  /** Its type in the database. */
  sql: string
  /** As a spreadsheet may show it: nothing in it is run as a formula. */
  toCell: (value: string | number | boolean) => string
  /** What a cell stands for, still to be checked by the field's rules; NaN when it is nothing of the kind. */
  fromCell: (cell: string) => string | number | boolean
  /** Behind the name of the column when it is NaN. */
  unreadable: string
}

const kinds = {
  text: {
    sql: 'text',
    toCell: value => (FORMULA.test(String(value)) ? `'${value}` : String(value)),
    fromCell: cell => (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell),
    unreadable: 'is no text.',
  },
  cents: {
    sql: 'integer',
    toCell: value => toDecimal(Number(value)),
    fromCell: cell => fromDecimal(cell.replace(/^\$/, '').replace(/^(\d+),(\d{1,2})$/, '$1.$2')) ?? NaN,
    unreadable: 'is not an amount such as 12.50.',
  },
  units: {
    sql: 'integer',
    toCell: String,
    fromCell: cell => (/^\d{1,9}$/.test(cell) ? Number(cell) : NaN),
    unreadable: 'is not a whole number of 0 or more.',
  },
  flag: {
    sql: 'boolean',
    toCell: value => (value ? 'yes' : 'no'),
    fromCell: cell => /^(yes|true)$/i.test(cell) || (/^(no|false)$/i.test(cell) ? false : NaN),
    unreadable: 'is neither yes nor no.',
  },
  day: {
    sql: 'date',
    toCell: String,
    fromCell: cell => cell,
    unreadable: 'is no day.',
  },
} satisfies Record<FieldKind, Kind>

const GROUP_NAME = `coalesce((select g.name from product_groups g where g.id = products.group_id), '')`

// As `toLotsCell` writes them.
const LOTS = `coalesce((select string_agg(l.code || ':' || l.quantity, '|' order by l.code collate "C") from product_lots l
  where l.product_id = products.id and l.quantity > 0), '')`

const instantText = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

interface About {
  kind: keyof typeof kinds
  /** What an empty cell means: an emptied text, no sale, or nothing at all where a product cannot be without. */
  empty: 'clears' | 'ignored'
  /** How it is read from the table `products`, where it is not the column of its name. */
  readAs?: string
}

const { name, image, category, price, countInStock, description, ...others } = ofEachField<
  Record<FieldKind, () => About>
>({
  text: () => ({ kind: 'text', empty: 'clears' }),
  cents: () => ({ kind: 'cents', empty: 'ignored' }),
  units: () => ({ kind: 'units', empty: 'ignored' }),
  flag: () => ({ kind: 'flag', empty: 'ignored' }),
  day: () => ({ kind: 'day', empty: 'clears' }),
})

/** In the order of the template, after `sku`. */
const fields: Record<Field, About> = {
  name: { ...name, empty: 'ignored' },
  category,
  price: { ...price, readAs: 'coalesce(regular_price, price)' },
  countInStock,
  salePrice: { kind: 'cents', empty: 'clears' },
  saleFrom: { kind: 'text', empty: 'clears', readAs: instantText('sale_from') },
  saleUntil: { kind: 'text', empty: 'clears', readAs: instantText('sale_until') },
  description,
  image: { ...image, empty: 'ignored' },
  ...others,
  group: { kind: 'text', empty: 'clears', readAs: GROUP_NAME },
  lots: { kind: 'text', empty: 'ignored', readAs: LOTS },
}

/** A column of the spreadsheet: its header, the product's field, and how it is read and written. */
export interface Column extends Kind {
  /** Its column in the table `products`, too, but for the group's name and the dye lots. */
  header: string
  field: Field
  empty: About['empty']
  readAs: string
}

export const columns: readonly Column[] = (Object.entries(fields) as [Field, About][]).map(
  ([field, { kind, empty, readAs }]) => {
    const header = snakeCase(field)
    return { ...kinds[kind], header, field, empty, readAs: readAs ?? header }
  },
)

export const headers = ['sku', ...columns.map(({ header }) => header)]

/** A row of a file, before anything is known of its product. */
export interface CsvRow {
  /** Line in the file where the row starts. */
  line: number
  sku: string
  /** The cells that say something of the product, or clear it. */
  cells: { column: Column; cell: string }[]
  /** Pictures at another host that are fetched into the shop, which may outlive it: `image` and others; null when none is. */
  fetched: FetchedPictures | null
  /** Why it is refused whatever its cells say, one sentence each. */
  reasons: string[]
}

interface FetchedPictures {
  /** What the product's `image` shows, in words. */
  alt: string
  /** Those behind it. */
  others: { address: string; alt: string }[]
}

/** Makes the rows of a file of its records. */
export interface RowReader {
  /** The rows that are whole with this record. */
  read(record: readonly string[], line: number): CsvRow[]
  /** Those that only the end of the file makes whole. */
  rest(): CsvRow[]
}

/** `Count in stock`, `countInStock` and `count_in_stock` are the same header. */
export const normalHeader = (header: string) => header.toLowerCase().replace(/[^a-z]/g, '')

/** A value of a column as a spreadsheet may show it. */
export const toCell = ({ toCell }: Pick<Column, 'toCell'>, value: Cell): string => (value === null ? '' : toCell(value))

/** The value a cell stands for, still to be checked by the field's rules. */
export const fromCell = ({ field, fromCell }: Column, cell: string): Cell =>
  isSale(field) && cell === '' ? null : fromCell(cell)

/** What is wrong with a cell that cannot be read. */
export const unreadable = ({ field, unreadable }: Column): string => `${labelOf(field)} ${unreadable}`

/** The column before the others, of no field. */
export const SKU = kinds.text
