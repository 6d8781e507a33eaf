import type PDFDocument from 'pdfkit'
import { write, type Place } from './text.ts'

export const PAGE = { width: 612, height: 792, margin: 48 } as const
export const RIGHT = PAGE.width - PAGE.margin
export const WIDTH = PAGE.width - 2 * PAGE.margin
export const BOTTOM = PAGE.height - PAGE.margin

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

export function rule(pdf: Pdf, y: number, color = RULE, from: number = PAGE.margin): void {
  pdf.moveTo(from, y).lineTo(RIGHT, y).lineWidth(0.6).strokeColor(color).stroke()
}
