import { Readable } from 'node:stream'
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql'
import type { FastifyInstance } from 'fastify'
import { graphql, type GraphQLSchema } from 'graphql'
import { SHELVES } from '#schema/rules/shelves'
import { SHOP_PAGES } from '#schema/rules/shop-pages'
import { slugBehind } from '#schema/rules/slug'
import { lastOf, nth } from '#schema/rules/present'
import { listCollections } from '../collection/list-collections.ts'
import { Problem, sendProblem } from '../http/problem.ts'
import { ON_SALE } from './list-products.ts'

interface SitemapOptions {
  orm: MikroORM
  schema: GraphQLSchema
  /** The context of a visitor who is not signed in. */
  contextFor: () => Promise<unknown>
  /** Public origin of the shop. */
  shopUrl: string
  /** Products in one file. It may grow to twice as many before the files are cut again, and the protocol allows 50,000. */
  perFile?: number
}

const PER_FILE = 25_000
/** How long the files are cut at the same ids, in milliseconds: finding them reads the ids of all products. */
const CUT_MS = 3_600_000
const BATCH = 1_000

/** Of products with ids above the first and up to the second; null is no end. */
type Part = [after: string | null, upTo: string | null]

/** The addresses of all pages for search engines: in one file, or where there are too many products in several and a list of them. */
export async function sitemap(app: FastifyInstance, options: SitemapOptions): Promise<void> {
  const { orm, schema, contextFor, shopUrl, perFile = PER_FILE } = options
  let known: { at: number; parts: Promise<Part[]> } | null = null
  const partsOf = (): Promise<Part[]> => {
    if (!known || performance.now() - known.at > CUT_MS) {
      const parts = cut(orm.em.fork(), perFile)
      parts.catch(() => (known = null))
      known = { at: performance.now(), parts }
    }
    return known.parts
  }
  const pages = async () => {
    const paths = ['/', '/top-rated', ...SHOP_PAGES.map(({ slug }) => `/${slug}`)]
    const collections = (await listCollections(orm.em.fork())).map(({ slug }) => `/${encodeURIComponent(slug)}`)
    const collected = collections.length > 0 ? ['', ...collections].map(slug => `/collections${slug}`) : []
    const shelves = await filledShelves(schema, await contextFor())
    return [...paths, ...collected, ...shelves].map(path => entryOf('url', shopUrl + path))
  }

  app.get('/sitemap.xml', async (_request, reply) => {
    const parts = await partsOf()
    const files = ['pages', ...parts.map((_, index) => `products-${index + 1}`)]
    reply.type('application/xml')
    return parts.length === 1
      ? reply.send(fileOf('urlset', [(await pages()).join('\n')], productsIn(orm.em.fork(), nth(parts, 0), shopUrl)))
      : reply.send(
          fileOf('sitemapindex', [files.map(file => entryOf('sitemap', `${shopUrl}/sitemaps/${file}.xml`)).join('\n')]),
        )
  })

  app.get<{ Params: { file: string } }>('/sitemaps/:file', async ({ params: { file } }, reply) => {
    const [, number] = /^products-(\d{1,6})\.xml$/.exec(file) ?? []
    const part = number ? (await partsOf())[Number(number) - 1] : undefined
    if (!part && file !== 'pages.xml')
      return sendProblem(reply, new Problem(404, 'NOT_FOUND', 'There is no such list of pages.'))
    return reply
      .type('application/xml')
      .send(
        part
          ? fileOf('urlset', productsIn(orm.em.fork(), part, shopUrl))
          : fileOf('urlset', [(await pages()).join('\n')]),
      )
  })
}

/** Where the files begin and end: from cut to cut by the index of ids alone, whether those are on sale or not. */
async function cut(em: EntityManager, perFile: number): Promise<Part[]> {
  const rows: { id: string }[] = await em.execute(
    `with recursive cut(id) as (
       (select id from products order by id offset ? limit 1)
       union all
       select (select p.id from products p where p.id > cut.id order by p.id offset ? limit 1) from cut where cut.id is not null
     )
     select id from cut where id is not null`,
    [perFile - 1, perFile - 1],
  )
  const cuts = rows.map(({ id }) => id)
  return [null, ...cuts].map((after, index) => [after, cuts[index] ?? null])
}

/** Some thousand at a time: however many there are, few are in memory. */
async function* productsIn(em: EntityManager, [from, upTo]: Part, shopUrl: string): AsyncGenerator<string> {
  for (let after = from; ;) {
    const [above, below] = [after === null ? '' : 'and id > ?', upTo === null ? '' : 'and id <= ?']
    const rows: { id: string; name: string; changed: string }[] = await em.execute(
      `select id, name, to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as changed from products
       where ${ON_SALE} ${above} ${below} order by id limit ${BATCH}`,
      [after, upTo].filter(id => id !== null),
    )
    yield rows
      .map(({ id, name, changed }) => entryOf('url', `${shopUrl}/product/${id}${slugBehind(name)}`, changed))
      .join('\n')
    if (rows.length < BATCH) return
    after = lastOf(rows).id
  }
}

const entryOf = (tag: 'url' | 'sitemap', address: string, changed?: string) =>
  `<${tag}><loc>${address}</loc>${changed ? `<lastmod>${changed}</lastmod>` : ''}</${tag}>`

function fileOf(tag: 'urlset' | 'sitemapindex', ...lists: (Iterable<string> | AsyncIterable<string>)[]): Readable {
  return Readable.from(
    (async function* () {
      yield `<?xml version="1.0" encoding="UTF-8"?>\n<${tag} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`
      for (const list of lists) for await (const entries of list) yield `${entries}\n`
      yield `</${tag}>\n`
    })(),
  )
}

/** Shelves on which something lies. */
async function filledShelves(schema: GraphQLSchema, contextValue: unknown): Promise<string[]> {
  const facets = 'facets { field values { value count } }'
  const source = `{ all: products { ${facets} } yarn: products(filter: { kind: [YARN] }) { ${facets} } }`
  const { data } = await graphql({ schema, source, contextValue })
  if (!data) return []
  const lists = data as Record<
    'all' | 'yarn',
    { facets: { field: string; values: { value: string; count: number }[] }[] }
  >
  const isFilled = (list: 'all' | 'yarn', field: string, value: string) =>
    lists[list].facets.some(
      facet => facet.field === field && facet.values.some(each => each.value === value && each.count > 0),
    )
  return SHELVES.filter(({ filter: { kind, weightClass, fibre, colour } }) => {
    if (weightClass) return isFilled('yarn', 'WEIGHT_CLASS', nth(weightClass, 0))
    if (fibre) return isFilled('yarn', 'FIBRE', nth(fibre, 0))
    if (colour) return isFilled('yarn', 'COLOUR', nth(colour, 0))
    return isFilled('all', 'KIND', nth(kind, 0))
  }).map(({ path }) => path)
}
