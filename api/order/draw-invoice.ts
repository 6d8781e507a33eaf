import { setImmediate } from 'node:timers/promises'
import PDFDocument from 'pdfkit'
import { formatCents } from '#schema/rules/money'
import { heightOf, write } from './invoice-text.ts'
import type { Order, OrderItem } from './order.entity.ts'

const PAGE = { width: 612, height: 792, margin: 56 } as const
const RIGHT = PAGE.width - PAGE.margin
const WIDTH = PAGE.width - 2 * PAGE.margin
const BOTTOM = PAGE.height - PAGE.margin

const INK = '#22262b'
const QUIET = '#5d646d'
const RULE = '#d5d8dc'
const REGULAR = 'Helvetica'
const BOLD = 'Helvetica-Bold'

/** Where each column of the lines starts, and how wide it is; figures end flush right. */
const COLUMNS = {
  name: { x: PAGE.margin, width: 270, align: 'left' },
  quantity: { x: PAGE.margin + 280, width: 50, align: 'right' },
  price: { x: PAGE.margin + 335, width: 75, align: 'right' },
  amount: { x: PAGE.margin + 415, width: WIDTH - 415, align: 'right' },
} as const

type Pdf = InstanceType<typeof PDFDocument>

/** The invoice of an order on US letter paper. The same order always gives the same bytes. */
export async function drawInvoice(order: Order, timeZone: string): Promise<Buffer> {
  const pdf = new PDFDocument({
    size: 'LETTER',
    margin: PAGE.margin,
    lang: 'en-US',
    bufferPages: true,
    // A date of the order, not of the printing, keeps the file the same however often it is made.
    info: { Title: `Skein invoice ${order.reference}`, Author: 'Skein', CreationDate: order.paidAt ?? order.createdAt },
  })
  const day = (date: Date) => new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(date)

  drawHead(pdf, order, day)
  drawAddress(pdf, order)
  await drawLines(pdf, order.items.getItems())
  drawTotals(pdf, order)
  drawState(pdf, order, day)
  numberPages(pdf, order)
  pdf.end()
  return collect(pdf)
}

function drawHead(pdf: Pdf, order: Order, day: (date: Date) => string): void {
  pdf.font(BOLD).fontSize(26).fillColor(INK).text('Skein', PAGE.margin, PAGE.margin)
  pdf.font(REGULAR).fontSize(10).fillColor(QUIET).text('Yarn and knitting supplies')
  const facts = [
    ['Invoice', order.reference],
    ['Ordered', day(order.createdAt)],
    ...(order.paidAt ? [['Paid', day(order.paidAt)]] : []),
    ...(order.deliveredAt ? [['Delivered', day(order.deliveredAt)]] : []),
  ]
  facts.forEach(([label, value], place) => {
    const y = PAGE.margin + 4 + place * 15
    pdf
      .font(REGULAR)
      .fontSize(10)
      .fillColor(QUIET)
      .text(label!, RIGHT - 220, y, { width: 80, align: 'right' })
    pdf
      .font(place === 0 ? BOLD : REGULAR)
      .fillColor(INK)
      .text(value!, RIGHT - 130, y, { width: 130, align: 'right' })
  })
}

function drawAddress(pdf: Pdf, { shippingAddress: to, userEmail }: Order): void {
  const place = [to.city, [to.state, to.postalCode].filter(Boolean).join(' ')].filter(Boolean).join(', ')
  pdf.font(REGULAR).fontSize(9).fillColor(QUIET).text('Ship to', PAGE.margin, 142)
  pdf.y += 3
  pdf.fillColor(INK)
  for (const [text, bold] of [
    [to.name, true],
    ...[to.address, to.address2, place, to.country, userEmail].filter(Boolean).map(line => [line, false] as const),
  ] as const) {
    write(pdf, text, { x: PAGE.margin, y: pdf.y, width: 300, size: 10.5, bold })
  }
  pdf.y = Math.max(pdf.y + 26, 240)
}

