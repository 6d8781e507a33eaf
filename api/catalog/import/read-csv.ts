import { isUtf8 } from 'node:buffer'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { parse } from 'csv-parse'
import { ownerLimits } from '#schema/rules/owner-limits'
import { present } from '#schema/rules/present'
import { refuse } from '../../kernel/errors.ts'
import { columns, headers, normalHeader, type Column, type CsvRow, type RowReader } from './columns.ts'
import { shopifyReader } from './read-shopify.ts'

/** Blank lines, which count as no rows, included: spreadsheets leave thousands behind. */
const MAX_LINES = 100_000
const MAX_CELLS = 200
/** Read at a time, before others get their turn. */
const SLICE_BYTES = 32 * 1024

const unreadable = (message: string) => refuse('FILE_UNREADABLE', message, { field: ['csv'] })

/**
 * The rows of a CSV: UTF-8 with or without byte order mark, commas or semicolons, any line ends. Its columns are the
 * shop's own, or those of Shopify's export of products.
 */
export async function* readCsv(file: Buffer): AsyncGenerator<CsvRow> {
  const bytes = textOf(file)
  const delimiter = delimiterOf(bytes)
  await assertReadable(bytes, delimiter)
  const parser = parse({
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    max_record_size: 100_000,
  })
  // What goes wrong is thrown where the rows are read.
  pipeline(slicesOf(bytes), parser).catch(() => {})
  let reader: RowReader | null = null
  let count = 0
  const counted = (rows: CsvRow[]): CsvRow[] => {
    count += rows.length
    if (count > ownerLimits.csvRows)
      throw unreadable(`The file has more than ${ownerLimits.csvRows.toLocaleString('en-US')} rows. Please split it.`)
    return rows
  }
  /** Where the row before ended, and how many line breaks the file has up to there. */
  let past = { bytes: 0, breaks: 0 }
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { bytes: number } }>) {
      const source = bytes.toString('utf8', past.bytes, info.bytes)
      const line = past.breaks + breaksIn(present(/^\s*/.exec(source))[0]) + 1
      past = { bytes: info.bytes, breaks: past.breaks + breaksIn(source) }
      if (!reader) {
        reader = shopifyReader(record) ?? ownReader(record)
        continue
      }
      if (record.every(cell => cell === '')) continue
      yield* counted(reader.read(record, line))
    }
    if (reader) yield* counted(reader.rest())
  } catch (error) {
    if (!isCsvError(error)) throw error
    throw unreadable(
      `The file cannot be read near line ${error.lines ?? past.breaks + 1}: ${PLAIN[error.code] ?? 'its quotes or separators do not fit together.'}`,
    )
  }
  if (count === 0)
    throw unreadable('The file holds no products. Its first line names the columns, each further line is a product.')
}

const breaksIn = (text: string) => text.match(/\r\n|\n|\r/g)?.length ?? 0

const PLAIN: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed.',
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quote. A quote inside a quoted cell is written twice.',
  INVALID_OPENING_QUOTE:
    'a quote stands in the middle of a cell. Such a cell is put in quotes, and the quote is written twice.',
  CSV_MAX_RECORD_SIZE: 'the row is too long. A quote may be missing.',
}

const isCsvError = (error: unknown): error is { code: string; lines?: number } =>
  /^(CSV_|INVALID_OPENING_QUOTE)/.test(String((error as { code?: unknown })?.code))

function textOf(file: Buffer): Buffer {
  if (!isUtf8(file) || file.includes(0))
    throw unreadable('The file is not UTF-8 text. In your spreadsheet, choose “CSV UTF-8” when you save it.')
  return file.subarray(0, 3).equals(BOM) ? file.subarray(3) : file
}

const BOM = Buffer.from('\uFEFF')

async function* slicesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    yield bytes.subarray(at, at + SLICE_BYTES)
    await setImmediate()
  }
}

const [QUOTE, LF, CR] = Buffer.from('"\n\r')

/** Counts before anything is put together: a file of nothing but separators would become millions of cells. */
async function assertReadable(bytes: Buffer, delimiter: string): Promise<void> {
  const separator = delimiter.charCodeAt(0)
  let [line, cells, isQuoted, before] = [1, 1, false, 0]
  for await (const slice of slicesOf(bytes)) {
    for (const byte of slice) {
      if (byte === QUOTE) isQuoted = !isQuoted
      else if (byte === LF || byte === CR) {
        if (!(byte === LF && before === CR)) line++
        if (!isQuoted) cells = 1
      } else if (byte === separator && !isQuoted) cells++
      before = byte
      if (cells > MAX_CELLS)
        throw unreadable(`Line ${line} has more than ${MAX_CELLS} cells. The columns are ${headers.join(', ')}.`)
    }
    if (line > MAX_LINES)
      throw unreadable(
        `The file has more than ${MAX_LINES.toLocaleString('en-US')} lines. Please delete empty ones at its end, or split it.`,
      )
  }
}

/** The header decides: no header name holds either sign. */
function delimiterOf(bytes: Buffer): ',' | ';' {
  const header = present(/^[^\r\n]*/.exec(bytes.toString('utf8', 0, 10_000).trimStart()))[0]
  return header.split(';').length > header.split(',').length ? ';' : ','
}

function readHeader(cells: string[]): (Column | 'sku')[] {
  const known = new Map<string, Column | 'sku'>([
    ['sku', 'sku'],
    ...columns.map(column => [normalHeader(column.header), column] as const),
  ])
  const header = cells.map(cell => {
    const column = known.get(normalHeader(cell))
    if (!column)
      throw unreadable(
        `There is no column ${JSON.stringify(cell.slice(0, 50))}. The columns are ${headers.join(', ')}.`,
      )
    return column
  })
  if (new Set(header).size < header.length) throw unreadable('A column is in the file twice.')
  if (!header.includes('sku') && !header.some(column => column !== 'sku' && column.field === 'name')) {
    throw unreadable('The file needs the column sku, to find products, or name, to create them.')
  }
  return header
}

function ownReader(cells: string[]): RowReader {
  const header = readHeader(cells)
  const read: RowReader['read'] = (record, line) => {
    const overflows = record.slice(header.length).some(cell => cell !== '')
    const row: CsvRow = { line, sku: '', cells: [], fetched: null, reasons: overflows ? [OVERFLOW] : [] }
    header.forEach((column, place) => {
      const cell = record[place] ?? ''
      if (column === 'sku') row.sku = cell
      else row.cells.push({ column, cell })
    })
    return [row]
  }
  return { read, rest: () => [] }
}

const OVERFLOW =
  'The row has more cells than there are columns. A separator inside a cell needs quotes around the cell.'
