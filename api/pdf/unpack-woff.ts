import { inflateSync } from 'node:zlib'

const HEADER = { woff: 44, sfnt: 12 }
const ENTRY = { woff: 20, sfnt: 16 }

/** A WOFF file as the font inside of it. pdfkit reads WOFF as well, but unpacks a table whenever it looks at a letter. */
export function unpackWoff(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12)
  const head = Buffer.alloc(HEADER.sfnt + count * ENTRY.sfnt)
  head.writeUInt32BE(woff.readUInt32BE(4), 0)
  head.writeUInt16BE(count, 4)
  const parts = [head]
  let at = head.length
  for (let index = 0; index < count; index++) {
    const from = HEADER.woff + index * ENTRY.woff
    const [tag, offset, packed, length, checksum] = [0, 4, 8, 12, 16].map(field => woff.readUInt32BE(from + field)) as [
      number,
      number,
      number,
      number,
      number,
    ]
    const stored = woff.subarray(offset, offset + packed)
    const table = packed < length ? inflateSync(stored, { maxOutputLength: length }) : stored
    const entry = HEADER.sfnt + index * ENTRY.sfnt
    for (const [place, value] of [tag, checksum, at, length].entries()) head.writeUInt32BE(value, entry + place * 4)
    // Tables begin at multiples of four.
    const padded = Buffer.concat([table, Buffer.alloc(-length & 3)])
    parts.push(padded)
    at += padded.length
  }
  return Buffer.concat(parts)
}
