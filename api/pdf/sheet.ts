import type PDFDocument from 'pdfkit'
import { write, type Place } from './text.ts'

/** On every side of a page, in points, as all measures here. */
export const MARGIN = 48

// Papers differ in size.
export const rightOf = ({ page }: Pdf): number => page.width - MARGIN
export const widthOf = ({ page }: Pdf): number => page.width - 2 * MARGIN
export const bottomOf = ({ page }: Pdf): number => page.height - MARGIN

// The house's ink, as on its pages and in its letters.
export const INK = '#241f1a'
export const QUIET = '#635a4e'
const RULE = '#ddd4c3'

export type Pdf = InstanceType<typeof PDFDocument>
export type Element = ReturnType<Pdf['struct']>

/** Draws something as a part of the document's structure. */
export function tell(pdf: Pdf, parent: Element, type: string, draw: () => void, scope?: 'Column' | 'Row'): void {
  // pdfkit knows it, its types do not.
  const options: object = scope ? { scope } : {}
  parent.add(pdf.struct(type, options, [draw]))
}

/** A part of the structure that has parts of its own; it has to be ended. */
export function within(pdf: Pdf, parent: Element, type: string): Element {
  const element = pdf.struct(type)
  parent.add(element)
  return element
}

/** Decoration is hidden from screen readers. */
export function decorate(pdf: Pdf, draw: () => void): void {
  pdf.markContent('Artifact', { type: 'Layout' })
  draw()
  pdf.endMarkedContent()
}

export function put(pdf: Pdf, text: string, place: Place, color = INK): void {
  pdf.fillColor(color)
  write(pdf, text, place)
}

export function rule(pdf: Pdf, y: number, color = RULE, from: number = MARGIN): void {
  pdf.moveTo(from, y).lineTo(rightOf(pdf), y).lineWidth(0.6).strokeColor(color).stroke()
}
