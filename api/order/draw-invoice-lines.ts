import { setImmediate } from 'node:timers/promises'
import { dyeLots } from '#schema/rules/lots'
import { currencyName } from '#schema/rules/currency'
import { formatCents } from '#schema/rules/money'
import type { Refund } from '../payment/refund.entity.ts'
import {
  bottomOf,
  decorate,
  INK,
  MARGIN,
  put,
  QUIET,
  rightOf,
  rule,
  tell,
  widthOf,
  within,
  type Element,
  type Pdf,
} from '../pdf/sheet.ts'
import { heightOf } from '../pdf/text.ts'
import type { Order, OrderItem } from './order.entity.ts'
import { taxLabel } from './tax-label.ts'

/** Where each column of the lines starts, and how wide it is; figures end flush right. */
const columnsOf = (pdf: Pdf) =>
  ({
    name: { x: MARGIN, width: widthOf(pdf) - 312, align: 'left' },
    sku: { x: rightOf(pdf) - 304, width: 118, align: 'left' },
    quantity: { x: rightOf(pdf) - 182, width: 42, align: 'right' },
    price: { x: rightOf(pdf) - 136, width: 64, align: 'right' },
    amount: { x: rightOf(pdf) - 68, width: 68, align: 'right' },
  }) as const
type Column = keyof ReturnType<typeof columnsOf>
const HEADS: Record<Column, string> = {
  name: 'Item',
  sku: 'SKU',
  quantity: 'Quantity',
  price: 'Price',
  amount: 'Amount',
}
const LINE = { size: 9.5, small: 8.5, gap: 8 } as const

/** The table of what was ordered; a long one goes on, with its heads, on the next page. */
export async function drawLines(pdf: Pdf, root: Element, items: readonly OrderItem[]): Promise<void> {
  const columns = columnsOf(pdf)
  const table = within(pdf, root, 'Table')
  drawLineHead(pdf, table)
  const body = within(pdf, table, 'TBody')
  for (const { name, sku, quantity, price, lots: portions } of items) {
    // Shaping letters takes a while, in which others want their answers.
    await setImmediate()
    const lots = dyeLots(portions)
    const below = lots ? heightOf(pdf, lots, { width: columns.name.width, size: LINE.small, bold: false }) : 0
    const height = Math.max(
      heightOf(pdf, name, { width: columns.name.width, size: LINE.size, bold: false }) + below,
      heightOf(pdf, sku, { width: columns.sku.width, size: LINE.size, bold: false }),
    )
    if (pdf.y + height + LINE.gap > bottomOf(pdf)) {
      pdf.addPage()
      decorate(pdf, () => drawHeads(pdf, (_, draw) => draw()))
    }
    const y = pdf.y
    const row = within(pdf, body, 'TR')
    const cells: Record<Column, string> = {
      name,
      sku,
      quantity: String(quantity),
      price: formatCents(price),
      amount: formatCents(price * quantity),
    }
    for (const [column, text] of Object.entries(cells))
      tell(pdf, row, 'TD', () => {
        put(pdf, text, { ...columns[column as Column], y, size: LINE.size, bold: false })
        if (lots && column === 'name')
          put(pdf, lots, { ...columns.name, y: pdf.y, size: LINE.small, bold: false }, QUIET)
      })
    row.end()
    decorate(pdf, () => rule(pdf, y + height + LINE.gap / 2))
    pdf.y = y + height + LINE.gap
  }
  body.end()
  table.end()
}

function drawLineHead(pdf: Pdf, table: Element): void {
  const head = within(pdf, table, 'THead')
  const row = within(pdf, head, 'TR')
  const y = pdf.y
  drawHeads(pdf, (_, draw) => tell(pdf, row, 'TH', draw, 'Column'))
  row.end()
  head.end()
  decorate(pdf, () => rule(pdf, y + 14, INK))
  pdf.y = y + 19
}

function drawHeads(pdf: Pdf, cell: (column: Column, draw: () => void) => void): void {
  const columns = columnsOf(pdf)
  const y = pdf.y
  for (const column of Object.keys(HEADS) as Column[])
    cell(column, () => put(pdf, HEADS[column], { ...columns[column], y, size: 9, bold: true }, QUIET))
  pdf.y = y + 19
}

/** What the lines come to, on one page. */
export function drawTotals(
  pdf: Pdf,
  root: Element,
  order: Order,
  refunds: readonly Refund[],
  day: (date: Date) => string,
): void {
  const rows: [label: string, amount: string, strong?: boolean][] = [
    ['Items', formatCents(order.itemsPrice)],
    ...(order.discountCode
      ? [
          [`Code ${order.discountCode}`, order.discount > 0 ? formatCents(-order.discount) : 'Free shipping'] as [
            string,
            string,
          ],
        ]
      : []),
    ['Shipping', order.shippingPrice === 0 ? 'Free' : formatCents(order.shippingPrice)],
    ...(order.includedTax > 0 ? [] : [[taxLabel(order), formatCents(order.taxPrice)] as [string, string]]),
    ['Total', formatCents(order.totalPrice), true],
    ...(order.includedTax > 0
      ? [
          [taxLabel(order), formatCents(order.includedTax)] as [string, string],
          ['Without tax', formatCents(order.totalPrice - order.includedTax)] as [string, string],
        ]
      : []),
    ...refunds.map(({ amount, createdAt }): [string, string] => [`Refunded ${day(createdAt)}`, formatCents(-amount)]),
    ...(refunds.length > 0
      ? [
          ['Paid after refunds', formatCents(order.totalPrice - order.refundedAmount), true] as [
            string,
            string,
            boolean,
          ],
        ]
      : []),
  ]
  if (pdf.y + rows.length * 18 > bottomOf(pdf)) pdf.addPage()
  const { amount: amounts } = columnsOf(pdf)
  const labels = { x: amounts.x - 148, width: 148 }
  let y = pdf.y + 4
  drawState(pdf, root, order, day, y)
  const table = within(pdf, root, 'Table')
  for (const [label, amount, strong = false] of rows) {
    if (strong) decorate(pdf, () => rule(pdf, y + 1, INK, labels.x))
    const size = strong ? 11 : 9.5
    const row = within(pdf, table, 'TR')
    tell(pdf, row, 'TH', () => put(pdf, label, { ...labels, y: y + 4, size, bold: strong }), 'Row')
    tell(pdf, row, 'TD', () => put(pdf, amount, { ...amounts, y: y + 4, size, bold: strong }))
    row.end()
    y += strong ? 20 : 16
  }
  table.end()
}

/** Beside the totals. */
function drawState(pdf: Pdf, root: Element, order: Order, day: (date: Date) => string, y: number): void {
  const state = order.paidAt
    ? `Paid with ${order.paymentMethod} on ${day(order.paidAt)}. Thank you!`
    : 'Unpaid. Please pay this order in the shop.'
  const place = { x: MARGIN, width: 260 }
  tell(pdf, root, 'P', () => put(pdf, state, { ...place, y: y + 4, size: 10, bold: true }))
  const below = pdf.y + 2
  tell(pdf, root, 'P', () =>
    put(pdf, `All amounts are in ${currencyName()}.`, { ...place, y: below, size: 9, bold: false }, QUIET),
  )
}
