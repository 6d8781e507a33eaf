import { addressLines } from '#schema/rules/address-lines'
import { dyeLots, unitsOf, type LotPortion } from '#schema/rules/lots'
import type { Order } from '../order/order.entity.ts'
import { collect, drawHead, drawParties, numberPages, openDocument } from '../pdf/letterhead.ts'
import type { Stationery } from '../pdf/paper.ts'
import { INK, MARGIN, put, QUIET, rightOf, tell, widthOf, within, type Element, type Pdf } from '../pdf/sheet.ts'
import { drawTable, type Column } from '../pdf/table.ts'

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
    quantity: { head: 'Quantity', x: MARGIN + 20, width: 44, align: 'right', strong: true },
    name: { head: 'Item', x: MARGIN + 80, width: widthOf(pdf) - 226, align: 'left' },
    sku: { head: 'SKU', x: rightOf(pdf) - 130, width: 130, align: 'left' },
  }) satisfies Record<string, Column>
const BOX = 11

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
      order.isPickup
        ? { label: 'To be picked up by', lines: [order.shippingAddress.name, order.shippingAddress.phone], size: 12 }
        : { label: 'Ship to', lines: addressLines(order.shippingAddress), size: 12 },
      { label: 'From', lines: [contact.name, contact.address, contact.email] },
    ])
    if (order.customerNote) drawNote(pdf, part, order.customerNote)
    await drawLines(pdf, part, lines)
    part.end()
    numberPages(pdf, title(packing), first, pdf.bufferedPageRange().count - first)
  }
  root.end()
  return collect(pdf)
}

/** What the shopper told the shop, on as few lines as can be. */
function drawNote(pdf: Pdf, root: Element, note: string): void {
  const at = { x: MARGIN, width: widthOf(pdf) }
  tell(pdf, root, 'H2', () => put(pdf, 'The shopper says', { ...at, y: pdf.y, size: 9, bold: false }, QUIET))
  tell(pdf, root, 'P', () => put(pdf, note.replaceAll(/\s+/g, ' '), { ...at, y: pdf.y + 2, size: 11, bold: true }))
  pdf.y += 16
}

/** What to pack, each with a box to tick. */
const drawLines = (pdf: Pdf, root: Element, lines: readonly PackingLine[]): Promise<void> =>
  drawTable(
    pdf,
    root,
    {
      columns: columnsOf(pdf),
      size: 11,
      lots: { size: 9.5, bold: true },
      gap: 12,
      mark: y =>
        pdf
          .rect(MARGIN + 1, y, BOX, BOX)
          .lineWidth(0.8)
          .strokeColor(INK)
          .stroke(),
    },
    lines.map(({ name, sku, quantity, lots }) => ({
      cells: { quantity: String(quantity), name, sku },
      lots: dyeLots(lots),
    })),
  )
