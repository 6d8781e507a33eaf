import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { graphql, type GraphQLSchema } from 'graphql'
import { LRUCache } from 'lru-cache'
import type { ReactNode } from 'react'
import type { Font } from 'satori'
import sharp from 'sharp'
import { imageAddress } from '#schema/rules/image'
import { formatCents } from '#schema/rules/money'
import { shelfAt } from '#schema/rules/shelves'
import { SHOP_PAGES } from '#schema/rules/shop-pages'
import { nth, present } from '#schema/rules/present'
import { Problem } from '../http/problem.ts'
import { faceOf, fontFile } from '../kernel/faces.ts'
import { decoding } from './decoding.ts'
import type { Originals } from './pictures.ts'
import { LONGEST_SIDE } from './uploads.ts'

interface SharePictureOptions {
  schema: GraphQLSchema
  /** The context of a visitor who is not signed in. */
  contextFor: () => Promise<unknown>
  originals: Originals
  /** Stands on every picture. */
  shopName: string
}

/** What others show of a link to the shop: the size that their previews are cut from. */
const WIDTH = 1200
const HEIGHT = 630
/** Of some 60 kB each. */
const KEPT = 300

/** The light theme's colours: nobody knows whether the place where a link is shown is light or dark. */
const GROUND = '#faf7f0'
const INK = '#241f1a'
const BARK = '#635a4e'
const MADDER = '#a3312a'

/** What is drawn: words, and the pictures that lie under them. */
interface Card {
  words: ReactNode
  pictures: { image: string; left: number; top: number; size: number }[]
}

/** Pictures of 1200 × 630 for links to products and pages, drawn when somebody asks for one and kept for the next. */
export async function sharePictures(app: FastifyInstance, options: SharePictureOptions): Promise<void> {
  const drawn = new LRUCache<string, Promise<Buffer>>({ max: KEPT })

  async function ask<Data>(source: string, variableValues: object): Promise<Data> {
    const contextValue = await options.contextFor()
    const { data, errors } = await graphql({
      schema: options.schema,
      source,
      variableValues: { ...variableValues },
      contextValue,
    })
    if (!data) throw nth(present(errors), 0)
    return data as Data
  }

  /** As it is drawn once for the same words and pictures. */
  function pictureOf(key: string, card: () => Card): Promise<Buffer> {
    const known = drawn.get(key)
    if (known) return known
    const picture = decoding.take(() => draw(card(), options.originals), 3 * LONGEST_SIDE ** 2)
    drawn.set(key, picture)
    picture.catch(() => drawn.delete(key))
    return picture
  }

  app.get<{ Querystring: { id?: unknown } }>('/share/product.jpg', async ({ query: { id } }, reply) => {
    if (typeof id !== 'string') throw missing()
    const { product } = await ask<{ product: SharedProduct | null }>(
      'query($id: ID!) { product(id: $id) { name category price image } }',
      { id },
    )
    if (!product) throw missing()
    const { name, category, price, image } = product
    const picture = await pictureOf(JSON.stringify([name, category, price, image]), () =>
      cardOfProduct(product, options.shopName),
    )
    return reply.type('image/jpeg').headers(HEADERS).send(picture)
  })

  app.get<{ Querystring: { path?: unknown } }>('/share/page.jpg', async ({ query: { path } }, reply) => {
    if (typeof path !== 'string') throw missing()
    const slug = COLLECTION.exec(path)?.[1]
    if (slug) {
      const { collection } = await ask<{ collection: { name: string; pictures: string[] } | null }>(
        'query($slug: String!) { collection(slug: $slug) { name pictures } }',
        { slug: decoded(slug) },
      )
      if (!collection) throw missing()
      return send(reply, collection.name, collection.pictures.slice(0, 3))
    }
    const shelf = shelfAt(path)
    const title = shelf?.heading ?? TITLES.get(path)
    if (title === undefined) throw missing()
    const { products } = await ask<{ products: { items: { image: string }[] } }>(
      'query($filter: ProductFilter) { products(filter: $filter, sort: { field: RATING, direction: DESC }) { items { image } } }',
      { filter: shelf?.filter ?? { kind: ['YARN'] } },
    )
    return send(reply, title, [...new Set(products.items.map(({ image }) => image))].slice(0, 3))
  })

  async function send(reply: FastifyReply, title: string, images: string[]) {
    const picture = await pictureOf(JSON.stringify([title, images]), () => cardOfPage(title, images, options.shopName))
    return reply.type('image/jpeg').headers(HEADERS).send(picture)
  }
}

const COLLECTION = /^\/collections\/([^/]+)$/

