import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '#schema/rules/limits'
import { makeProduct, makeUser, openShop, type Account, type Identity, type TestShop } from '../testing/shop.ts'
import type { ProductFilter } from '../generated/types.ts'
import type { Product } from './product.entity.ts'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop({ pageSize: 4 })
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())

type List = 'products' | 'topRatedProducts'

async function list(field: List, variables: { keyword?: string | null; page?: number | null } = {}) {
  const answer = await shop.gql(
    `query($keyword: String, $page: Int) { list: ${field}(keyword: $keyword, page: $page) { page pages total items { id name rating numReviews } } }`,
    variables,
  )
  expect(answer).toMatchObject({ status: 200, data: { list: {} } })
  return answer.data.list
}

const names = async (keyword: string, field: List = 'products') =>
  (await list(field, { keyword })).items.map(({ name }) => name)
const stocked = (fields: Partial<Product>) => makeProduct(shop.em(), fields)

async function readProduct(id: string, identity: Identity = null) {
  return (await shop.gql('query($id: ID!) { product(id: $id) { id name isDraft version } }', { id }, identity)).data
    .product
}

describe('the catalogue in pages of four', () => {
  let ids: string[]
  beforeAll(async () => {
    ids = []
    for (let day = 1; day <= 10; day++) {
      ids.unshift(
        (await stocked({ name: `Paged ${day}`, description: 'quagmire', createdAt: new Date(Date.UTC(2026, 0, day)) }))
          .id,
      )
    }
  })

  it('has the newest first, and every product on exactly one page', async () => {
    const pages = [
      await list('products', { keyword: 'paged', page: 1 }),
      await list('products', { keyword: 'paged', page: 2 }),
      await list('products', { keyword: 'paged', page: 3 }),
    ]
    expect(pages.map(({ page, pages, total, items }) => [page, pages, total, items.length])).toEqual([
      [1, 3, 10, 4],
      [2, 3, 10, 4],
      [3, 3, 10, 2],
    ])
    expect(pages.flatMap(({ items }) => items.map(({ id }) => id)).toSorted()).toEqual(ids.toSorted())
    const everything = (await list('products')).items.map(({ id }) => id)
    expect(everything).toEqual(ids.slice(0, 4))
  })

  it('takes ids, SKUs and times of changes, beside each other, words, facets and pages', async () => {
    const [one, two, draft] = [
      await stocked({ name: 'Asked one', sku: 'ASKED-1', price: 500 }),
      await stocked({ name: 'Asked two', sku: 'ASKED-2', price: 900 }),
      await stocked({ name: 'Asked draft', sku: 'ASKED-3', publishedAt: null }),
    ]
    const [{ now: before }] = (await shop.em().execute('select clock_timestamp() as now')) as [{ now: Date }]
    await shop.em().execute('update products set price = price + 1 where id = ?', [two.id])
    const asked = async (filter: ProductFilter, more: { keyword?: string; page?: number } = {}) => {
      const { total, items, facets } = (
        await shop.gql(
          `query($filter: ProductFilter, $keyword: String, $page: Int) { products(filter: $filter, keyword: $keyword, page: $page) {
             total items { id name } facets { field values { count } } } }`,
          { filter, ...more },
        )
      ).data.products
      const counted = facets.find(({ field }) => field === 'IN_STOCK')?.values ?? []
      expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(total)
      return { total, found: items.map(({ name }) => name) }
    }
    const all = [one.id, two.id, draft.id]
    const updatedFrom = new Date(before)
    expect(await asked({ ids: all })).toEqual({ total: 2, found: ['Asked two', 'Asked one'] })
    expect(await asked({ ids: ['nothing', one.id] })).toEqual({ total: 1, found: ['Asked one'] })
    expect(await asked({ ids: ['nothing'] })).toEqual({ total: 0, found: [] })
    expect(await asked({ skus: [' asked-1', 'ASKED-3', 'ASKED-9'] })).toEqual({ total: 1, found: ['Asked one'] })
    expect(await asked({ ids: all, skus: ['ASKED-2'] })).toEqual({ total: 1, found: ['Asked two'] })
    expect(await asked({ updatedFrom })).toEqual({ total: 1, found: ['Asked two'] })
    expect(await asked({ ids: all, updatedTo: updatedFrom })).toEqual({ total: 1, found: ['Asked one'] })
    expect(await asked({ ids: all, priceTo: 500 })).toEqual({ total: 1, found: ['Asked one'] })
    expect(await asked({ ids: all }, { keyword: 'two' })).toEqual({ total: 1, found: ['Asked two'] })
    expect(await asked({ ids }, { page: 3 })).toEqual({ total: 10, found: ['Paged 2', 'Paged 1'] })
    await shop.em().execute('update products set archived_at = now() where id = any (?::uuid[])', [`{${all.join()}}`])
  })

  it.each([
    [0, 1],
    [-1, 1],
    [-2_147_483_648, 1],
    [4, 3],
    [999, 3],
    [2_147_483_647, 3],
    [null, 1],
  ])('moves page %s to page %i', async (page, served) => {
    for (const field of ['products', 'topRatedProducts'] as const) {
      expect(await list(field, { keyword: 'quagmire', page })).toMatchObject({ page: served, pages: 3, total: 10 })
    }
  })

  it('of nothing is one empty page', async () => {
    expect(await list('products', { keyword: 'nothing-like-this', page: 7 })).toEqual({
      page: 1,
      pages: 1,
      total: 0,
      items: [],
    })
  })
})

