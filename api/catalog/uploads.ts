import type { Readable } from 'node:stream'
import type { EntityManager } from '@mikro-orm/postgresql'
import sharp from 'sharp'
import { v7 } from 'uuid'
import { PICTURE_WIDTHS } from '#schema/rules/image'
import { limits, megabytes } from '#schema/rules/limits'
import { cannotStore, refuse } from '../kernel/errors.ts'
import { readUpTo } from '../http/multipart.ts'
import type { Files } from '../kernel/files.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { decoding } from './decoding.ts'
import { bare, foreignContent, isShredded, MOST_SCANS, scansOf } from './picture-content.ts'

interface Size {
  width: number
  height: number
}

export interface StoredPicture extends Size {
  /** The picture's address, a path on this host. */
  image: string
}

const MAX_PIXELS = 50_000_000
/** The longest side kept: room to look closer at what a page shows in 960 pixels at most. */
export const LONGEST_SIDE = 2_000
const DAY = 86_400_000

// Files of strangers reach no other decoder than these; WebP is what the shop itself stores.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] })

const NOT_A_PICTURE = 'This is not a JPG or PNG picture. Please choose a JPG or PNG file.'
const DAMAGED = 'This picture is damaged or cut short. Please export it again and choose the new file.'

/**
 * Takes in a picture: JPG or PNG judged by decoding it, turned upright, without metadata, re-encoded under a name of
 * our own. The file appears whole or not at all; a refused one leaves nothing behind.
 */
export async function storePicture(
  uploads: Files,
  content: Readable,
  kind: '' | typeof OF_REVIEWS = '',
): Promise<StoredPicture> {
  const file = await readUpTo(content, limits.pictureBytes)
  if (!file)
    throw refuse(
      'FILE_TOO_LARGE',
      `This picture is larger than ${megabytes(limits.pictureBytes)}. Please choose a smaller file.`,
      {
        field: ['file'],
      },
    )
  const { data, info } = await encodeAnew(file)

  const name = nameAnew(kind)
  await uploads.write(fileOf(name), data).catch(error => {
    throw cannotStore(error)
  })
  return { image: `/uploads/${name}`, width: info.width, height: info.height }
}

/** What names of pictures begin with that shoppers have put into reviews. */
export const OF_REVIEWS = 'review-'

/** Nobody can guess it. */
const nameAnew = (kind: '' | typeof OF_REVIEWS) => `${kind}${v7()}.webp`

/**
 * Gives the picture of a review another address, which must be kept by the transaction of `em`; the old one is to be
 * discarded by it. A file that is gone stays gone.
 */
export async function moveReviewPicture(em: EntityManager, uploads: Files, image: string): Promise<string> {
  const name = nameAnew(OF_REVIEWS)
  await keepUploads(em)
  await uploads.copy(fileOf(nameOf(image)), fileOf(name)).catch(error => {
    throw cannotStore(error)
  })
  return `/uploads/${name}`
}

async function encodeAnew(file: Buffer) {
  const unreadable = (message: string) => refuse('FILE_UNREADABLE', message, { field: ['file'] })
  const kind = kindOf(file)
  if (!kind) throw unreadable(NOT_A_PICTURE)
  // The size is read from the header alone: a picture that would fill the memory is never decoded.
  if (kind === 'png' && isShredded(file))
    throw unreadable('This picture is in too many pieces. Please export it again and choose the new file.')
  const picture = kind === 'png' ? bare(file) : file
  const head = await sharp(picture, { limitInputPixels: false })
    .metadata()
    .catch(() => null)
  if (head?.format !== kind) throw unreadable(DAMAGED)
  if (head.width * head.height > MAX_PIXELS) {
    throw refuse(
      'FILE_TOO_LARGE',
      `This picture has ${Math.round((head.width * head.height) / 1e6)} megapixels. Please choose one of at most 50.`,
      { field: ['file'] },
    )
  }
  if (foreignContent(file, kind))
    throw unreadable(
      'This file holds something else besides a picture. Please export the picture again and choose the new file.',
    )
  if (kind === 'jpeg' && scansOf(file) > MOST_SCANS)
    throw unreadable(
      `This picture is put together from more than ${MOST_SCANS} layers. Please export it again and choose the new file.`,
    )
  const encode = () =>
    sharp(picture, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
      .rotate()
      .resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 84 })
      .toBuffer({ resolveWithObject: true })
      .catch(() => {
        throw unreadable(DAMAGED)
      })
  return decoding.take(encode, head.width * head.height)
}

