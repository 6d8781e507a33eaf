import { Readable } from 'node:stream'
import type { EntityManager } from '@mikro-orm/postgresql'
import { nth, valueAt } from '#schema/rules/present'
import { Product } from '../../catalog/product.entity.ts'
import { storeDownload } from '../../download/download-files.ts'
import type { Files } from '../../kernel/files.ts'
import { collect, numberPages, openDocument } from '../../pdf/letterhead.ts'
import type { Paper } from '../../pdf/paper.ts'
import { bottomOf, decorate, MARGIN, put, QUIET, rule, tell, widthOf, type Element, type Pdf } from '../../pdf/sheet.ts'
import { heightOf } from '../../pdf/text.ts'
import { CHART_COLOURS, patterns, type SamplePattern } from './patterns.ts'

interface Press {
  paper: Paper
  shopName: string
}

/** Gives the sample's patterns, and the kits they belong to, the PDFs that their buyers download. */
export async function seedDownloads(em: EntityManager, files: Files, press: Press): Promise<void> {
  for (const pattern of patterns) {
    const pdf = await drawPattern(pattern, press)
    const download = { title: titleOf(pattern), ...(await storeDownload(files, Readable.from([pdf]))) }
    const skus = [pattern.slug, pattern.kit].map(slug => slug.toUpperCase())
    for (const product of await em.find(Product, { sku: { $in: skus } })) product.downloads = [download]
  }
  await em.flush()
}

const titleOf = ({ name }: SamplePattern) => name.replace(/ Pattern$/, '')

const TEXT = { size: 11, bold: false } as const
const HEADING = { size: 14, bold: true } as const
const SQUARE = 16

async function drawPattern(pattern: SamplePattern, { paper, shopName }: Press): Promise<Buffer> {
  const { gauge, knittingNeedle, content, parts, picture } = pattern
  const title = titleOf(pattern)
  const pdf = openDocument({ paper, title, shopName, date: new Date() })
  const root = pdf.struct('Document')
  pdf.addStructure(root)
  const at = { x: MARGIN, width: widthOf(pdf) }
  tell(pdf, root, 'H1', () => put(pdf, title, { ...at, y: MARGIN, size: 30, bold: true }))
  const facts = [content, gauge, knittingNeedle].join('. ')
  tell(pdf, root, 'P', () => put(pdf, facts, { ...at, ...TEXT, y: pdf.y + 6 }, QUIET))
  decorate(pdf, () => rule(pdf, pdf.y + 12))
  pdf.y += 30
  for (const { heading, paragraphs, chart } of parts) {
    const high = heightOf(pdf, nth(paragraphs, 0), { ...TEXT, width: at.width }) + (chart?.length ?? 0) * SQUARE
    turnPage(pdf, 40 + high)
    tell(pdf, root, 'H2', () => put(pdf, heading, { ...at, ...HEADING, y: pdf.y }))
    for (const paragraph of paragraphs) {
      turnPage(pdf, heightOf(pdf, paragraph, { ...TEXT, width: at.width }))
      tell(pdf, root, 'P', () => put(pdf, paragraph, { ...at, ...TEXT, y: pdf.y + 6 }))
    }
    if (chart) drawChart(pdf, root, heading, chart, picture.colours)
    pdf.y += 18
  }
  root.end()
  numberPages(pdf, title, 0, pdf.bufferedPageRange().count)
  return collect(pdf)
}

/** Goes on on the next page where so much has no room on this one. */
function turnPage(pdf: Pdf, high: number): void {
  if (pdf.y + high <= bottomOf(pdf)) return
  pdf.addPage()
  pdf.y = MARGIN
}

function drawChart(
  pdf: Pdf,
  root: Element,
  heading: string,
  chart: readonly string[],
  colours: readonly string[],
): void {
  const top = pdf.y + 10
  const columns = nth(chart, 0).length
  root.add(
    pdf.struct(
      'Figure',
      { alt: `The chart of ${heading.toLowerCase()}: ${columns} stitches, ${chart.length} rounds` },
      [
        () => {
          for (const [row, squares] of chart.entries())
            for (const [column, square] of [...squares].entries())
              pdf
                .rect(MARGIN + column * SQUARE, top + row * SQUARE, SQUARE, SQUARE)
                .lineWidth(0.5)
                .fillAndStroke(nth(colours, valueAt(CHART_COLOURS, square)), '#8a7d69')
        },
      ],
    ),
  )
  pdf.y = top + chart.length * SQUARE
}
