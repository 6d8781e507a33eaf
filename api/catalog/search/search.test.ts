import type { EntityManager } from '@mikro-orm/postgresql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../../testing/admin.ts'
import { placed } from '../../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../../testing/shop.ts'
import { seed } from '../../db/seed/seed.ts'
import { countSales } from '../count-sales.ts'
import { FacetIndex } from './facet-index.ts'
import { forgetWords } from './forget-words.ts'
import { indexProducts } from './index-products.ts'
import { shipMeanings } from './meanings.ts'
import { keptWords, openSearchLog } from './search-log.ts'
import { SYNONYMS } from './synonyms.ts'
import { nth, present } from '#schema/rules/present'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop()
  await seed(shop.em())
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())

const LIST =
  'query($keyword: String, $filter: ProductFilter, $sort: ProductSort) { products(keyword: $keyword, filter: $filter, sort: $sort) { total items { id name price countInStock } } }'
const list = async (variables: object) => (await ask(shop, null, LIST, variables)).products

describe('suggestions', () => {
  const suggest = async (typed: string) =>
    (
      await ask(
        shop,
        null,
        'query($typed: String!) { searchSuggestions(typed: $typed) { products { name } terms { label field value } correction } }',
        { typed },
      )
    ).searchSuggestions

  it('offer products and shelves for a word that is begun', async () => {
    const { products, terms, correction } = await suggest('meri')
    expect(products).toHaveLength(5)
    expect(terms[0]).toEqual({ label: 'Merino', field: 'FIBRE', value: 'MERINO' })
    expect(correction).toBeNull()
  })

  it('take a word that says nothing for the beginning of one, if it stands alone', async () => {
    const namesOf = async (typed: string) => (await suggest(typed)).products.map(({ name }) => name)
    expect((await namesOf('me')).join()).toMatch(/merino/i)
    expect(await namesOf('sock yarn for')).toEqual(await namesOf('sock yarn '))
  })

  it('know what weights are called besides', async () => {
    expect((await suggest('4ply')).terms).toContainEqual({
      label: 'Fingering',
      field: 'WEIGHT_CLASS',
      value: 'FINGERING',
    })
  })

  it('mend typing errors, and offer no shelf that is empty', async () => {
    expect(await suggest('merno')).toMatchObject({ correction: 'merino' })
    expect((await suggest('qivi')).terms).toEqual([])
  })

  it.each(['', ' ', '!', 'x'.repeat(5_000), 'a\u0000b', '"'])('are none for %j', async typed => {
    expect(await suggest(typed)).toMatchObject({ terms: [], correction: null })
  })
})

