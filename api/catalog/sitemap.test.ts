import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeProduct, openShop, type TestShop } from '../testing/shop.ts'
import { schema } from '../schema.ts'
import { Product } from './product.entity.ts'
import { sitemap } from './sitemap.ts'
import { nth, present } from '#schema/rules/present'

let shop: TestShop
let app: FastifyInstance
let ids: string[]

beforeAll(async () => {
  shop = await openShop()
  const em = shop.em()
  const products = []
  for (let index = 0; index < 7; index++)
    products.push(await makeProduct(em, { name: `Ninepin Sock & ${index} <毛糸>` }))
  await makeProduct(em, { name: 'A draft', publishedAt: null })
  ids = products.map(({ id }) => id).toSorted()
  app = Fastify()
  // The browser's tests check with the whole shop which shelves are filled.
  await app.register(sitemap, {
    orm: shop.orm,
    schema,
    contextFor: async () => null,
    shopUrl: 'https://yarn.example.com',
    perFile: 3,
  })
})
afterAll(async () => {
  await app.close()
  await shop.close()
})

const read = async (url: string) => (await app.inject({ url })).body
const idsIn = (file: string) =>
  [...file.matchAll(/<loc>https:\/\/yarn\.example\.com\/product\/([0-9a-f-]{36})[^<]*<\/loc>/g)].map(([, id]) => id)

describe('the sitemap', () => {
  it('is one file where that holds all products on sale, each with the moment it last changed', async () => {
    const file = await (await fetch(`${shop.url}/sitemap.xml`)).text()
    const listed = [...file.matchAll(/\/product\/([0-9a-f-]{36})\/[^<]*<\/loc><lastmod>([^<]*)</g)]
    expect(listed.map(([, id]) => id)).toEqual(ids)
    const product = await shop.em().findOneOrFail(Product, nth(ids, 0))
    expect(Math.abs(Date.parse(nth(nth(listed, 0), 2)) - product.createdAt.getTime())).toBeLessThan(3_600_000)
    for (const path of ['/', '/top-rated', '/about'])
      expect(file).toMatch(new RegExp(`<loc>[^<]*://[^/<]*${path}</loc>`))
    // There are none yet.
    expect(file).not.toContain('/collections')
  })

  it('is a list of files where there are more, which hold every product once', async () => {
    const index = await read('/sitemap.xml')
    const files = [...index.matchAll(/<loc>https:\/\/yarn\.example\.com(\/sitemaps\/[^<]*)<\/loc>/g)].map(([, path]) =>
      present(path),
    )
    expect(index).toContain('<sitemapindex')
    expect(files).toEqual(['/sitemaps/pages.xml', ...[1, 2, 3].map(number => `/sitemaps/products-${number}.xml`)])
    const lists = await Promise.all(files.map(read))
    for (const list of lists)
      expect(list).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<urlset [^]*<\/urlset>\n$/)
    expect(lists.flatMap(idsIn)).toEqual(ids)
  })

  it('lists what came since the files were cut', async () => {
    await read('/sitemap.xml')
    const { id } = await makeProduct(shop.em())
    const lists = await Promise.all([1, 2, 3].map(number => read(`/sitemaps/products-${number}.xml`)))
    expect(lists.flatMap(idsIn).filter(each => each === id)).toEqual([id])
  })

  it.each(['products-0.xml', 'products-4.xml', 'products-1', 'products-99999999.xml', '..%2Fpages.xml', 'x'])(
    'has no file %s',
    async file => {
      expect((await app.inject({ url: `/sitemaps/${file}` })).statusCode).toBe(404)
    },
  )
})