/** A part of a path as it was before it was encoded; as it is where it never was. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

interface SharedProduct {
  name: string
  category: string
  price: number
  image: string
}

const TITLES = new Map([
  ['/', 'Yarn and knitting supplies'],
  ['/top-rated', 'Top rated'],
  ['/collections', 'Collections'],
  ...SHOP_PAGES.map(({ slug, label }) => [`/${slug}`, label] as const),
])

const HEADERS = { 'cache-control': 'public, max-age=86400', 'content-security-policy': `default-src 'none'; sandbox` }

const cardOfProduct = ({ name, category, price, image }: SharedProduct, shopName: string): Card => ({
  pictures: [{ image, left: 40, top: 35, size: 560 }],
  words: (
    <Words left={640} width={500}>
      <Clamped lines={2} style={MARK}>
        {shopName}
      </Clamped>
      <div style={{ display: 'flex', flexDirection: 'column', gap: 20 }}>
        <Clamped lines={4} style={{ fontSize: 58, lineHeight: 1.1, fontWeight: 600 }}>
          {name}
        </Clamped>
        <Clamped lines={1} style={{ fontFamily: SANS, fontSize: 28, color: BARK }}>
          {category}
        </Clamped>
      </div>
      <div style={{ fontFamily: SANS, fontSize: 46, fontWeight: 600, color: MADDER }}>{formatCents(price)}</div>
    </Words>
  ),
})

const cardOfPage = (title: string, images: string[], shopName: string): Card => ({
  pictures: images.map((image, index) => ({ image, left: 60 + index * 370, top: 270, size: 340 })),
  words: (
    <Words left={70} width={1060}>
      <div style={{ display: 'flex', flexDirection: 'column', gap: 28 }}>
        <Clamped lines={1} style={MARK}>
          {shopName}
        </Clamped>
        <Clamped lines={1} style={{ fontSize: 84, lineHeight: 1.1, fontWeight: 600 }}>
          {title}
        </Clamped>
      </div>
    </Words>
  ),
})

const SERIF = 'Brygada 1918, Brygada 1918 Extended'
const SANS = 'Source Sans 3'

const Words = ({ left, width, children }: { left: number; width: number; children: ReactNode }) => (
  <div
    style={{
      position: 'absolute',
      left,
      top: 64,
      width,
      height: HEIGHT - 128,
      display: 'flex',
      flexDirection: 'column',
      justifyContent: 'space-between',
      fontFamily: SERIF,
      color: INK,
    }}
  >
    {children}
  </div>
)

const MARK = { fontSize: 40, lineHeight: 1.2, fontWeight: 600, letterSpacing: '-0.02em' }

const Clamped = ({ lines, style, children }: { lines: number; style: object; children: string }) => (
  <div style={{ display: 'block', lineClamp: lines, wordBreak: 'break-word', ...style }}>{children}</div>
)

async function draw({ words, pictures }: Card, originals: Originals): Promise<Buffer> {
  // What draws is loaded for the first picture.
  const { default: satori } = await import('satori')
  const svg = await satori(words, { width: WIDTH, height: HEIGHT, fonts: fonts(), loadAdditionalAsset })
  const under = await Promise.all(
    pictures.map(async ({ image, left, top, size }) => {
      const original = await originalOf(image, originals).catch(() => null)
      if (!original) return []
      const input = await sharp(original, { limitInputPixels: LONGEST_SIDE ** 2 })
        .resize(size, size, { fit: 'contain', background: '#0000' })
        .png({ compressionLevel: 1 })
        .toBuffer()
        .catch(() => null)
      return input ? [{ input, left, top }] : []
    }),
  )
  return sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: GROUND } })
    .composite([...under.flat(), { input: await ink(svg) }])
    .jpeg({ quality: 84, mozjpeg: true })
    .toBuffer()
}

const require = createRequire(import.meta.url)
const readFont = (file: string) => readFileSync(require.resolve(file))
let own: Font[] | undefined

/** The shop's own type. */
function fonts(): Font[] {
  return (own ??= [
    {
      name: 'Brygada 1918',
      weight: 600,
      data: readFont('@fontsource/brygada-1918/files/brygada-1918-latin-600-normal.woff'),
    },
    {
      name: 'Brygada 1918 Extended',
      weight: 600,
      data: readFont('@fontsource/brygada-1918/files/brygada-1918-latin-ext-600-normal.woff'),
    },
    { name: SANS, weight: 400, data: readFont('@fontsource/source-sans-3/files/source-sans-3-latin-400-normal.woff') },
    { name: SANS, weight: 600, data: readFont('@fontsource/source-sans-3/files/source-sans-3-latin-600-normal.woff') },
  ])
}

/** For letters that the shop's own type has not. */
async function loadAdditionalAsset(_language: string, letters: string): Promise<Font[]> {
  const faces = new Set(Array.from(letters, faceOf))
  return Promise.all(
    [...faces].map(async face => ({ name: face, weight: 600, data: await readFile(fontFile(face, true)) })),
  )
}

/** Not by sharp, which may not read drawings here: it is given what strangers upload. */
async function ink(svg: string): Promise<Buffer> {
  const { renderAsync } = await import('@resvg/resvg-js')
  const drawing = await renderAsync(svg, { font: { loadSystemFonts: false } })
  return drawing.asPng()
}

/** Of the shop's own pictures; those of other hosts are never fetched. */
async function originalOf(image: string, originals: Originals): Promise<Buffer | null> {
  const address = imageAddress(image)
  return (await originals[dirname(address)]?.(basename(address))) ?? null
}

const missing = () => new Problem(404, 'NOT_FOUND', 'There is no such page.')
