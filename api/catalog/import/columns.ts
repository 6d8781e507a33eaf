import { z } from 'zod'
import { fromDecimal, toDecimal } from '#schema/rules/money'
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

/** A column of the spreadsheet: its header, the product's field and its column in the database. */
export interface Column {
  header: string
  field: Field
  /** What an empty cell means: an emptied text, or nothing at all where a product cannot be without. */
  empty: 'clears' | 'ignored'
}

const column = (header: string, field: Field, empty: Column['empty'] = 'clears'): Column => ({ header, field, empty })

/**
 * In the order of the template, after `sku`. The headers are the columns of the table `products`; but for the group's
 * name and the dye lots, which `readAs` finds, as it does the price without a sale.
 */
export const columns: readonly Column[] = [
  column('name', 'name', 'ignored'),
  column('category', 'category'),
  column('price', 'price', 'ignored'),
  column('count_in_stock', 'countInStock', 'ignored'),
  column('sale_price', 'salePrice'),
  column('sale_from', 'saleFrom'),
  column('sale_until', 'saleUntil'),
  column('description', 'description'),
  column('image', 'image', 'ignored'),
  column('weight', 'weight'),
  column('length', 'length'),
  column('gauge', 'gauge'),
  column('knitting_needle', 'knittingNeedle'),
  column('crochet_hook', 'crochetHook'),
  column('recommended_care', 'recommendedCare'),
  column('content', 'content'),
  column('group', 'group'),
  column('lots', 'lots', 'ignored'),
]

const GROUP_NAME = `coalesce((select g.name from product_groups g where g.id = products.group_id), '')`

// As `toLotsCell` writes them.
const LOTS = `coalesce((select string_agg(l.code || ':' || l.quantity, '|' order by l.code collate "C") from product_lots l
  where l.product_id = products.id and l.quantity > 0), '')`

const INSTANT_TEXT = `'YYYY-MM-DD"T"HH24:MI:SS"Z"'`
const readings: Partial<Record<Field, string>> = {
  price: 'coalesce(regular_price, price)',
  saleFrom: `to_char(sale_from at time zone 'UTC', ${INSTANT_TEXT})`,
  saleUntil: `to_char(sale_until at time zone 'UTC', ${INSTANT_TEXT})`,
  group: GROUP_NAME,
  lots: LOTS,
}
/** How a column is read from the table `products`. */
export const readAs = ({ header, field }: Column) => readings[field] ?? header

export const headers = ['sku', ...columns.map(({ header }) => header)]

/** `Count in stock`, `countInStock` and `count_in_stock` are the same header. */
export const normalHeader = (header: string) => header.toLowerCase().replace(/[^a-z]/g, '')

/** What spreadsheets take for a formula, in any width; behind apostrophes that keep it from being one. */
const FORMULA = /^'*[=+\-@＝＋－＠\t\r\n]/

/** What a column says of a product; null where there is no sale. */
export type Cell = string | number | null

/** A cell as a spreadsheet may show it: nothing in it is run as a formula. */
export function toCell(field: Field | 'sku', value: Cell): string {
  if (value === null) return ''
  if (field === 'price' || field === 'salePrice') return toDecimal(value as number)
  const text = String(value)
  return FORMULA.test(text) ? `'${text}` : text
}

/** The value a cell stands for, still to be checked by the field's rules. */
export function fromCell(field: Field, cell: string): Cell {
  if (isSale(field) && cell === '') return null
  if (field === 'price' || field === 'salePrice')
    return fromDecimal(cell.replace(/^\$/, '').replace(/^(\d+),(\d{1,2})$/, '$1.$2')) ?? NaN
  if (field === 'countInStock') return /^\d{1,9}$/.test(cell) ? Number(cell) : NaN
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell
}

export const NOT_A_NUMBER: Partial<Record<Field, string>> = {
  price: 'Price is not an amount such as 12.50.',
  salePrice: 'Sale price is not an amount such as 12.50.',
  countInStock: 'Count in stock is not a whole number of 0 or more.',
}
