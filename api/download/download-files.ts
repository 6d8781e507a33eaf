import type { Readable } from 'node:stream'
import type { EntityManager } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { megabytes } from '#schema/rules/limits'
import { ownerLimits } from '#schema/rules/owner-limits'
import type { ProductDownload } from '../catalog/product.entity.ts'
import { readUpTo } from '../http/multipart.ts'
import { cannotStore, refuse } from '../kernel/errors.ts'
import type { Files, Listed } from '../kernel/files.ts'

/** In the folder of downloads, one after the other. */
export const DOWNLOADS = 'downloads/'

/** A file is kept in parts of this size, so that who downloads slowly keeps no more of it in memory. */
const PART_BYTES = 1024 * 1024
const DAY = 86_400_000

const MOST_BYTES = ownerLimits.download.bytes
/** Some programs write a few bytes before the first mark of a PDF, or behind the last one. */
const AROUND_MARKS = 1_024

/** The files that a download is kept in, in their order. */
export const partsOf = ({ id, bytes }: Pick<ProductDownload, 'id' | 'bytes'>): string[] =>
  Array.from({ length: Math.ceil(bytes / PART_BYTES) }, (_, number) => `${DOWNLOADS}${id}-${number}.pdf`)

/** Takes in a PDF, judged by its content. Until a product has it, it is cleared away after a day. */
export async function storeDownload(files: Files, content: Readable): Promise<Omit<ProductDownload, 'title'>> {
  const file = await readUpTo(content, MOST_BYTES)
  if (!file)
    throw refuse(
      'FILE_TOO_LARGE',
      `This file is larger than ${megabytes(MOST_BYTES)}. Please save it as a smaller PDF, such as with fewer pictures.`,
      { field: ['file'] },
    )
  if (!file.subarray(0, AROUND_MARKS).includes('%PDF-'))
    throw refuse('FILE_UNREADABLE', 'This is not a PDF. Please choose a PDF file.', { field: ['file'] })
  if (!file.subarray(-AROUND_MARKS).includes('%%EOF'))
    throw refuse('FILE_UNREADABLE', 'This PDF is damaged or cut short. Please save it again and choose the new file.', {
      field: ['file'],
    })
  const stored = { id: v7(), bytes: file.length }
  for (const [number, name] of partsOf(stored).entries()) {
    const part = file.subarray(number * PART_BYTES, (number + 1) * PART_BYTES)
    await files.write(name, part, { personal: true }).catch(error => {
      throw cannotStore(error)
    })
  }
  return stored
}

/** Clears files away that were stored more than a day ago and that no product has. */
export async function sweepDownloads(em: EntityManager, files: Files): Promise<void> {
  const yesterday = new Date(Date.now() - DAY)
  for await (const listed of files.list(DOWNLOADS)) {
    const old = listed.filter(({ writtenAt }) => writtenAt < yesterday)
    if (old.length === 0) continue
    const rows = await em.execute<{ id: string }[]>(
      `select value ->> 'id' as id from products, jsonb_array_elements(downloads) where downloads <> '[]'`,
    )
    const kept = new Set(rows.map(({ id }) => id))
    const idOf = ({ name }: Listed) => name.slice(DOWNLOADS.length, name.lastIndexOf('-'))
    await files.remove(old.filter(each => !kept.has(idOf(each))).map(({ name }) => name))
  }
}
