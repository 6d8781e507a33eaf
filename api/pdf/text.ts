import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type bidiFactory from 'bidi-js'
import type PDFDocument from 'pdfkit'
import { nth } from '#schema/rules/present'
import { faceOf, fontFile } from '../kernel/faces.ts'
import { unpackWoff } from './unpack-woff.ts'

type Pdf = InstanceType<typeof PDFDocument>

/** Where a text stands, and how it looks. */
export interface Place {
  x: number
  y: number
  width: number
  size: number
  bold: boolean
  align?: 'left' | 'right'
}

/** Letters that are drawn with one font, in one direction. */
interface Run {
  text: string
  face: string
  /** Of the Unicode bidirectional algorithm: odd from right to left. */
  level: number
}

const require = createRequire(import.meta.url)
// Its types are those of a module, which it is not for Node.
const bidi = (require('bidi-js') as typeof bidiFactory.default)()
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** What the fonts every PDF reader brings along can write: Windows-1252. */
const PLAIN = /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/u
const turnsAround = ({ face, text }: Run) =>
  (face === 'arabic' || face === 'hebrew') && /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text)

/** How much higher a line is than its letters: room for marks above and below, which Helvetica needs less of. */
const LEADING = { plain: 1.156, any: 1.4 }
/** From the top of a line to the foot of its letters. */
const ASCENT = 0.718

/** How high a text is once it is broken into lines. */
export function heightOf(
  pdf: Pdf,
  text: string,
  { width, size, bold }: Pick<Place, 'width' | 'size' | 'bold'>,
): number {
  const clean = printable(text)
  if (PLAIN.test(clean)) return choose(pdf, 'plain', bold, size).heightOfString(clean, { width })
  return linesOf(pdf, clean, width, size, bold).length * size * LEADING.any
}

/** Writes a text of any script and sets `pdf.y` below it. The colour is the document's. */
export function write(pdf: Pdf, text: string, { x, y, width, size, bold, align = 'left' }: Place): void {
  const clean = printable(text)
  if (PLAIN.test(clean)) return void choose(pdf, 'plain', bold, size).text(clean, x, y, { width, align })
  for (const line of linesOf(pdf, clean, width, size, bold)) {
    let left = align === 'right' ? x + width - widthOf(pdf, line, size, bold) : x
    for (const run of runsOf(line)) {
      choose(pdf, run.face, bold, size).text(run.text, left, y + size * ASCENT, {
        lineBreak: false,
        baseline: 'alphabetic',
      })
      left += pdf.widthOfString(run.text)
    }
    y += size * LEADING.any
  }
  pdf.x = x
  pdf.y = y
}

/** Control characters move nothing here, and a letter with its accent is one. */
const printable = (text: string) =>
  text
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\u2028\u2029]/gu, '')
    .trim()

/** Breaks between words, and within one that is too long for a line, as those of Chinese are. */
function linesOf(pdf: Pdf, text: string, width: number, size: number, bold: boolean): string[] {
  const space = widthOf(pdf, ' ', size, bold)
  const lines: string[] = []
  let line = ''
  let used = 0
  const add = (part: string, partWidth: number, gap: '' | ' ') => {
    const gapWidth = gap && line ? space : 0
    if (line && used + gapWidth + partWidth > width) {
      lines.push(line)
      line = ''
    }
    used = line ? used + gapWidth + partWidth : partWidth
    line = line ? line + gap + part : part
  }
  for (const word of text.split(' ')) {
    const wordWidth = widthOf(pdf, word, size, bold)
    if (wordWidth <= width) add(word, wordWidth, ' ')
    else
      for (const { segment, index } of graphemes.segment(word))
        add(segment, widthOf(pdf, segment, size, bold), index === 0 ? ' ' : '')
  }
  return line ? [...lines, line] : lines
}

const widthOf = (pdf: Pdf, line: string, size: number, bold: boolean) =>
  runsOf(line).reduce((sum, { text, face }) => sum + choose(pdf, face, bold, size).widthOfString(text), 0)

/** The runs of a line as they follow one another from left to right. */
function runsOf(line: string): Run[] {
  const { levels } = bidi.getEmbeddingLevels(line)
  const runs: Run[] = []
  for (const { segment, index } of graphemes.segment(line)) {
    const face = faceOf(segment)
    const level = nth(levels, index)
    const last = runs.at(-1)
    if (last?.face === face && last.level === level) last.text += segment
    else runs.push({ text: segment, face, level })
  }
  // The font turns Arabic and Hebrew letters around by itself, and nothing else that stands between them.
  return inVisualOrder(runs).map(run =>
    (run.level % 2 === 1) === turnsAround(run) ? run : { ...run, text: mirrored(run.text) },
  )
}

/** Rule L2 of the algorithm: from the highest level down, what lies at it or above turns around. */
function inVisualOrder(runs: readonly Run[]): Run[] {
  const ordered = [...runs]
  for (let level = Math.max(...runs.map(run => run.level)); level > 0; level--) {
    for (let from = 0; from < ordered.length; from++) {
      let to = from
      while (to < ordered.length && nth(ordered, to).level >= level) to++
      if (to > from) ordered.splice(from, to - from, ...ordered.slice(from, to).reverse())
      from = to
    }
  }
  return ordered
}

/** Signs between letters from right to left: in turn, and a bracket that opens is one that closes. */
const mirrored = (text: string) =>
  Array.from(graphemes.segment(text), ({ segment }) => bidi.getMirroredCharacter(segment) ?? segment)
    .reverse()
    .join('')

function choose(pdf: Pdf, face: string, bold: boolean, size: number): Pdf {
  if (face === 'plain') return pdf.font(bold ? 'Helvetica-Bold' : 'Helvetica').fontSize(size)
  const file = fontFile(face, bold)
  return (file.endsWith('.woff') ? unpacked(pdf, file) : pdf.font(file)).fontSize(size)
}

/** The letters of the shop's own name. */
export const writeName = (pdf: Pdf, name: string, x: number, y: number, size: number): Pdf =>
  unpacked(pdf, require.resolve('@fontsource/brygada-1918/files/brygada-1918-latin-600-normal.woff'))
    .fontSize(size)
    .text(name, x, y, { lineBreak: false, baseline: 'alphabetic', characterSpacing: -0.02 * size })

const fonts = new Map<string, Buffer>()

function unpacked(pdf: Pdf, file: string): Pdf {
  let font = fonts.get(file)
  if (!font) fonts.set(file, (font = unpackWoff(readFileSync(file))))
  return pdf.registerFont(file, font).font(file)
}