describe('a keyword', () => {
  beforeAll(async () => {
    await stocked({
      name: 'Moorland Tweed',
      category: 'Aran',
      content: '80% wool, 20% donegal',
      description: 'Flecked like a hillside in Öland.',
    })
    await stocked({
      name: 'Harbour Cotton',
      category: 'Fingering',
      content: '100% cotton',
      description: 'A summer yarn, not a Tweed at all.',
    })
    await stocked({ name: '100%_\\', category: 'Notions', content: 'paper', description: 'A label.' })
  })

  it.each([
    ['in the name', 'moorland', ['Moorland Tweed']],
    ['in the category', 'Fingering', ['Harbour Cotton']],
    ['in the fibre content', 'donegal', ['Moorland Tweed']],
    ['in the description', 'hillside', ['Moorland Tweed']],
    ['that is the beginning of a word', 'harbo', ['Harbour Cotton']],
    ['with two letters swapped', 'moorladn', ['Moorland Tweed']],
    ['in another form', 'hillsides', ['Moorland Tweed']],
    ['in capitals', 'MOORLAND', ['Moorland Tweed']],
    ['with blanks around it', '  moorland \t', ['Moorland Tweed']],
    ['with a capital umlaut', 'ÖLAND', ['Moorland Tweed']],
    ['without the umlaut', 'oland', ['Moorland Tweed']],
    ['of several words, in any order and field', 'donegal aran moorland', ['Moorland Tweed']],
    ['of several words of which one is nowhere', 'donegal angora', []],
    ['of many words of which most are nowhere', 'm o r l a n d t w e z', []],
    ['of several words of which most fit', 'moorland tweed donegal zyxwvutsrq', ['Moorland Tweed']],
    ['that reads like SQL', `' or zyxwvuts=zyxwvuts; --`, []],
    ['with a question mark', 'moorland?', ['Moorland Tweed']],
    ['in quotes', '"80% wool"', ['Moorland Tweed']],
    ['with a quote that never ends', `"moorland' \``, ['Moorland Tweed']],
    ['that reads like a regular expression', 'moor(land|)+$', ['Moorland Tweed']],
    ['in quotes, in another order', '"wool 80"', []],
  ])('%s finds what holds it', async (_where, keyword, found) => {
    expect(await names(keyword)).toEqual(found)
    expect(await names(keyword, 'topRatedProducts')).toEqual(found)
  })

  it('ranks a product named so before one that merely mentions it', async () => {
    expect(await names('tweed')).toEqual(['Moorland Tweed', 'Harbour Cotton'])
  })

  it('with no letters is no keyword', async () => {
    const all = await list('products')
    for (const keyword of ['', '   ', null]) expect(await list('products', { keyword })).toEqual(all)
  })

  it.each(['%_', '_\\', '\\', '🧶🐑', '?!', '""'])('of signs alone, %j, finds nothing', async keyword => {
    expect(await names(keyword)).toEqual([])
  })

  it('takes a percent sign for a share, and no sign for anything else', async () => {
    expect(await names('80% wool')).toEqual(['Moorland Tweed'])
    expect(await names('81% wool')).toEqual([])
    expect(await names('_arbour%')).toEqual(['Harbour Cotton'])
  })

  it.each([
    ['NUL', 'moor\0land'],
    ['half a character', 'moorland \ud800'],
    ['the other half', '\udc00'],
    ['10,000 characters', 'moorland '.repeat(1112).slice(0, 10_000)],
    ['template signs', '${zyxwvuts} {{zyxwvuts}} $1 ?'],
  ])('of %s finds nothing and breaks nothing', async (_what, keyword) => {
    for (const field of ['products', 'topRatedProducts'] as const) {
      expect(await list(field, { keyword })).toEqual({ page: 1, pages: 1, total: 0, items: [] })
    }
  })

  it('can have a hundred characters', async () => {
    const name = 'n'.repeat(limits.keyword)
    await stocked({ name })
    expect(await names(name)).toEqual([name])
    expect(await names(`${name}n`)).toEqual([])
  })
})

