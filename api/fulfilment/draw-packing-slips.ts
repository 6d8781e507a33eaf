import { setImmediate } from 'node:timers/promises'
import { addressLines } from '#schema/rules/address-lines'
import { dyeLots, unitsOf, type LotPortion } from '#schema/rules/lots'
import type { Order } from '../order/order.entity.ts'
import { collect, drawHead, drawParties, numberPages, openDocument } from '../pdf/letterhead.ts'
import type { Stationery } from '../pdf/paper.ts'
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

/** An order and what of it has to go into a parcel. */
export interface Packing {
  order: Order
  lines: readonly PackingLine[]
}

interface PackingLine {
  name: string
  sku: string
  quantity: number
  lots: readonly LotPortion[]
}

const columnsOf = (pdf: Pdf) =>
  ({
    quantity: { x: MARGIN + 20, width: 44, align: 'right' },
    name: { x: MARGIN + 80, width: widthOf(pdf) - 226, align: 'left' },
    sku: { x: rightOf(pdf) - 130, width: 130, align: 'left' },
  }) as const
type Column = keyof ReturnType<typeof columnsOf>
const HEADS: Record<Column, string> = { quantity: 'Quantity', name: 'Item', sku: 'SKU' }
const BOX = 11
const LINE = { size: 11, small: 9.5, gap: 12 } as const

/** A packing slip for each order, on pages of its own: whom it goes to, and what to put in, from which dye lots. No prices. */
export async function drawPackingSlips(
  packings: readonly [Packing, ...Packing[]],
  { seller: { contact }, timeZone, paper }: Stationery,
): Promise<Buffer> {
  const title = ({ order }: Packing) => `${contact.name} packing slip ${order.reference}`
  const pdf = openDocument({
    paper,
    title: packings.length === 1 ? title(packings[0]) : `${contact.name} packing slips`,
    shopName: contact.name,
    date: packings[0].order.createdAt,
  })
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone })
  const root = pdf.struct('Document')
  pdf.addStructure(root)
  for (const [place, packing] of packings.entries()) {
    if (place > 0) pdf.addPage()
    const first = pdf.bufferedPageRange().count - 1
    const { order, lines } = packing
    const part = within(pdf, root, 'Sect')
    drawHead(pdf, part, contact.name, [
      ['Packing slip', order.reference],
      ['Ordered', day.format(order.createdAt)],
      ['To pack', String(unitsOf(lines))],
    ])
    drawParties(pdf, part, [
      { label: 'Ship to', lines: addressLines(order.shippingAddress), size: 12 },
      { label: 'From', lines: [contact.name, contact.address, contact.email] },
    ])
    await drawLines(pdf, part, lines)
    part.end()
    numberPages(pdf, title(packing), first, pdf.bufferedPageRange().count - first)
  }
  root.end()
  return collect(pdf)
}

/** What to pack, each with a box to tick; a long list goes on, with its heads, on the next page. */
async function drawLines(pdf: Pdf, root: Element, lines: readonly PackingLine[]): Promise<void> {
  const columns = columnsOf(pdf)
  const table = within(pdf, root, 'Table')
  const head = within(pdf, table, 'THead')
  const heads = within(pdf, head, 'TR')
  drawHeads(pdf, draw => tell(pdf, heads, 'TH', draw, 'Column'))
  heads.end()
  head.end()
  const body = within(pdf, table, 'TBody')
  for (const { name, sku, quantity, lots: portions } of lines) {
    // Shaping letters takes a while, in which others want their answers.
    await setImmediate()
    const lots = dyeLots(portions)
    const below = lots ? heightOf(pdf, lots, { width: columns.name.width, size: LINE.small, bold: false }) + 2 : 0
    const height = Math.max(
      heightOf(pdf, name, { width: columns.name.width, size: LINE.size, bold: false }) + below,
      heightOf(pdf, sku, { width: columns.sku.width, size: LINE.size, bold: false }),
      BOX,
    )
    if (pdf.y + height + LINE.gap > bottomOf(pdf)) {
      pdf.addPage()
      decorate(pdf, () => drawHeads(pdf, draw => draw()))
    }
    const y = pdf.y
    decorate(pdf, () =>
      pdf
        .rect(MARGIN + 1, y, BOX, BOX)
        .lineWidth(0.8)
        .strokeColor(INK)
        .stroke(),
    )
    const row = within(pdf, body, 'TR')
    const cells: Record<Column, string> = { quantity: String(quantity), name, sku }
    for (const [column, text] of Object.entries(cells))
      tell(pdf, row, 'TD', () => {
        put(pdf, text, { ...columns[column as Column], y, size: LINE.size, bold: column === 'quantity' })
        if (lots && column === 'name')
          put(pdf, lots, { ...columns.name, y: pdf.y + 2, size: LINE.small, bold: true }, QUIET)
      })
    row.end()
    decorate(pdf, () => rule(pdf, y + height + LINE.gap / 2))
    pdf.y = y + height + LINE.gap
  }
  body.end()
  table.end()
}

function drawHeads(pdf: Pdf, cell: (draw: () => void) => void): void {
  const columns = columnsOf(pdf)
  const y = pdf.y
  for (const column of Object.keys(HEADS) as Column[])
    cell(() => put(pdf, HEADS[column], { ...columns[column], y, size: 9, bold: true }, QUIET))
  decorate(pdf, () => rule(pdf, y + 14, INK))
  pdf.y = y + 21
}
