import PDFDocument from 'pdfkit'
import type { ShopFront } from '../mail/template.ts'
import type { Refund } from '../payment/refund.entity.ts'
import { drawLines, drawTotals } from './draw-invoice-lines.ts'
import { decorate, INK, PAGE, put, QUIET, RIGHT, tell, WIDTH, type Element, type Pdf } from './invoice-sheet.ts'
import { writeName } from './invoice-text.ts'
import type { Order, ShippingAddress } from './order.entity.ts'

/** The loose end of yarn behind the name, as the shop's pages draw it: from the foot of the n, 44 wide to a name 32 high. */
const LOOSE_END =
  'M0 20.8C8 20.8 14 18 17.5 12.5 21 7 19.5 1.5 15.5 1.5 11 1.5 10 8.5 14.5 13.5 19.5 19 28 20.5 42.5 18'

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
  const { name } = seller.contact
  const pdf = new PDFDocument({
    size: 'LETTER',
    margin: PAGE.margin,
    lang: 'en-US',
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    bufferPages: true,
    // A date of the order, not of the printing, keeps the file the same however often it is made.
    info: { Title: `${name} invoice ${order.reference}`, Author: name, CreationDate: order.paidAt ?? order.createdAt },
  })
  const day = (date: Date) => new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(date)
  const root = pdf.struct('Document')
  pdf.addStructure(root)

  drawHead(pdf, root, name, order, day)
  drawParties(pdf, root, { shippingAddress: recipient ?? order.shippingAddress, userEmail: order.userEmail }, seller)
  await drawLines(pdf, root, order.items.getItems())
  drawTotals(pdf, root, order, refunds, day)
  root.end()
  numberPages(pdf, name, order)
  pdf.end()
  return collect(pdf)
}

function drawHead(pdf: Pdf, root: Element, name: string, order: Order, day: (date: Date) => string): void {
  const mark = { size: 28, foot: PAGE.margin + 22 }
  pdf.fillColor(INK)
  tell(pdf, root, 'H1', () => writeName(pdf, name, PAGE.margin, mark.foot, mark.size))
  const end = PAGE.margin + pdf.widthOfString(name, { characterSpacing: -0.02 * mark.size })
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
  const seller = [contact.name, contact.address, contact.email, shopUrl, contact.taxId && `Tax ID ${contact.taxId}`]
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

function numberPages(pdf: Pdf, name: string, order: Order): void {
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
        .text(`${name} invoice ${order.reference}, page ${page + 1} of ${count}`, PAGE.margin, PAGE.height - 32, {
          width: WIDTH,
          align: 'center',
          lineBreak: false,
        }),
    )
  }
}

async function collect(pdf: Pdf): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of pdf as unknown as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}
