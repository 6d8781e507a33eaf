import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import sharp, { type Sharp } from 'sharp'
import { PICTURE_WIDTHS } from '#schema/rules/image'
import { present } from '#schema/rules/present'
import { Problem } from '../http/problem.ts'
import { filesOnDisk, type Files } from '../kernel/files.ts'
import { decoding } from './decoding.ts'
import { copyOf, LONGEST_SIDE, OF_REVIEWS, UPLOADS, type SERVED_AS } from './uploads.ts'

/** No picture the shop keeps is larger. */
const MOST_PIXELS = LONGEST_SIDE ** 2

/** Kept for a while by the browsers of those who saw it, and by nobody between. */
const CAN_BE_HIDDEN = 'private, max-age=3600'

type Format = (typeof SERVED_AS)[number]

const ENCODED: Record<Format, (picture: Sharp) => Sharp> = {
  webp: picture => picture.webp({ quality: 78, effort: 3 }),
  // Decision 030.
  avif: picture => picture.avif({ quality: 60, effort: 2 }),
  png: picture => picture.png({ palette: true, quality: 80 }),
}

/** URL prefix -> how the pictures below it are read that the shop has itself; null for one that is not there. */
export type Originals = Record<string, (name: string) => Promise<Buffer | null>>

const samplePictures = fileURLToPath(new URL('../db/seed/pictures/', import.meta.url))

/** The pictures of the sample and those that were uploaded. */
export const originalsIn = (files: Files): Originals => {
  const samples = filesOnDisk(samplePictures)
  return { '/images': name => samples.read(name), '/uploads': name => files.read(UPLOADS + name) }
}

export interface PictureOptions {
  originals: Originals
  /** Where smaller copies are kept. */
  files: Files
}

/**
 * Serves product pictures: the original, or with `?w=` a smaller WebP that is made once and kept; with `&as=avif` an AVIF,
 * for browsers that take it, and with `&as=png` a PNG, for mail programs.
 */
export async function pictures(app: FastifyInstance, { originals, files }: PictureOptions): Promise<void> {
  // One conversion at a time per size: a page asks for a dozen at once, which would keep every core busy.
  const making = new Map<string, Promise<Buffer | null>>()

  for (const [prefix, original] of Object.entries(originals)) {
    app.get<{ Params: { name: string }; Querystring: { w?: unknown; as?: unknown } }>(
      `${prefix}/:name`,
      async (request, reply) => {
        const { name } = request.params
        if (!/^[a-z0-9][a-z0-9-]{0,99}\.(webp|jpg|png)$/.test(name)) throw missing()
        // Anything else would let a stranger fill the disk.
        const width = PICTURE_WIDTHS.find(known => String(known) === request.query.w)
        if (request.query.w !== undefined && width === undefined) {
          throw new Problem(400, 'BAD_USER_INPUT', `Width is one of ${PICTURE_WIDTHS.join(', ')}.`)
        }
        const format = request.query.as ?? 'webp'
        if (format !== 'webp' && ((format !== 'avif' && format !== 'png') || !width))
          throw new Problem(400, 'BAD_USER_INPUT', 'Pictures come as they are, or in a width as WebP, `avif` or `png`.')
        const read = () => original(name)
        const picture = await (width ? resized(read, copyOf(name, width, format), width, format) : read())
        if (!picture) throw missing()
        const type = width ? format : present(name.split('.').pop()).replace('jpg', 'jpeg')
        return reply
          .type(`image/${type}`)
          .headers({
            'cache-control': name.startsWith(OF_REVIEWS) ? CAN_BE_HIDDEN : 'public, max-age=31536000, immutable',
            'content-security-policy': `default-src 'none'; sandbox`,
          })
          .send(picture)
      },
    )
  }

  type Read = () => Promise<Buffer | null>

  async function resized(read: Read, cached: string, width: number, format: Format): Promise<Buffer | null> {
    const known = await files.read(cached).catch(() => null)
    if (known) return known
    const job = making.get(cached) ?? make(read, cached, width, format).finally(() => making.delete(cached))
    making.set(cached, job)
    return job
  }

  async function make(read: Read, cached: string, width: number, format: Format): Promise<Buffer | null> {
    const source = await read()
    if (!source) return null
    const shrink = () => {
      const smaller = sharp(source, { limitInputPixels: MOST_PIXELS }).resize({ width, withoutEnlargement: true })
      return ENCODED[format](smaller).toBuffer()
    }
    const picture = await decoding.take(shrink, MOST_PIXELS)
    // When the disk is full, the copy is made again each time.
    await files.write(cached, picture).catch(error => {
      app.log.warn(error, 'A smaller copy of a picture could not be kept')
    })
    // The original may have been removed, and its copies looked for, before this copy was written.
    if (await read()) return picture
    await files.remove([cached])
    return null
  }
}

const missing = () => new Problem(404, 'NOT_FOUND', 'There is no such picture.')