describe('words that no product has together', () => {
  it('find what has most of them, and that is told', async () => {
    await stocked({ name: 'Quillwork Aran in Maroon Bells' })
    await stocked({ name: 'Quillwork Lace in Teasel' })
    const ask = async (keyword: string) =>
      (await shop.gql('query($keyword: String) { products(keyword: $keyword) { total hasAllWords } }', { keyword }))
        .data.products
    expect(await ask('maroon bells')).toEqual({ total: 1, hasAllWords: true })
    expect(await ask('maroon teasel')).toEqual({ total: 2, hasAllWords: false })
    expect(await ask('zyxwvutsrq')).toEqual({ total: 0, hasAllWords: true })
    expect(await ask('')).toMatchObject({ hasAllWords: true })
  })
})

describe('a typing error', () => {
  const ask = async (keyword: string, asTyped = false) =>
    (
      await shop.gql(
        'query($keyword: String, $asTyped: Boolean) { products(keyword: $keyword, asTyped: $asTyped) { total totalIsExact didYouMean correction { used typed } } }',
        { keyword, asTyped },
      )
    ).data.products

  beforeAll(() => stocked({ name: 'Quillwork Gossamer', description: 'Spun fine.' }))

  it('is mended and told of', async () => {
    expect(await ask('Gosamer')).toEqual({
      total: 1,
      totalIsExact: true,
      didYouMean: null,
      correction: { used: 'gossamer', typed: 'Gosamer' },
    })
    expect(await ask('gossamer')).toMatchObject({ total: 1, correction: null })
  })

  it('is left alone when asked to, and named', async () => {
    expect(await ask('gosamer', true)).toEqual({
      total: 0,
      totalIsExact: true,
      didYouMean: 'gossamer',
      correction: null,
    })
    expect(await ask('zyxwvutsrq', true)).toMatchObject({ total: 0, didYouMean: null })
  })
})

