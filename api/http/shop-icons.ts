import { readFile } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import { EnvError } from '../kernel/env-variables.ts'

/** What is found at an address of the storefront's own icons instead of them. */
export type ShopIcons = ReadonlyMap<`/${string}`, { type: string; body: Buffer }>

/** The shop's paper, as in the web manifest: behind what has no ground of its own, where phones want one. */
const PAPER = { r: 0xfa, g: 0xf7, b: 0xf0, alpha: 1 }
const NOTHING = { r: 0, g: 0, b: 0, alpha: 0 }

const LARGEST = 512
/** Of an icon that phones cut to their own shape, what every shape leaves: a circle of four fifths. */
const LEFT_BY_ALL_SHAPES = 0.8

/** The owner's picture as all the icons that browsers, phones and letters ask for. Throws an EnvError for what is no picture. */
export async function drawIcons(path: string): Promise<ShopIcons> {
  const picture = await largest(path).catch(() => {
    throw new EnvError([
      `SHOP_ICON is "${path}", but must be the path of a PNG, JPEG or WebP picture, at best a square of ${LARGEST} pixels.`,
    ])
  })
  const png = (size: number) => scaled(picture, size).png().toBuffer()
  const [small, medium, large] = await Promise.all([png(32), png(192), png(LARGEST)])
  const ground = await groundOf(picture)
  const image = (type: string, body: Buffer) => ({ type, body })
  return new Map([
    // Browsers look at what it is, not at its name.
    ['/favicon.ico', image('image/png', small)],
    ['/favicon.svg', image('image/svg+xml', asSvg(medium))],
    [
      '/apple-touch-icon.png',
      image('image/png', await scaled(picture, 180).flatten({ background: ground }).toBuffer()),
    ],
    ['/icon-192.png', image('image/png', medium)],
    ['/icon-512.png', image('image/png', large)],
    ['/icon-maskable-512.png', image('image/png', await maskable(picture, ground))],
  ])
}

/** Upright, as large as the largest icon, and a square, with nothing where the picture ends before. */
const largest = async (path: string): Promise<Buffer> =>
  scaled(await readFile(path), LARGEST)
    .autoOrient()
    .png()
    .toBuffer()

const scaled = (picture: Buffer, size: number): Sharp =>
  sharp(picture).resize(size, size, { fit: 'contain', background: NOTHING })

/** The colour a picture has in its corner, if it has one there. */
async function groundOf(picture: Buffer): Promise<typeof PAPER> {
  const corner = await sharp(picture).ensureAlpha().extract({ left: 0, top: 0, width: 1, height: 1 }).raw().toBuffer()
  const [r = 0, g = 0, b = 0, alpha = 0] = corner
  return alpha === 255 ? { r, g, b, alpha: 1 } : PAPER
}

async function maskable(picture: Buffer, background: typeof PAPER): Promise<Buffer> {
  const inside = Math.round(LARGEST * LEFT_BY_ALL_SHAPES)
  const around = (LARGEST - inside) / 2
  return scaled(picture, inside)
    .flatten({ background })
    .extend({ top: around, bottom: around, left: around, right: around, background })
    .png()
    .toBuffer()
}

/** For browsers that ask for lines: the picture, in a frame of them. */
const asSvg = (png: Buffer): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><image width="1" height="1" href="data:image/png;base64,${png.toString('base64')}"/></svg>`,
  )
