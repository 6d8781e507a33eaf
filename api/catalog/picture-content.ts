import { nth } from '#schema/rules/present'
/** Marks of documents and programs that hide in pictures, looked for in the whole file. */
const MARKS = /<script|<\?php|<html|<!doctype|<svg|%pdf-/i

/**
 * Whether a file is more than the picture it starts with: bytes behind the picture's end, or a document within it. Such
 * a file can be a picture to us and an archive or a page to another program.
 */
export function foreignContent(file: Buffer, kind: 'jpeg' | 'png'): boolean {
  const end = kind === 'png' ? endOfPng(file) : endOfJpeg(file)
  if (end === null) return false // cut short: decoding says so
  return !file.subarray(end).every(byte => byte === 0) || holdsMark(file.subarray(0, end))
}

const holdsMark = (file: Buffer) => MARKS.test(file.toString('latin1'))

/** The chunks of a PNG that make its picture, and the bytes each may have. */
const PICTURE_CHUNKS: Record<string, number> = {
  IHDR: Infinity,
  PLTE: Infinity,
  IDAT: Infinity,
  IEND: Infinity,
  tRNS: Infinity,
  gAMA: Infinity,
  cHRM: Infinity,
  sRGB: Infinity,
  eXIf: 2 ** 16,
  // Packed, and unfolds to a thousand times its size at most; real profiles of screens have 500 to 3,000 bytes.
  iCCP: 2 ** 14,
}

/** Programs write a piece for every 8 kB or more. Each takes its time, however little it holds. */
const MOST_CHUNKS = 20_000

/** Whether a PNG is in more pieces than any program makes. */
export function isShredded(png: Buffer): boolean {
  let chunks = 0
  for (let at = 8; at + 12 <= png.length; at += 12 + png.readUInt32BE(at)) if (++chunks > MOST_CHUNKS) return true
  return false
}

/** A PNG without texts and other extras: a decoder unpacks them before it looks at the picture, however large they get. */
export function bare(png: Buffer): Buffer {
  const parts = [png.subarray(0, 8)]
  const seen = new Set<string>()
  let at = 8
  while (at + 12 <= png.length) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    const mayRepeat = type === 'IDAT'
    if (length <= (PICTURE_CHUNKS[type] ?? -1) && (mayRepeat || !seen.has(type)))
      parts.push(png.subarray(at, at + 12 + length))
    seen.add(type)
    at += 12 + length
  }
  return Buffer.concat(parts)
}

/** Camera and web pictures have ten or so. Each is decoded over the whole area, however little it holds. */
export const MOST_SCANS = 50

/** How often a JPEG goes over its area. */
export function scansOf(jpeg: Buffer): number {
  let scans = 0
  for (let at = jpeg.indexOf(SCAN); at >= 0; at = jpeg.indexOf(SCAN, at + 2)) scans++
  return scans
}

/** This marker never occurs within picture data, and hardly ever in camera metadata: previews have few scans too. */
const SCAN = Buffer.from([0xff, 0xda])

/** Where the last chunk, IEND, ends. Null when there is none. */
function endOfPng(file: Buffer): number | null {
  let at = 8
  while (at + 12 <= file.length) {
    const next = at + 12 + file.readUInt32BE(at)
    if (file.toString('latin1', at + 4, at + 8) === 'IEND') return next
    at = next
  }
  return null
}

/** Where the end-of-image marker ends; further pictures right behind it, as phones write them, count as part. Null when there is none. */
function endOfJpeg(file: Buffer): number | null {
  let end = endOfOneJpeg(file, 0)
  while (end !== null && file[end] === 0xff && file[end + 1] === 0xd8) {
    const next = endOfOneJpeg(file, end)
    if (next === null) return end
    end = next
  }
  return end
}

function endOfOneJpeg(file: Buffer, start: number): number | null {
  let at = start + 2
  while (at + 4 <= file.length) {
    if (file[at] !== 0xff) return null
    const marker = nth(file, at + 1)
    if (marker === 0xd9) return at + 2
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) {
      at += 2
      continue
    }
    at += 2 + file.readUInt16BE(at + 2)
    if (marker === 0xda) at = endOfScan(file, at)
  }
  return file[at] === 0xff && file[at + 1] === 0xd9 ? at + 2 : null
}

/** Skips entropy-coded data: up to the next marker that is neither a stuffed byte nor a restart. */
function endOfScan(file: Buffer, start: number): number {
  let at = file.indexOf(0xff, start)
  while (at >= 0 && at + 1 < file.length) {
    const next = nth(file, at + 1)
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at
    at = file.indexOf(0xff, next === 0xff ? at + 1 : at + 2)
  }
  return file.length
}
