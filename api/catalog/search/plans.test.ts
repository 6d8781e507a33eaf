import type { EntityManager } from '@mikro-orm/postgresql'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ProductFilter, ProductSortField } from '../../generated/types.ts'
import { flat, notePlans, type Node, type PlansOf } from '../../testing/plans.ts'
import { openShop, type TestShop } from '../../testing/shop.ts'
import { connect } from '../../db/config.ts'
import { seed } from '../../db/seed/seed.ts'
import { nth } from '#schema/rules/present'
import { seeColours } from '../see-colours.ts'
import type { FIELDS_OF } from './facet-row.ts'
import { indexMissing } from './index-products.ts'

const PRODUCTS = 20_000
const BATCH = 500
/** After everything here was made. */
const LATELY = new Date(Date.now() + 86_400_000).toISOString()

/** The administrators' index has the same order, and is as good where nearly everything is on sale. */
const NEWEST = /products_(newest|admin)/
const NOBODY = '00000000-0000-0000-0000-000000000000'
/** The shop knows which products a list has; it reads only those that are shown. */
const PLACES = 'products_place_key'

const COPIED = `image, description, weight, length, gauge, knitting_needle, crochet_hook, recommended_care, content, category,
  published_at, search_format, kind, weight_class, fibres, needle_mm, hook_mm, superwash, facts`

let shop: TestShop
let plansOf: PlansOf

beforeAll(async () => {
  shop = await openShop()
  await seed(shop.em())
  // Uses its own connections: the shop's give up on whatever takes longer than a few seconds.
  const own = await connect(shop.databaseUrl)
  const em = own.em.fork()
  await em.execute('set statement_timeout = 0')
  for (let from = 1; from <= PRODUCTS; from += BATCH)
    await em.execute(
      `insert into products (id, sku, name, price, count_in_stock, num_reviews, rating_sum, created_at, sold_last_90_days, metres, colours, search_document, ${COPIED})
       select gen_random_uuid(), 'LOT' || n, name || ' ' || n, 100 + n * 7919 % 6000, n % 60, n % 40, n % 40 * 4, now() - n * interval '1 minute', n * 31 % 500,
         metres * (0.8 + n % 40 * 0.01), colours, search_document || setweight(to_tsvector('english', 'lot' || n % 1000), 'A'), ${COPIED}
       from (select row_number() over (order by id) - 1 as row, count(*) over () as rows, p.* from products p
             where published_at is not null and sku not like 'LOT%') p
       join generate_series(?::int, ?::int) n on n % p.rows = p.row`,
      [from, from + BATCH - 1],
    )
  await em.execute(`insert into search_words (word) select 'lot' || n from generate_series(0, 999) n`)
  await em.execute('analyze products, search_words, search_synonyms')
  await own.close()
  // The first list reads the facts of all products, once per process.
  await shop.gql(LIST)
  plansOf = notePlans(shop)
}, 300_000)
afterAll(() => shop?.close())

const LIST = `query ($keyword: String, $filter: ProductFilter, $sort: ProductSort, $page: Int) {
  products(keyword: $keyword, filter: $filter, sort: $sort, page: $page) { total totalIsExact pages items { id name } facets { field } }
}`

const CONNECTION = `query ($sort: ProductSort) { productsConnection(sort: $sort, first: 12) { edges { node { id name } } } }`

/** Fails when a statement scans all products. Returns the indexes that are used. */
async function indexesOf(query: string, variables: object = {}): Promise<string[]> {
  const plans = await plansOf(query, variables)
  for (const { query, nodes } of plans)
    expect(
      nodes.filter(node => node['Node Type'].endsWith('Seq Scan') && node['Relation Name'] === 'products'),
      query,
    ).toEqual([])
  return plans.flatMap(({ nodes }) => nodes.flatMap(node => node['Index Name'] ?? []))
}