describe('lists', () => {
  it('take a filter with several values of one field and of several fields, in pages and connections alike', async () => {
    const filter = { weightClass: ['DK', 'WORSTED'], fibre: ['MERINO'], inStock: true }
    const { total, items } = await list({ filter })
    expect(total).toBeGreaterThan(1)
    const { productsConnection, topRatedProducts } = await ask(
      shop,
      null,
      'query($filter: ProductFilter) { productsConnection(first: 100, filter: $filter) { edges { node { id } } } topRatedProducts(filter: $filter) { total } }',
      { filter },
    )
    expect(productsConnection.edges.slice(0, 12).map(({ node }) => node.id)).toEqual(items.map(({ id }) => id))
    expect(productsConnection.edges).toHaveLength(total)
    expect(topRatedProducts.total).toBe(total)
  })

  it('put what has no length last when sorted by the price of 100 metres, both ways', async () => {
    for (const direction of ['ASC', 'DESC']) {
      const { productsConnection } = await ask(
        shop,
        null,
        'query($sort: ProductSort) { productsConnection(first: 100, sort: $sort) { edges { node { facts { pricePer100m } } } } }',
        { sort: { field: 'PRICE_PER_100_M', direction } },
      )
      const prices = productsConnection.edges.map(({ node }) => node.facts.pricePer100m)
      const known = prices.filter(price => price !== null)
      expect(known.length).toBeGreaterThan(20)
      expect(known).toEqual(known.toSorted((a, b) => (direction === 'ASC' ? a - b : b - a)))
      expect(prices.slice(0, known.length)).toEqual(known)
    }
  })

  it('put first what sold most in paid orders of the last 90 days', async () => {
    const em = shop.em()
    const [few, many, unpaid, old] = [
      await makeProduct(em, { name: 'Sold Few' }),
      await makeProduct(em, { name: 'Sold Many' }),
      await makeProduct(em, { name: 'Sold Unpaid' }),
      await makeProduct(em, { name: 'Sold Long Ago' }),
    ]
    const buyer = await makeUser(em)
    for (const [product, quantity, paidDaysAgo] of [
      [few, 2, 3],
      [many, 5, 80],
      [unpaid, 9, null],
      [old, 9, 91],
    ] as const) {
      const { id } = await placed(shop, buyer, [{ productId: product.id, quantity }])
      if (paidDaysAgo !== null)
        await em.execute(`update orders set paid_at = now() - ? * interval '1 day' where id = ?`, [paidDaysAgo, id])
    }
    await em.execute('update products set sold_last_90_days = 4 where id = ?', [old.id])
    await countSales(shop.em())
    const sort = { field: 'BEST_SELLING' }
    const names = (await list({ keyword: '"sold"', sort })).items.map(({ name }) => name)
    expect(names.filter((name: string) => name.startsWith('Sold ')).slice(0, 2)).toEqual(['Sold Many', 'Sold Few'])
    expect(await countSales(shop.em())).toBe(0)
    const rows = await em.execute(
      'select name, sold_last_90_days as sold from products where id in (?) order by name',
      [[unpaid.id, old.id]],
    )
    expect(rows).toEqual([
      { name: 'Sold Long Ago', sold: 0 },
      { name: 'Sold Unpaid', sold: 0 },
    ])
  })

  it('find one product by its SKU, in capitals or not, and refuse both or neither', async () => {
    const product = await makeProduct(shop.em(), { name: 'By Sku', sku: 'BY-SKU.1' })
    const QUERY = 'query($id: ID, $sku: String) { product(id: $id, sku: $sku) { id } }'
    expect((await ask(shop, null, QUERY, { sku: 'by-sku.1' })).product.id).toBe(product.id)
    expect((await ask(shop, null, QUERY, { sku: 'NONE\u0000' })).product).toBeNull()
    for (const both of [{}, { id: product.id, sku: 'BY-SKU.1' }])
      expect(nth(present((await shop.gql(QUERY, both)).errors), 0).extensions.code).toBe('BAD_USER_INPUT')
  })
})