function kindOf(file: Buffer): 'jpeg' | 'png' | null {
  if (file.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'jpeg'
  return file.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')) ? 'png' : null
}

export const DISCARD_QUEUE = 'discard-pictures'

export interface Discard {
  images: string[]
}

/** Has uploaded pictures looked at once the transaction of `em` has committed: it fails or succeeds whatever the disk says. */
export async function discardLater(jobs: Jobs, em: EntityManager, images: readonly string[]): Promise<void> {
  const uploaded = [...new Set(images)].filter(isUploaded)
  if (uploaded.length > 0) await jobs.add(em, DISCARD_QUEUE, { images: uploaded } satisfies Discard)
}

const isUploaded = (image: string) => /^\/uploads\/[\w-]+\.webp$/.test(image)

/** The pixels of an uploaded picture. Null when it is none, or is not there any more. */
export async function sizeOfUpload(uploads: Files, image: string): Promise<Size | null> {
  const picture = isUploaded(image) && (await uploads.read(fileOf(nameOf(image))))
  if (!picture) return null
  const { width, height } = await sharp(picture).metadata()
  return { width, height }
}

export const UPLOADS = 'uploads/'

const nameOf = (image: string) => image.slice('/uploads/'.length)

const fileOf = (name: string) => UPLOADS + name

/** What a picture is kept as that is served in a width. */
export const SERVED_AS = ['webp', 'avif', 'png'] as const

export const copyOf = (name: string, width: number, format: (typeof SERVED_AS)[number]) =>
  `cache/pictures/${name}-${width}.${format}`

const copiesOf = (name: string) => PICTURE_WIDTHS.flatMap(width => SERVED_AS.map(format => copyOf(name, width, format)))

/** Any number, the same for every shop process. */
const UPLOADS_LOCK = 7_304_416

/** Whatever is uploaded now stays until the transaction of `em` is over: who has seen a file may save its address. */
export async function keepUploads(em: EntityManager): Promise<void> {
  await em.execute('select pg_advisory_xact_lock_shared(?)', [UPLOADS_LOCK])
}

/** So many files are removed while nobody may save a picture. */
const BATCH = 50

/** Removes uploaded pictures that no product, review, past order or import that can be undone shows any more. */
export async function discardUnused(em: EntityManager, uploads: Files, images: readonly string[]): Promise<void> {
  const uploaded = [...new Set(images)].filter(isUploaded)
  for (let start = 0; start < uploaded.length; start += BATCH)
    await discardBatch(em, uploads, uploaded.slice(start, start + BATCH))
}

async function discardBatch(em: EntityManager, uploads: Files, images: string[]): Promise<void> {
  const removed = await em.transactional(async tx => {
    await tx.execute('select pg_advisory_xact_lock(?)', [UPLOADS_LOCK])
    const unused = await unusedOf(tx, images)
    await uploads.remove(unused.map(fileOf))
    return unused
  })
  await uploads.remove(removed.flatMap(copiesOf))
}

/** The names of those that nothing refers to. */
async function unusedOf(em: EntityManager, images: readonly string[]): Promise<string[]> {
  const unused = await em.execute<{ image: string }[]>(
    `select image from jsonb_array_elements_text(?::jsonb) as uploaded(image)
     where not exists (select 1 from products p where p.image = uploaded.image and p.image like '/uploads/%' and p.archived_at is null)
       and not exists (
         select 1 from products p where p.pictures @> jsonb_build_array(jsonb_build_object('image', uploaded.image))
           and p.pictures <> '[]' and p.archived_at is null)
       and not exists (
         select 1 from reviews r where r.pictures @> jsonb_build_array(jsonb_build_object('image', uploaded.image))
           and r.pictures <> '[]')
       and not exists (select 1 from review_uploads u where u.image = uploaded.image)
       and not exists (select 1 from order_items i where i.image = uploaded.image and i.image like '/uploads/%')
       and not exists (
         select 1 from product_import_rows r join product_imports m on m.id = r.import_id
         where m.status = 'APPLIED' and r.before ->> 'image' = uploaded.image and r.before ->> 'image' like '/uploads/%')
       and not exists (select 1 from product_import_pictures i where i.stored_as = uploaded.image and not i.is_given)`,
    [JSON.stringify(images)],
  )
  return unused.map(({ image }) => nameOf(image))
}

/** Removes pictures that were uploaded more than a day ago and never saved with a product or review. */
export async function sweepUploads(em: EntityManager, uploads: Files): Promise<void> {
  const yesterday = new Date(Date.now() - DAY)
  await em.execute('delete from review_uploads where created_at < ?', [yesterday])
  for await (const some of uploads.list(UPLOADS)) {
    const old = some.filter(({ writtenAt }) => writtenAt < yesterday)
    await discardUnused(
      em,
      uploads,
      old.map(({ name }) => `/${name}`),
    )
  }
}
