import { setImmediate } from 'node:timers/promises'
import { bottomOf, decorate, INK, put, QUIET, rule, tell, within, type Element, type Pdf } from './sheet.ts'
import { heightOf } from './text.ts'

export interface Column {
  head: string
  x: number
  width: number
  align: 'left' | 'right'
  strong?: boolean
}

/** How lines of an order look: each column, from the left, and what stands below the name. */
interface Look<Name extends string> {
  columns: Record<Name | 'name', Column>
  size: number
  lots: { size: number; bold: boolean }
  gap: number
  /** Draws what decorates a line, from its top. */
  mark?: (y: number) => void
}

export interface Line<Name extends string> {
  cells: Record<Name | 'name', string>
  /** Empty for a line without dye lots. */
  lots: string
}

/** A table of lines; a long one goes on, with its heads, on the next page. */
export async function drawTable<Name extends string>(
  pdf: Pdf,
  root: Element,
  look: Look<Name>,
  lines: readonly Line<Name>[],
): Promise<void> {
  const { columns, size, gap } = look
  const named = Object.entries(columns) as [Name | 'name', Column][]
  const table = within(pdf, root, 'Table')
  const head = within(pdf, table, 'THead')
  const heads = within(pdf, head, 'TR')
  drawHeads(pdf, named, draw => tell(pdf, heads, 'TH', draw, 'Column'))
  heads.end()
  head.end()
  const body = within(pdf, table, 'TBody')
  for (const { cells, lots } of lines) {
    // Shaping letters takes a while, in which others want their answers.
    await setImmediate()
    const below = lots ? heightOf(pdf, lots, { width: columns.name.width, ...look.lots }) + 2 : 0
    const height = Math.max(
      ...named.map(
        ([name, { width, strong: bold = false }]) =>
          heightOf(pdf, cells[name], { width, size, bold }) + (name === 'name' ? below : 0),
      ),
    )
    if (pdf.y + height + gap > bottomOf(pdf)) {
      pdf.addPage()
      decorate(pdf, () => drawHeads(pdf, named, draw => draw()))
    }
    const y = pdf.y
    const { mark } = look
    if (mark) decorate(pdf, () => mark(y))
    const row = within(pdf, body, 'TR')
    for (const [name, { strong: bold = false, ...place }] of named)
      tell(pdf, row, 'TD', () => {
        put(pdf, cells[name], { ...place, y, size, bold })
        if (lots && name === 'name') put(pdf, lots, { ...place, y: pdf.y + 2, ...look.lots }, QUIET)
      })
    row.end()
    decorate(pdf, () => rule(pdf, y + height + gap / 2))
    pdf.y = y + height + gap
  }
  body.end()
  table.end()
}

function drawHeads(pdf: Pdf, named: readonly [string, Column][], cell: (draw: () => void) => void): void {
  const y = pdf.y
  for (const [, { head, x, width, align }] of named)
    cell(() => put(pdf, head, { x, width, align, y, size: 9, bold: true }, QUIET))
  decorate(pdf, () => rule(pdf, y + 14, INK))
  pdf.y = y + 20
}
