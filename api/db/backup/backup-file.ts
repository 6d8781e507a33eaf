import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { present } from '#schema/rules/present'

/*
 * A backup is one file, and `zcat` shows it: a line of JSON for each thing, the last one the SHA-256 of all before it.
 * Rows follow the table they belong to.
 */

export interface Header {
  format: 1
  /** The moment that is kept. */
  takenAt: string
  /** Those the database had been through, oldest first. */
  migrations: string[]
}

export type Line =
  | { backup: Header }
  | { table: { name: string; columns: string[] } }
  /** One row as PostgreSQL wrote it, in JSON: numbers in it may be larger than ours. */
  | { row: string }
  | { sequence: { name: string; last: string } }
  | { picture: KeptFile }
  | { download: KeptFile }

export interface KeptFile {
  name: string
  base64: string
}

/** Why there is no backup, or why it cannot be used, in one sentence. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

/** Appears whole or not at all, readable by its owner alone. */
export async function writeLines(file: string, lines: AsyncIterable<Line>): Promise<void> {
  const unfinished = `${file}.part`
  try {
    await pipeline(lines, sealed, createGzip(), createWriteStream(unfinished, { mode: 0o600, flush: true }))
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

const ROW = '{"row":'

async function* sealed(lines: AsyncIterable<Line>): AsyncGenerator<string> {
  const hash = createHash('sha256')
  for await (const line of lines) {
    const text = 'row' in line ? `${ROW}${line.row}}\n` : `${JSON.stringify(line)}\n`
    hash.update(text)
    yield text
  }
  yield `${JSON.stringify({ sha256: hash.digest('hex') })}\n`
}

/** Reads the whole file, so that nothing is begun with one that is damaged. Returns what kind of backup it is. */
export async function verify(file: string): Promise<Header> {
  const damaged = new BackupError(`${file} is damaged or is no backup of a shop: nothing was changed.`)
  const hash = createHash('sha256')
  let [first, last] = ['', '']
  try {
    for await (const text of textLines(file)) {
      first ||= text
      if (last) hash.update(`${last}\n`)
      last = text
    }
    const { backup } = JSON.parse(first) as { backup?: Header }
    if (backup?.format === 1 && JSON.parse(last).sha256 === hash.digest('hex')) return backup
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'EISDIR') throw new BackupError(`There is no file ${file}.`)
    if (code === 'EACCES') throw new BackupError(`${file} may not be read.`)
  }
  throw damaged
}

/** Of a file that has been verified. */
export async function* readLines(file: string): AsyncGenerator<Line> {
  for await (const text of textLines(file)) {
    if (text.startsWith(ROW)) yield { row: text.slice(ROW.length, -1) }
    else if (!text.startsWith('{"sha256":')) yield JSON.parse(text) as Line
  }
}

async function* textLines(file: string): AsyncGenerator<string> {
  const gunzip = createGunzip().setEncoding('utf8')
  createReadStream(file)
    .on('error', error => gunzip.destroy(error))
    .pipe(gunzip)
  let rest = ''
  for await (const chunk of gunzip as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n')
    rest = present(lines.pop())
    yield* lines
  }
  // A file that was cut off between two lines has no last one; this makes it differ.
  if (rest) yield rest
}
