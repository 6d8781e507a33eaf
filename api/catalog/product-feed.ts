import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql'
import type { FastifyInstance } from 'fastify'
import { toDecimal, shopCurrency } from '#schema/rules/money'
import type { Sale } from '#schema/rules/sale'
import { slugBehind } from '#schema/rules/slug'
import { lastOf } from '#schema/rules/present'
import { ON_SALE } from './list-products.ts'
import { Product } from './product.entity.ts'

interface FeedOptions {
  orm: MikroORM
  /** Public origin of the shop. */
  shopUrl: string
  /** The brand of what names no maker. */
  shopName: string
  /** Where the feed is kept between those who ask for it. */
  cacheDir: string
  /** How long one feed serves everyone, in milliseconds. */
  keepMs?: number
}

const KEEP_MS = 15 * 60_000
const BATCH = 1_000

/** Every product on sale in the attributes of merchants' feeds, made once for all who ask within a quarter of an hour. */
export async function productFeed(app: FastifyInstance, options: FeedOptions): Promise<void> {
  const { orm, shopUrl, shopName, cacheDir, keepMs = KEEP_MS } = options
  const file = join(cacheDir, 'products.tsv')
  let making: Promise<void> | null = null

  async function make(): Promise<void> {
    const unfinished = `${file}.${process.pid}`
    try {
      await mkdir(cacheDir, { recursive: true })
      await pipeline(Readable.from(linesOf(orm.em.fork(), shopUrl, shopName)), createWriteStream(unfinished))
      await rename(unfinished, file)
    } finally {
      await rm(unfinished, { force: true })
    }
  }
  const makeOnce = () =>
    (making ??= make().finally(() => {
      making = null
    }))

  app.get('/feeds/products.tsv', async (_request, reply) => {
    const madeAt = await timeOf(file)
    if (madeAt === null) await makeOnce()
    // Serves the last feed while the next one is being made.
    else if (Date.now() - madeAt.getTime() > keepMs)
      makeOnce().catch(error => app.log.error(error, 'The product feed could not be made'))
    return reply
      .type('text/tab-separated-values; charset=utf-8')
      .headers({
        'cache-control': 'public, max-age=900',
        'last-modified': (madeAt ?? new Date()).toUTCString(),
      })
      .send(createReadStream(file))
  })
}

async function timeOf(file: string): Promise<Date | null> {
  try {
    return (await stat(file)).mtime
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** The feed, some hundred kilobytes at a time: however many products there are, few are in memory. */
async function* linesOf(em: EntityManager, shopUrl: string, shopName: string): AsyncGenerator<string> {
  yield `${Object.keys(FEED).join('\t')}\n`
  for (let after: string | null = null; ;) {
    const rows: { maker: string | null }[] = await em.execute(
      `select p.*, g.maker from products p left join product_groups g on g.id = p.group_id
       where ${ON_SALE} ${after === null ? '' : 'and p.id > ?'} order by p.id limit ${BATCH}`,
      after === null ? [] : [after],
    )
    const products = rows.map(({ maker, ...row }) => [em.map(Product, row) as Product, maker || shopName] as const)
    yield products
      .map(([product, brand]) =>
        Object.values(FEED)
          .map(column => inCell(column(product, shopUrl, brand)))
          .join('\t'),
      )
      .join('\n')
      .concat(products.length > 0 ? '\n' : '')
    em.clear()
    if (rows.length < BATCH) return
    after = lastOf(products)[0].id
  }
}

/** By the names of Google's product data specification, which others read, too. */
export const FEED: Record<string, (product: Product, shopUrl: string, brand: string) => string | null> = {
  id: ({ id }) => id,
  title: ({ name }) => name.slice(0, 150),
  description: ({ description, name }) => (description || name).slice(0, 5_000),
  link: ({ id, name }, shopUrl) => `${shopUrl}/product/${id}${slugBehind(name)}`,
  image_link: ({ image }, shopUrl) => absolute(image, shopUrl),
  additional_image_link: ({ pictures }, shopUrl) =>
    pictures
      .slice(1, 11)
      .map(({ image }) => absolute(image, shopUrl).replaceAll(',', '%2C'))
      .join(','),
  availability: ({ countInStock, expectedOn }) =>
    countInStock === 0 ? 'out_of_stock' : expectedOn ? 'preorder' : 'in_stock',
  availability_date: ({ countInStock, expectedOn }) => (countInStock > 0 && expectedOn ? `${expectedOn}T00:00Z` : null),
  price: ({ listPrice }) => `${toDecimal(listPrice)} ${shopCurrency()}`,
  // One that is planned only with both its bounds: without them it would count at once.
  sale_price: ({ sale, compareAtPrice }) =>
    sale && (compareAtPrice !== null || effectiveDate(sale)) ? `${toDecimal(sale.price)} ${shopCurrency()}` : null,
  sale_price_effective_date: ({ sale }) => sale && effectiveDate(sale),
  condition: () => 'new',
  // As on the product's page (decision 050).
  brand: (_product, _shopUrl, brand) => brand,
  // Yarn carries no GTIN here, and the maker's own number is not known.
  identifier_exists: () => 'no',
  // Colourways and sizes of one thing.
  item_group_id: ({ groupId }) => groupId ?? null,
  product_type: ({ category }) => category,
  color: ({ facts }) => facts.colourFamilies.slice(0, 3).map(inWords).join('/'),
  material: ({ facts }) => facts.fibres.flatMap(({ fibre }) => (fibre ? [inWords(fibre)] : [])).join('/'),
  shipping_weight: ({ facts }) => (facts.grams === null ? null : `${facts.grams} g`),
  custom_label_0: ({ sku }) => sku,
}

const effectiveDate = ({ from, until }: Sale) => from && until && `${from.toISOString()}/${until.toISOString()}`

const absolute = (image: string, shopUrl: string) => (image.startsWith('/') ? shopUrl + image : image)

const inWords = (name: string) => name.charAt(0) + name.slice(1).toLowerCase().replaceAll('_', ' ')

/** A cell is one line without tabs. */
// oxlint-disable-next-line no-control-regex -- They are what is looked for.
const inCell = (text: string | null) => (text ?? '').replace(/[\u0000-\u001f\u007f\s]+/g, ' ').trim()