describe('among many products', () => {
  // The first of all, for whichever list by name comes first reads the order.
  it('the order of names is read without the products, and then only where some have changed', async () => {
    const byName = async () => {
      const plans = await plansOf(LIST, { sort: { field: 'NAME' } })
      return plans.flatMap(({ nodes }) => nodes).filter(node => node['Index Name'] === 'products_by_name')
    }
    const all = await byName()
    expect(all.length).toBeGreaterThan(PRODUCTS / 5_000)
    expect(new Set(all.map(node => node['Node Type']))).toEqual(new Set(['Index Only Scan']))
    expect(await byName()).toEqual([])
    await shop.em().execute(`update products set name = 'Quipu' where sku = 'LOT7'`)
    expect(await byName()).toHaveLength(1)
  })

  it.each<[string, object, string | RegExp]>([
    ['the newest', {}, PLACES],
    ['a far page', { page: 800 }, PLACES],
    ['a shelf', { filter: { kind: ['NEEDLES'] } }, PLACES],
    ['a category', { filter: { category: 'DK' } }, PLACES],
    ['what changed since an instant', { filter: { updatedFrom: LATELY } }, 'products_changed'],
    ['a search', { keyword: 'merino' }, 'product_documents_words'],
    ['a search for what half of the shop has', { keyword: 'yarn' }, 'product_documents_words'],
    ['a search for what few have', { keyword: 'lot77' }, 'product_documents_words'],
    ['a search for several words', { keyword: 'blue lot78 wool' }, 'product_documents_words'],
    ['a search with a typing error', { keyword: 'corriedlae' }, 'search_words_alike'],
    ['a search for nothing', { keyword: 'zzqxw' }, 'search_words_alike'],
    [
      'a search in another order',
      { keyword: 'cotton', sort: { field: 'PRICE', direction: 'ASC' } },
      'product_documents_words',
    ],
  ])('%s is read by an index', async (_list, variables, index) => {
    expect((await indexesOf(LIST, variables)).join()).toMatch(index)
  })

  const sorts: Record<Exclude<ProductSortField, 'RELEVANCE' | 'UPDATED'>, [string | RegExp, string | RegExp]> = {
    CREATED: [NEWEST, NEWEST],
    NAME: ['products_by_name', 'products_by_name'],
    PRICE: ['products_by_price', 'products_by_price'],
    PRICE_PER_100_M: ['products_cheapest_per_100_m', 'products_dearest_per_100_m'],
    RATING: ['products_top_rated', 'products_top_rated'],
    BEST_SELLING: ['products_best_selling', 'products_best_selling'],
  }
  it.each(Object.entries(sorts))('sorting by %s, both ways, is an index', async (field, [ascending, descending]) => {
    for (const [direction, index] of [['ASC', ascending] as const, ['DESC', descending] as const]) {
      expect((await indexesOf(CONNECTION, { sort: { field, direction } })).join()).toMatch(index)
      expect((await indexesOf(LIST, { sort: { field, direction } })).join()).toMatch(PLACES)
    }
  })

  const filters: Record<keyof typeof FIELDS_OF, ProductFilter> = {
    KIND: { kind: ['YARN'] },
    WEIGHT_CLASS: { weightClass: ['LACE', 'DK'] },
    FIBRE: { fibre: ['MERINO'] },
    COLOUR: { colour: ['BLUE'] },
    NEEDLE_MM: { needleMm: [4] },
    HOOK_MM: { hookMm: [5] },
    METRES: { metresFrom: 100, metresTo: 199 },
    PRICE: { priceFrom: 500, priceTo: 520 },
    PRICE_PER_100_M: { pricePer100mTo: 300 },
    SUPERWASH: { superwash: true },
    IN_STOCK: { inStock: false },
    RATING: { ratingFrom: 4 },
  }
  it.each(Object.entries(filters))(
    'no list narrowed by %s reads every product, however it is sorted',
    async (_, filter) => {
      for (const field of Object.keys(sorts)) await indexesOf(LIST, { filter, sort: { field } })
      await indexesOf(LIST, { filter, keyword: 'wool' })
    },
  )

  it.each([
    ['many', "category = 'DK'", { category: 'DK' }],
    ['few', "category = 'DK' and price between 500 and 900", { category: 'DK', priceFrom: 500, priceTo: 900 }],
  ])('pages of %s by name are what the database has of them', async (_many, condition, filter) => {
    const idsOn = async (page: number) => {
      const { data } = await shop.gql(LIST, { filter, sort: { field: 'NAME', direction: 'ASC' }, page })
      return data.products.items.map(({ id }) => id)
    }
    const shown = [...(await idsOn(1)), ...(await idsOn(2))]
    const all: { id: string }[] = await shop
      .em()
      .execute(
        `select id from products where ${condition} and published_at is not null and archived_at is null order by lower(name), id`,
      )
    expect(shown).toEqual(all.slice(0, shown.length).map(({ id }) => id))
  })

  it('a connection of what few have is put in order, instead of looked for in the order of all', async () => {
    const used = await indexesOf(
      '{ productsConnection(first: 20, keyword: "lot77", sort: { field: NAME }) { edges { node { id } } } }',
    )
    expect(used.join()).toMatch(PLACES)
    expect(used).not.toContain('products_by_name')
  })

  it('tools for a yarn are found by their sizes', async () => {
    const used = await indexesOf('{ product(sku: "NINEPIN-MARMALADE") { goesWith { id } } }')
    expect(used).toContain('products_tools')
  })

  it('a connection of few, found by what they have, is read by their places', async () => {
    const query = `query ($filter: ProductFilter) { productsConnection(first: 20, filter: $filter) { edges { node { id } } } }`
    const few = { kind: ['KIT'], fibre: ['SILK'], priceFrom: 400, priceTo: 500 }
    const used = (await indexesOf(query, { filter: few })).join()
    expect(used).toMatch(PLACES)
    expect(used).not.toMatch(NEWEST)
    expect((await indexesOf(query, { filter: { kind: ['YARN'] } })).join()).toMatch(NEWEST)
  })

  it.each([
    ['a word that many have', { keyword: 'wool' }],
    ['a kind', { filter: { kind: ['NEEDLES'] } }],
  ])('a connection of %s by name is found and counted in memory', async (_what, variables) => {
    const query = `query ($keyword: String, $filter: ProductFilter, $after: String) {
      productsConnection(first: 20, keyword: $keyword, filter: $filter, after: $after, sort: { field: NAME }) {
        totalCount edges { node { id } } pageInfo { endCursor } } }`
    const { data } = await shop.gql(query, variables)
    const { totalCount, edges, pageInfo } = data.productsConnection
    expect([totalCount > 1_000, edges.length]).toEqual([true, 20])
    const used = await indexesOf(query, variables)
    expect(used.join()).not.toMatch(/product(s_by_name|_documents)/)
    // Where a cursor stands in that order is asked for once.
    const further = await indexesOf(query, { ...variables, after: pageInfo.endCursor })
    expect(further.filter(index => !used.includes(index))).toEqual(['products_by_name'])
  })

  it('what somebody begins to type is looked for among the best rated, and everywhere if few of those have it', async () => {
    const query = 'query ($typed: String!) { searchSuggestions(typed: $typed) { products { id } } }'
    const suggested = async (typed: string) => (await shop.gql(query, { typed })).data.searchSuggestions.products.length
    const begun = await indexesOf(query, { typed: 'wo' })
    expect(begun).toContain('product_documents_pkey')
    expect(begun).not.toContain('product_documents_words')
    expect(await indexesOf(query, { typed: 'lot57' })).toContain('product_documents_words')
    expect([await suggested('wo'), await suggested('lot57')]).toEqual([5, 5])
  })

  it.each([
    ['suggestions', '{ searchSuggestions(typed: "mer") { products { id } terms { label } correction } }'],
    ['the best rated', '{ topRatedProducts { total items { id } } customersAlsoViewed { id } }'],
    ['the wall of colour', '{ wallOfColour { id } }'],
    ['categories', '{ categories }'],
    ['parts of the list', '{ productsConnection(first: 20) { edges { cursor node { id } } } }'],
    ['parts of a search', '{ productsConnection(first: 20, keyword: "lot79") { edges { node { id } } } }'],
    ['a product by its SKU', '{ product(sku: "LOT5") { id } }'],
  ])('%s are read by indexes', async (_what, query) => {
    expect(await indexesOf(query)).not.toEqual([])
  })
})

describe('at a start', () => {
  it.each([
    ['products that are not indexed in today’s way', indexMissing, 'products_unindexed'],
    ['pictures that nobody has looked at in today’s way', (em: EntityManager) => seeColours(em, {}), 'products_unseen'],
  ])('%s are found by an index', async (_what, find, index) => {
    const asked: string[] = []
    const em = shop.em()
    vi.spyOn(em, 'execute').mockImplementation(async sql => {
      asked.push(String(sql))
      return []
    })
    await find(em)
    const [{ 'QUERY PLAN': plan }] = await shop
      .em()
      .execute<[{ 'QUERY PLAN': [{ Plan: Node }] }]>(`explain (format json) ${nth(asked, 0)}`, [NOBODY])
    expect(flat(plan[0].Plan).map(node => node['Index Name'])).toContain(index)
  })
})