describe('what people search for', () => {
  const TERMS =
    'query($outcome: SearchOutcome, $days: Int) { searchTerms(days: $days, outcome: $outcome) { total items { words searches hits noHits clicks lastTotal } } }'
  const terms = async (variables: object = {}) => (await ask(shop, admin, TERMS, variables)).searchTerms

  it('is counted by its words, with what came of it', async () => {
    for (const keyword of ['Merino  Lace', 'qqqqzzzz', 'nell@example.com', '+1 555 123 45 67']) await list({ keyword })
    await list({ keyword: 'merino lace', filter: { inStock: true } })
    await ask(shop, null, 'mutation { noteSearchClick(keyword: "MERINO lace") }')
    await ask(shop, null, 'mutation { noteSearchClick(keyword: "nobody searched for this") }')
    // Searches are stored at intervals, perhaps some of them before the others.
    const of = async (asked: string) => (await terms()).items.find(({ words }) => words === asked)
    await expect
      .poll(() => of('merino lace'), { timeout: 30_000, interval: 300 })
      .toMatchObject({ searches: 1, hits: 1, noHits: 0, clicks: 1 })
    await expect.poll(() => of('qqqqzzzz'), { timeout: 30_000, interval: 300 }).toBeDefined()
    const { items } = await terms()
    expect(items.find(({ words }) => words === 'qqqqzzzz')).toMatchObject({ searches: 1, hits: 0, noHits: 1 })
    expect(JSON.stringify(items)).not.toMatch(/@|555|nobody/)
    expect((await terms({ outcome: 'NOT_FOUND' })).items.map(({ words }) => words)).toContain('qqqqzzzz')
    expect((await terms({ outcome: 'FOUND' })).items.map(({ words }) => words)).not.toContain('qqqqzzzz')
  })

  it('adds up over processes and days, and is bounded for one client, between flushes and a day', async () => {
    const em = shop.em()
    const [one, two] = [openSearchLog(), openSearchLog()]
    one.searched('a', 'hap shawl', 3)
    one.searched('a', 'HAP shawl', 3)
    two.searched('b', 'hap shawl', 0)
    for (let n = 0; n < 100; n++) two.searched('greedy', `flood ${n}`, 0)
    await Promise.all([one.flush(em.fork()), two.flush(em.fork())])
    const counted = await em.execute(`select searches, hits from search_terms where words = 'hap shawl'`)
    expect(counted).toEqual([{ searches: 2, hits: 1 }])
    const flood = await em.execute(`select count(*)::int as n from search_terms where words like 'flood %'`)
    expect(flood).toEqual([{ n: 30 }])

    await em.execute(
      `insert into search_terms select (now() at time zone 'UTC')::date, 'full ' || n, 1, 0, 0, 0, now() from generate_series(1, 5000) n`,
    )
    one.searched('c', 'one too many', 1)
    one.searched('c', 'hap shawl', 1)
    await one.flush(em.fork())
    expect(await em.execute(`select 1 from search_terms where words = 'one too many'`)).toEqual([])
    expect(await em.execute(`select searches from search_terms where words = 'hap shawl'`)).toEqual([{ searches: 3 }])
    await em.execute(`delete from search_terms`)
  })

  it.each<[string, string | null]>([
    ['  DK   Yarn ', 'dk yarn'],
    ['US 10.5 150cm', 'us 10.5 150cm'],
    ['me@home', null],
    ['4111 1111 1111 1111', null],
    ['', null],
    ['a\0b', null],
    ['x'.repeat(101), null],
  ])('keeps of %j the words %j', (keyword, words) => {
    expect(keptWords(keyword)).toBe(words)
  })
})

describe('keywords', () => {
  const found = async (keyword: string) => (await list({ keyword })).items.map(({ name }) => name)

  it.each([
    ['burgundy', 'red'],
    ['turquoise', 'teal'],
    ['cerise yarn', 'pink yarn'],
  ])('that name a colour as no product does, such as %s, find what %s finds', async (keyword, family) => {
    const names = await found(keyword)
    expect(names.length).toBeGreaterThan(0)
    expect(new Set(names)).toEqual(new Set(await found(family)))
  })

  it('put the product of that SKU first, what has the word in its name next, and the better rated of those', async () => {
    const made = (name: string, sku: string, ratings: number) =>
      makeProduct(shop.em(), { name, sku, numReviews: 5, ratingSum: 5 * ratings })
    const found = [
      await made('Quoin Lace', 'CORNER-1', 5),
      await made('Quoin Chunky', 'CORNER-2', 3),
      await made('Quoin Sport', 'CORNER-3', 4),
      await made('Corner Stone', 'QUOIN', 1),
    ]
    const { items } = await list({ keyword: 'quoin' })
    expect(items.map(({ id }) => id)).toEqual([3, 0, 2, 1].map(at => nth(found, at).id))
  })

  it('put what is looked for before what it is for', async () => {
    const { items } = await ask(
      shop,
      null,
      '{ products(keyword: "yarn for 4mm needles") { items { facts { kind } } } }',
    ).then(({ products }) => products)
    expect(items.map(({ facts }) => facts.kind)).toEqual(items.map(() => 'YARN'))
  })

  it.each([
    ['4-ply', 'fingering', 'sock'],
    ['8-ply', 'DK', 'double knitting'],
    ['chunky', 'bulky'],
    ['dpn', 'dpns', 'double-pointed'],
    ['BFL', 'bluefaced leicester', 'Blue-faced Leicester'],
    ['US 7', '4.5 mm', '4.5mm', '4,5 mm'],
    ['US 50', '25mm'],
    ['colour', 'color'],
    ['grey', 'gray'],
    ['mercerised', 'mercerized'],
    ['hank', 'skein', 'ball', 'skeins'],
    ['tshirt yarn', 't-shirt yarn coral'],
    ['pom pom', 'pompom', 'pom-pom'],
  ])('say one thing in several ways: %s, %s …', async (...ways) => {
    const [first, ...others] = await Promise.all(ways.map(keyword => list({ keyword })))
    expect(present(first).total).toBeGreaterThan(0)
    for (const { total, items } of others)
      if (total < 12) expect(nth(items, 0).name).toBe(nth(present(first).items, 0).name)
  })

  it('leave a word that resembles a shorter one only by half of its letters as it is', async () => {
    const { correction } = await ask(shop, null, '{ products(keyword: "vegan") { correction { used } } }').then(
      ({ products }) => products,
    )
    expect(correction).toBeNull()
  })

  it('begin a word of the shop, also when they mean the same as another', async () => {
    expect(await found('harbour')).toContainEqual(expect.stringMatching(/^Harbourmaster/))
  })
})

