import { setImmediate } from 'node:timers/promises'
import PDFDocument from 'pdfkit'
import { dyeLots } from '#schema/rules/lots'
import { formatCents } from '#schema/rules/money'
import type { ShopFront } from '../mail/template.ts'
import type { Refund } from '../payment/refund.entity.ts'
import { heightOf, write, writeName, type Place } from './invoice-text.ts'
import type { Order, OrderItem, ShippingAddress } from './order.entity.ts'

const PAGE = { width: 612, height: 792, margin: 48 } as const
const RIGHT = PAGE.width - PAGE.margin
const WIDTH = PAGE.width - 2 * PAGE.margin
const BOTTOM = PAGE.height - PAGE.margin

// The house's ink, as on its pages and in its letters.
const INK = '#241f1a'
const QUIET = '#635a4e'
const RULE = '#ddd4c3'
/** The loose end of yarn behind the name, as the shop's pages draw it: from the foot of the n, 44 wide to a name 32 high. */
const LOOSE_END =
  'M0 20.8C8 20.8 14 18 17.5 12.5 21 7 19.5 1.5 15.5 1.5 11 1.5 10 8.5 14.5 13.5 19.5 19 28 20.5 42.5 18'

/** Where each column of the lines starts, and how wide it is; figures end flush right. */
const COLUMNS = {
  name: { x: PAGE.margin, width: 204, align: 'left' },
  sku: { x: PAGE.margin + 212, width: 118, align: 'left' },
  quantity: { x: PAGE.margin + 334, width: 42, align: 'right' },
  price: { x: PAGE.margin + 380, width: 64, align: 'right' },
  amount: { x: PAGE.margin + 448, width: WIDTH - 448, align: 'right' },
} as const
type Column = keyof typeof COLUMNS
const HEADS: Record<Column, string> = {
  name: 'Item',
  sku: 'SKU',
  quantity: 'Quantity',
  price: 'Price',
  amount: 'Amount',
}
const LINE = { size: 9.5, small: 8.5, gap: 8 } as const
const TOTALS = { x: PAGE.margin + 300, width: 148 } as const

type Pdf = InstanceType<typeof PDFDocument>
type Element = ReturnType<Pdf['struct']>

interface Invoice {
  order: Order
  /** The person it is for; kept apart for orders that forgot them. */
  recipient?: ShippingAddress | undefined
  /** Refunds that did not fail, oldest first. */
  refunds: readonly Refund[]
  seller: ShopFront
  timeZone: string
}

/**
 * The invoice of an order on US letter paper, tagged: a screen reader finds headings, and which figure belongs to which
 * line. The same order always gives the same bytes.
 */
export async function drawInvoice({ order, recipient, refunds, seller, timeZone }: Invoice): Promise<Buffer> {
  const pdf = new PDFDocument({
    size: 'LETTER',
    margin: PAGE.margin,
    lang: 'en-US',
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    bufferPages: true,
    // A date of the order, not of the printing, keeps the file the same however often it is made.
    info: { Title: `Skein invoice ${order.reference}`, Author: 'Skein', CreationDate: order.paidAt ?? order.createdAt },
  })
  const day = (date: Date) => new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(date)
  const root = pdf.struct('Document')
  pdf.addStructure(root)

  drawHead(pdf, root, order, day)
  drawParties(pdf, root, { shippingAddress: recipient ?? order.shippingAddress, userEmail: order.userEmail }, seller)
  await drawLines(pdf, root, order.items.getItems())
  drawTotals(pdf, root, order, refunds, day)
  root.end()
  numberPages(pdf, order)
  pdf.end()
  return collect(pdf)
}

/** Draws something as a part of the document's structure. */
function tell(pdf: Pdf, parent: Element, type: string, draw: () => void, scope?: 'Column' | 'Row'): void {
  // pdfkit knows it, its types do not.
  const options: object = scope ? { scope } : {}
  parent.add(pdf.struct(type, options, [draw]))
}

/** A part of the structure that has parts of its own; it has to be ended. */
function within(pdf: Pdf, parent: Element, type: string): Element {
  const element = pdf.struct(type)
  parent.add(element)
  return element
}

/** Decoration is hidden from screen readers. */
function decorate(pdf: Pdf, draw: () => void): void {
  pdf.markContent('Artifact', { type: 'Layout' })
  draw()
  pdf.endMarkedContent()
}

function put(pdf: Pdf, text: string, place: Place, color = INK): void {
  pdf.fillColor(color)
  write(pdf, text, place)
}

function drawHead(pdf: Pdf, root: Element, order: Order, day: (date: Date) => string): void {
  const mark = { size: 28, foot: PAGE.margin + 22 }
  pdf.fillColor(INK)
  tell(pdf, root, 'H1', () => writeName(pdf, 'Skein', PAGE.margin, mark.foot, mark.size))
  const end = PAGE.margin + pdf.widthOfString('Skein', { characterSpacing: -0.02 * mark.size })
  decorate(pdf, () => drawLooseEnd(pdf, end, mark.foot, mark.size))
  tell(pdf, root, 'P', () =>
    put(
      pdf,
      'Yarn and knitting supplies',
      { x: PAGE.margin, y: mark.foot + 10, width: 240, size: 10, bold: false },
      QUIET,
    ),
  )
  const facts: (readonly [label: string, value: string])[] = [
    ['Invoice', order.reference],
    ['Ordered', day(order.createdAt)],
    ...(order.paidAt ? [['Paid', day(order.paidAt)] as const] : []),
    ...(order.deliveredAt ? [['Delivered', day(order.deliveredAt)] as const] : []),
  ]
  facts.forEach(([label, value], place) => {
    const at = { y: PAGE.margin + 4 + place * 14, size: 10, align: 'right' } as const
    tell(pdf, root, 'P', () => put(pdf, label, { ...at, x: RIGHT - 220, width: 80, bold: false }, QUIET))
    tell(pdf, root, 'P', () => put(pdf, value, { ...at, x: RIGHT - 130, width: 130, bold: place === 0 }))
  })
}

