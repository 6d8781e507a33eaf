import PDFDocument from 'pdfkit'
import { decorate, INK, MARGIN, put, QUIET, rightOf, tell, widthOf, type Element, type Pdf } from './sheet.ts'
import type { Paper } from './paper.ts'
import { writeName } from './text.ts'

/** The loose end of yarn behind the name, as the shop's pages draw it: from the foot of the n, 44 wide to a name 32 high. */
const LOOSE_END =
  'M0 20.8C8 20.8 14 18 17.5 12.5 21 7 19.5 1.5 15.5 1.5 11 1.5 10 8.5 14.5 13.5 19.5 19 28 20.5 42.5 18'

interface Named {
  paper: Paper
  title: string
  shopName: string
  /** A date of what it tells, not of the printing, keeps the file the same however often it is made. */
  date: Date
}

/** A document, tagged, for screen readers; its first page is there. */
export const openDocument = ({ paper, title, shopName, date }: Named): Pdf =>
  new PDFDocument({
    size: paper,
    margin: MARGIN,
    lang: 'en-US',
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    bufferPages: true,
    info: { Title: title, Author: shopName, CreationDate: date },
  })

/** The shop's name at the head of a page, and beside it the facts of the paper: the first is what it is. */
export function drawHead(
  pdf: Pdf,
  root: Element,
  shopName: string,
  facts: readonly (readonly [label: string, value: string])[],
): void {
  const mark = { size: 28, foot: MARGIN + 22 }
  pdf.fillColor(INK)
  tell(pdf, root, 'H1', () => writeName(pdf, shopName, MARGIN, mark.foot, mark.size))
  const end = MARGIN + pdf.widthOfString(shopName, { characterSpacing: -0.02 * mark.size })
  decorate(pdf, () => drawLooseEnd(pdf, end, mark.foot, mark.size))
  tell(pdf, root, 'P', () =>
    put(pdf, 'Yarn and knitting supplies', { x: MARGIN, y: mark.foot + 10, width: 240, size: 10, bold: false }, QUIET),
  )
  facts.forEach(([label, value], place) => {
    const at = { y: MARGIN + 4 + place * 14, size: 10, align: 'right' } as const
    tell(pdf, root, 'P', () => put(pdf, label, { ...at, x: rightOf(pdf) - 220, width: 80, bold: false }, QUIET))
    tell(pdf, root, 'P', () => put(pdf, value, { ...at, x: rightOf(pdf) - 130, width: 130, bold: place === 0 }))
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

interface Party {
  label: string
  /** The first is who it is; empty ones are left out. */
  lines: readonly (string | null | undefined)[]
  size?: number
}

/** Two parties side by side, below the head. */
export function drawParties(pdf: Pdf, root: Element, parties: readonly [Party, Party]): void {
  const half = widthOf(pdf) / 2
  const width = half - 18
  const ends = parties.map(({ label, lines, size = 10 }, place) => {
    const x = MARGIN + place * (half + 12)
    tell(pdf, root, 'H2', () => put(pdf, label, { x, y: 122, width, size: 9, bold: false }, QUIET))
    let y = 135
    for (const [index, line] of lines.flatMap(line => line || []).entries()) {
      tell(pdf, root, 'P', () => put(pdf, line, { x, y, width, size, bold: index === 0 }))
      y = pdf.y + 1
    }
    return y
  })
  pdf.y = Math.max(...ends) + 16
}

/** Numbers `count` pages from `first` on, each with a title. */
export function numberPages(pdf: Pdf, title: string, first: number, count: number): void {
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(first + page)
    // Below the margin, where text would otherwise start a new page.
    pdf.page.margins.bottom = 0
    decorate(pdf, () =>
      pdf
        .font('Helvetica')
        .fontSize(8)
        .fillColor(QUIET)
        .text(`${title}, page ${page + 1} of ${count}`, MARGIN, pdf.page.height - 32, {
          width: widthOf(pdf),
          align: 'center',
          lineBreak: false,
        }),
    )
  }
}

/** The finished document. */
export async function collect(pdf: Pdf): Promise<Buffer> {
  pdf.end()
  const chunks: Buffer[] = []
  for await (const chunk of pdf as unknown as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}