describe('the vocabulary', () => {
  const knows = async (word: string) =>
    (await shop.em().execute('select 1 from search_words where word = ?', [word])).length === 1

  it('forgets words that no product has any more, and no other', async () => {
    const em = shop.em()
    const { id } = await makeProduct(em, { name: 'Quixotry Merinos' })
    const words = async () =>
      (await em.execute<{ word: string }[]>('select word from search_words')).map(({ word }) => word)
    await forgetWords(shop.em())
    const before = await words()
    expect(before).toContain('quixotry')
    await em.execute('update products set archived_at = now() where id = ?', [id])
    await em.transactional(tx => indexProducts(tx, [id]))
    expect(await forgetWords(shop.em())).toBeGreaterThan(0)
    const after = await words()
    expect(after).not.toContain('quixotry')
    expect(after).toEqual(expect.arrayContaining(['merino', 'needles', 'yarn', 'circular']))
    expect(await forgetWords(shop.em())).toBe(0)
  })

  it('keeps a word that a product is getting just now', async () => {
    const { id } = await makeProduct(shop.em(), { name: 'Plain' })
    const em = shop.em()
    await em.execute(`insert into search_words (word) values ('zanzibarine')`)
    await em.transactional(async tx => {
      await tx.execute(`update products set name = 'Zanzibarine' where id = ?`, [id])
      await indexProducts(tx, [id])
      await forgetWords(shop.em())
    })
    expect(await knows('zanzibarine')).toBe(true)
    await forgetWords(shop.em())
    expect(await knows('zanzibarine')).toBe(true)
  })
})

describe('what a keyword was read as', () => {
  const index = new FacetIndex()
  const readBy = (em: EntityManager) => async (keyword: string) => {
    await index.hear(em)
    return index.vocabulary.read(em, keyword)
  }

  it('is kept until the words or the synonyms change, whenever the transaction began that changes them', async () => {
    const em = shop.em()
    const read = readBy(shop.em())
    const before = await read('qwvxkzq')
    expect(before).toMatchObject({ unknown: true })
    expect(await read('qwvxkzq')).toBe(before)
    await em.transactional(async tx => {
      await tx.execute(`insert into search_words (word) values ('qwvxkzq')`)
      expect(await read('qwvxkzq')).toBe(before)
    })
    const after = await read('qwvxkzq')
    expect(after).toMatchObject({ unknown: false })
    expect(await read('qwvxkzq')).toBe(after)
    await em.execute(`delete from search_words where word = 'qwvxkzq'`)
    expect(await read('qwvxkzq')).toMatchObject({ unknown: true })
  })

  it('is not kept any longer because the changes themselves are forgotten', async () => {
    const em = shop.em()
    const read = readBy(shop.em())
    const before = await read('merino')
    await em.execute(
      `insert into vocabulary_changes select n::text::xid8 from generate_series(3, 200) n on conflict do nothing`,
    )
    await forgetWords(em)
    // Others that were made just now may stay: transactions in any database of the server keep them.
    expect(await em.execute(`select 1 from vocabulary_changes where changed_in <= '200'`)).toEqual([])
    expect(await read('merino')).not.toBe(before)
  })
})