function drawLooseEnd(pdf: Pdf, x: number, foot: number, size: number): void {
  pdf
    .save()
    .translate(x - 0.06 * size, foot)
    .scale(size / 32)
    .translate(0, -21.4)
    .path(LOOSE_END)
    .lineWidth(1.8)
    .lineCap('round')
    .strokeColor(INK)
    .stroke()
    .restore()
}

/** Who sells, and where it goes. */
function drawParties(
  pdf: Pdf,
  root: Element,
  { shippingAddress: to, userEmail }: Pick<Order, 'shippingAddress' | 'userEmail'>,
  { shopUrl, contact }: ShopFront,
): void {
  const place = [to.city, [to.state, to.postalCode].filter(Boolean).join(' ')].filter(Boolean).join(', ')
  const seller = ['Skein', contact.address, contact.email, shopUrl, contact.taxId && `Tax ID ${contact.taxId}`]
  const buyer = [to.name, to.address, to.address2, place, to.country, to.phone, userEmail]
  const ends = (
    [
      ['Seller', seller, PAGE.margin],
      ['Ship to', buyer, PAGE.margin + 270],
    ] as const
  ).map(([label, lines, x]) => {
    tell(pdf, root, 'H2', () => put(pdf, label, { x, y: 122, width: 240, size: 9, bold: false }, QUIET))
    let y = 135
    for (const [index, line] of lines.flatMap(line => line || []).entries()) {
      tell(pdf, root, 'P', () => put(pdf, line, { x, y, width: 240, size: 10, bold: index === 0 }))
      y = pdf.y + 1
    }
    return y
  })
  pdf.y = Math.max(...ends) + 16
}

async function drawLines(pdf: Pdf, root: Element, items: readonly OrderItem[]): Promise<void> {
  const table = within(pdf, root, 'Table')
  drawLineHead(pdf, table)
  const body = within(pdf, table, 'TBody')
  for (const { name, sku, quantity, price, lots: portions } of items) {
    // Shaping letters takes a while, in which others want their answers.
    await setImmediate()
    const lots = dyeLots(portions)
    const below = lots ? heightOf(pdf, lots, { width: COLUMNS.name.width, size: LINE.small, bold: false }) : 0
    const height = Math.max(
      heightOf(pdf, name, { width: COLUMNS.name.width, size: LINE.size, bold: false }) + below,
      heightOf(pdf, sku, { width: COLUMNS.sku.width, size: LINE.size, bold: false }),
    )
    if (pdf.y + height + LINE.gap > BOTTOM) {
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
        put(pdf, text, { ...COLUMNS[column as Column], y, size: LINE.size, bold: false })
        if (lots && column === 'name')
          put(pdf, lots, { ...COLUMNS.name, y: pdf.y, size: LINE.small, bold: false }, QUIET)
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
  const y = pdf.y
  for (const column of Object.keys(HEADS) as Column[])
    cell(column, () => put(pdf, HEADS[column], { ...COLUMNS[column], y, size: 9, bold: true }, QUIET))
  pdf.y = y + 19
}

function drawTotals(
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
    ['Tax', formatCents(order.taxPrice)],
    ['Total', formatCents(order.totalPrice), true],
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
  if (pdf.y + rows.length * 18 > BOTTOM) pdf.addPage()
  let y = pdf.y + 4
  drawState(pdf, root, order, day, y)
  const table = within(pdf, root, 'Table')
  for (const [label, amount, strong = false] of rows) {
    if (strong) decorate(pdf, () => rule(pdf, y + 1, INK, TOTALS.x))
    const size = strong ? 11 : 9.5
    const row = within(pdf, table, 'TR')
    tell(
      pdf,
      row,
      'TH',
      () => put(pdf, label, { x: TOTALS.x, width: TOTALS.width, y: y + 4, size, bold: strong }),
      'Row',
    )
    tell(pdf, row, 'TD', () => put(pdf, amount, { ...COLUMNS.amount, y: y + 4, size, bold: strong }))
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
  const place = { x: PAGE.margin, width: 260 }
  tell(pdf, root, 'P', () => put(pdf, state, { ...place, y: y + 4, size: 10, bold: true }))
  const below = pdf.y + 2
  tell(pdf, root, 'P', () =>
    put(pdf, 'All amounts are in US dollars.', { ...place, y: below, size: 9, bold: false }, QUIET),
  )
}

function numberPages(pdf: Pdf, order: Order): void {
  const { count } = pdf.bufferedPageRange()
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(page)
    // Below the margin, where text would otherwise start a new page.
    pdf.page.margins.bottom = 0
    decorate(pdf, () =>
      pdf
        .font('Helvetica')
        .fontSize(8)
        .fillColor(QUIET)
        .text(`Skein invoice ${order.reference}, page ${page + 1} of ${count}`, PAGE.margin, PAGE.height - 32, {
          width: WIDTH,
          align: 'center',
          lineBreak: false,
        }),
    )
  }
}

function rule(pdf: Pdf, y: number, color = RULE, from: number = PAGE.margin): void {
  pdf.moveTo(from, y).lineTo(RIGHT, y).lineWidth(0.6).strokeColor(color).stroke()
}

async function collect(pdf: Pdf): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of pdf as unknown as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}