async function drawLines(pdf: Pdf, items: readonly OrderItem[]): Promise<void> {
  drawLineHead(pdf)
  for (const { name, quantity, price } of items) {
    // Shaping letters takes a while, in which others want their answers.
    await setImmediate()
    const height = heightOf(pdf, name, { width: COLUMNS.name.width, size: 10, bold: false })
    if (pdf.y + height + 12 > BOTTOM) {
      pdf.addPage()
      drawLineHead(pdf)
    }
    const y = pdf.y
    pdf.fillColor(INK)
    write(pdf, name, { ...COLUMNS.name, y, size: 10, bold: false })
    pdf.font(REGULAR).fontSize(10)
    cells(pdf, y, { quantity: String(quantity), price: formatCents(price), amount: formatCents(price * quantity) })
    rule(pdf, y + height + 6)
    pdf.y = y + height + 12
  }
}

function drawLineHead(pdf: Pdf): void {
  const y = pdf.y
  pdf.font(BOLD).fontSize(9).fillColor(QUIET)
  cells(pdf, y, { name: 'Item', quantity: 'Quantity', price: 'Price', amount: 'Amount' })
  rule(pdf, y + 15, INK)
  pdf.font(REGULAR).fontSize(10).fillColor(INK)
  pdf.y = y + 22
}

function cells(pdf: Pdf, y: number, row: Partial<Record<keyof typeof COLUMNS, string>>): void {
  for (const [column, text] of Object.entries(row)) {
    const { x, width, align } = COLUMNS[column as keyof typeof COLUMNS]
    pdf.text(text, x, y, { width, align })
  }
}

function drawTotals(pdf: Pdf, order: Order): void {
  if (pdf.y + 120 > BOTTOM) pdf.addPage()
  const rows = [
    ['Items', order.itemsPrice],
    ...(order.discount > 0 ? [[`Code ${order.discountCode}`, -order.discount] as const] : []),
    ['Shipping', order.shippingPrice],
    ['Tax', order.taxPrice],
    ['Total', order.totalPrice],
  ] as const
  let y = pdf.y + 8
  for (const [label, amount] of rows) {
    const isTotal = label === 'Total'
    if (isTotal) rule(pdf, (y += 4) - 3, INK, COLUMNS.price.x - 90)
    pdf
      .font(isTotal ? BOLD : REGULAR)
      .fontSize(isTotal ? 12 : 10)
      .fillColor(INK)
    pdf.text(label, COLUMNS.price.x - 90, y + 3, { width: 190 })
    pdf.text(amount === 0 && label === 'Shipping' ? 'Free' : formatCents(amount), COLUMNS.amount.x, y + 3, {
      width: COLUMNS.amount.width,
      align: 'right',
    })
    y += 18
  }
  pdf.y = y + 24
}

function drawState(pdf: Pdf, order: Order, day: (date: Date) => string): void {
  const state = order.paidAt
    ? `Paid with ${order.paymentMethod} on ${day(order.paidAt)}. Thank you!`
    : 'Unpaid. Please pay this order in the shop.'
  pdf.font(BOLD).fontSize(11).fillColor(INK).text(state, PAGE.margin, pdf.y, { width: WIDTH })
  pdf.font(REGULAR).fontSize(9).fillColor(QUIET).text('All amounts are in US dollars.', { width: WIDTH })
}

function numberPages(pdf: Pdf, order: Order): void {
  const { count } = pdf.bufferedPageRange()
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(page)
    // Below the margin, where text would otherwise start a new page.
    pdf.page.margins.bottom = 0
    pdf
      .font(REGULAR)
      .fontSize(8)
      .fillColor(QUIET)
      .text(`Skein invoice ${order.reference}, page ${page + 1} of ${count}`, PAGE.margin, PAGE.height - 36, {
        width: WIDTH,
        align: 'center',
        lineBreak: false,
      })
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