describe('synonyms', () => {
  const SAVE =
    'mutation($input: SynonymInput!) { saveSynonym(input: $input) { synonym { id words isBuiltIn } userErrors { code field } } }'
  const DELETE = 'mutation($id: ID!) { deleteSynonym(id: $id) { synonym { id } userErrors { code } } }'
  const save = async (input: object) => (await ask(shop, admin, SAVE, { input })).saveSynonym
  const all = async () => (await ask(shop, admin, '{ synonyms { id words isBuiltIn } }')).synonyms

  it('work from the next search on, until they are taken back', async () => {
    expect((await list({ keyword: 'zzqxwy' })).total).toBe(0)
    const { synonym, userErrors } = await save({ words: ['Zzqxwy', 'merino'] })
    expect([userErrors, synonym.words, synonym.isBuiltIn]).toEqual([[], ['merino', 'zzqxwy'], false])
    expect((await list({ keyword: 'zzqxwy' })).total).toBeGreaterThan(3)
    await ask(shop, admin, DELETE, { id: synonym.id })
    expect((await list({ keyword: 'zzqxwy' })).total).toBe(0)
    expect((await ask(shop, admin, DELETE, { id: synonym.id })).deleteSynonym.userErrors).toEqual([
      { code: 'NOT_FOUND' },
    ])
  })

  it.each<[string, object, string]>([
    ['one way to say it', { words: ['hap'] }, 'INVALID'],
    ['two that are the same to a search', { words: ['4 ply', '4-PLY'] }, 'INVALID'],
    ['no word', { words: ['!', 'hap'] }, 'INVALID'],
    ['six words', { words: ['a b c d e f', 'hap'] }, 'INVALID'],
    ['too many ways', { words: Array.from({ length: 21 }, (_, n) => `way ${n}`) }, 'INVALID'],
    ['one that is not there', { id: '999999', words: ['hap', 'shawl'] }, 'NOT_FOUND'],
    ['one that cannot be there', { id: 'x', words: ['hap', 'shawl'] }, 'NOT_FOUND'],
  ])('refuse %s', async (_what, input, code) => {
    const { synonym, userErrors } = await save(input)
    expect([synonym, nth(userErrors, 0).code]).toEqual([null, code])
  })

  it('of the owner outlive another list that comes with the shop', async () => {
    const built = (await all()).filter(({ isBuiltIn }) => isBuiltIn)
    expect(built).toHaveLength(SYNONYMS.length)
    const own = (await save({ words: ['hap', 'shawl'] })).synonym
    const grey = present(built.find(({ words }) => words.includes('gray')))
    const changed = (await save({ id: grey.id, words: ['grey', 'gray', 'graphite'] })).synonym
    expect(changed.isBuiltIn).toBe(false)
    const taken = present(built.find(({ words }) => words.includes('pullover')))
    await ask(shop, admin, DELETE, { id: taken.id })

    const newer = [...SYNONYMS.filter(([first]) => first !== 'hank'), ['shawlette', 'scarflette']].map(words =>
      words[0] === 'colour' ? [...words, 'tint'] : words,
    )
    await shipMeanings(shop.em(), newer)
    await shipMeanings(shop.em(), newer)
    const now = (await all()).map(({ words }) => words.join())
    expect(now).toContain(own.words.join())
    expect(now).toContain('graphite,gray,grey')
    expect(now).toContain('color,colour,tint')
    expect(now).toContain('scarflette,shawlette')
    expect(now.filter(words => /pullover|hank/.test(words))).toEqual([])
    expect(now).not.toContain('gray,grey')
  })
})