describe('products by rating', () => {
  it('put fifty reviews at 4.8 before a single five', async () => {
    await stocked({ name: 'Loved once', description: 'bayes', numReviews: 1, ratingSum: 5 })
    await stocked({ name: 'Loved by many', description: 'bayes', numReviews: 50, ratingSum: 240 })
    await stocked({ name: 'Disliked', description: 'bayes', numReviews: 10, ratingSum: 15 })
    await stocked({ name: 'Unknown', description: 'bayes' })
    const { items } = await list('topRatedProducts', { keyword: 'bayes' })
    expect(items.map(({ name, rating, numReviews }) => [name, rating, numReviews])).toEqual([
      ['Loved by many', 4.8, 50],
      ['Loved once', 5, 1],
      ['Unknown', 0, 0],
      ['Disliked', 1.5, 10],
    ])
  })

  it('begin with the best by plain rating where customers also viewed', async () => {
    await stocked({ name: 'Praised once', numReviews: 1, ratingSum: 5 })
    await stocked({ name: 'Praised twice', numReviews: 2, ratingSum: 10 })
    await stocked({ name: 'Praised by most', numReviews: 200, ratingSum: 960 })
    const { data } = await shop.gql('{ customersAlsoViewed { name rating } }')
    const [first, second] = data.customersAlsoViewed
    expect([first, second]).toEqual([{ name: 'Praised twice', rating: 5 }, expect.objectContaining({ rating: 5 })])
    expect(data.customersAlsoViewed.map(({ name }: { name: string }) => name)).toContain('Praised once')
    expect((await list('topRatedProducts')).items[0]).toMatchObject({ name: 'Praised by most' })
  })

  it('begin with the four that customers also viewed', async () => {
    await stocked({ name: 'Hidden best', numReviews: 500, ratingSum: 2500, publishedAt: null })
    await stocked({ name: 'Gone best', numReviews: 500, ratingSum: 2500, archivedAt: new Date() })
    for (const fives of [100, 90, 80, 70, 60])
      await stocked({ name: `Best of ${fives}`, numReviews: fives, ratingSum: fives * 5 })
    const { data } = await shop.gql('{ customersAlsoViewed { name rating } }')
    expect(data.customersAlsoViewed).toEqual([100, 90, 80, 70].map(fives => ({ name: `Best of ${fives}`, rating: 5 })))
    expect((await list('topRatedProducts')).items.map(({ name }) => name)).toEqual(
      [100, 90, 80, 70].map(fives => `Best of ${fives}`),
    )
  })
})

describe('a product', () => {
  it('shows everything the shop knows about it', async () => {
    const product = await stocked({ name: 'Plain', price: 1234, countInStock: 7 })
    const { data } = await shop.gql(
      `query($id: ID!) { product(id: $id) {
        id name image description weight length gauge knittingNeedle crochetHook recommendedCare content category price countInStock
        rating numReviews isDraft version createdAt viewerReview { id } reviews { items { id } page pages total }
      } }`,
      { id: product.id },
    )
    const {
      id,
      name,
      image,
      description,
      weight,
      length,
      gauge,
      knittingNeedle,
      crochetHook,
      recommendedCare,
      content,
      category,
    } = product
    expect(data.product).toEqual({
      id,
      name,
      image,
      description,
      weight,
      length,
      gauge,
      knittingNeedle,
      crochetHook,
      recommendedCare,
      content,
      category,
      price: 1234,
      countInStock: 7,
      rating: 0,
      numReviews: 0,
      isDraft: false,
      version: 1,
      createdAt: product.createdAt.toISOString(),
      viewerReview: null,
      reviews: { items: [], page: 1, pages: 1, total: 0 },
    })
  })

  it.each([
    '0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c',
    'abc',
    '',
    '1',
    '../1',
    `' or 1=1`,
    'a\0b',
    'x'.repeat(10_000),
    '507f1f77bcf86cd799439011',
  ])('named %j is not there', async id => {
    expect(await readProduct(id)).toBeNull()
    expect(await readProduct(id, admin)).toBeNull()
  })

  it('is found by its id in capitals too', async () => {
    const { id } = await stocked({})
    expect(await readProduct(id.toUpperCase())).toMatchObject({ id })
  })

  it('that is a draft is there for administrators only, on no list of the shop', async () => {
    const { id, name } = await stocked({ name: 'Secret draft', publishedAt: null })
    for (const identity of [null, await makeUser(shop.em())]) expect(await readProduct(id, identity)).toBeNull()
    expect(await readProduct(id, admin)).toEqual({ id, name, isDraft: true, version: 1 })
    expect(await names('secret')).toEqual([])
    expect(await names('secret', 'topRatedProducts')).toEqual([])
  })

  it('that is archived is there for nobody', async () => {
    const { id } = await stocked({ name: 'Bygone', archivedAt: new Date() })
    expect(await readProduct(id)).toBeNull()
    expect(await readProduct(id, admin)).toBeNull()
    expect(await names('bygone')).toEqual([])
    expect(await names('bygone', 'topRatedProducts')).toEqual([])
  })
})
