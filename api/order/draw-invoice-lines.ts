import { dyeLots } from '#schema/rules/lots'
import { currencyName } from '#schema/rules/currency'
import { formatCents } from '#schema/rules/money'
import { inSentence } from '#schema/rules/payment-methods'
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
import { drawTable, type Column } from '../pdf/table.ts'
import type { Order, OrderItem } from './order.entity.ts'
import { giftCardLines } from './gift-card-lines.ts'
import { shippingLine } from './shipping-line.ts'
import { taxRows } from './tax-rows.ts'

/** Figures end flush right. */
const columnsOf = (pdf: Pdf) =>
  ({
    name: { head: 'Item', x: MARGIN, width: widthOf(pdf) - 312, align: 'left' },
    sku: { head: 'SKU', x: rightOf(pdf) - 304, width: 118, align: 'left' },
    quantity: { head: 'Quantity', x: rightOf(pdf) - 182, width: 42, align: 'right' },
    price: { head: 'Price', x: rightOf(pdf) - 136, width: 64, align: 'right' },
    amount: { head: 'Amount', x: rightOf(pdf) - 68, width: 68, align: 'right' },
  }) satisfies Record<string, Column>

/** What was ordered. */
export const drawLines = (pdf: Pdf, root: Element, items: readonly OrderItem[]): Promise<void> =>
  drawTable(
    pdf,
    root,
    { columns: columnsOf(pdf), size: 9.5, lots: { size: 8.5, bold: false }, gap: 8 },
    items.map(({ name, sku, quantity, price, lots }) => ({
      cells: {
        name,
        sku,
        quantity: String(quantity),
        price: formatCents(price),
        amount: formatCents(price * quantity),
      },
      lots: dyeLots(lots),
    })),
  )

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
    ...shippingLine(order),
    ...(order.includedTax > 0 ? [] : taxRows(order)),
    ['Total', formatCents(order.totalPrice), true],
    ...(order.includedTax > 0
      ? [...taxRows(order), ['Without tax', formatCents(order.totalPrice - order.includedTax)] as [string, string]]
      : []),
    ...giftCardLines(order),
    ...refunds.map(({ amount, createdAt }): [string, string] => [`Refunded ${day(createdAt)}`, formatCents(-amount)]),
    ...(refunds.length > 0
      ? [
          ['Paid after refunds', formatCents(order.totalPrice - order.unpaidAmount - order.refundedAmount), true] as [
            string,
            string,
            boolean,
          ],
        ]
      : []),
  ]
  if (pdf.y + rows.length * 18 > bottomOf(pdf)) pdf.addPage()
  const { head: _, ...amounts } = columnsOf(pdf).amount
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
    ? `Paid with ${inSentence(order.paymentMethod)} on ${day(order.paidAt)}. Thank you!`
    : 'Unpaid. Please pay this order in the shop.'
  const place = { x: MARGIN, width: 260 }
  tell(pdf, root, 'P', () => put(pdf, state, { ...place, y: y + 4, size: 10, bold: true }))
  const below = pdf.y + 2
  tell(pdf, root, 'P', () =>
    put(pdf, `All amounts are in ${currencyName()}.`, { ...place, y: below, size: 9, bold: false }, QUIET),
  )
}
