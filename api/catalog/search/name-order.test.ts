import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nth } from '#schema/rules/present'
import { makeProduct, openShop, type TestShop } from '../../testing/shop.ts'
import type { ProductFilter } from '../../generated/types.ts'
import { connectionOfRows, type Key } from '../../query/connection.ts'
import { connectProducts } from '../connect-products.ts'
import { ON_SALE } from '../list-products.ts'
import { FacetIndex } from './facet-index.ts'
import { filterConditions } from './product-filter.ts'

let shop: TestShop
const indexes = [new FacetIndex(), new FacetIndex()]
beforeAll(async () => {
  shop = await openShop()
  for (let number = 0; number < 60; number++) await makeProduct(shop.em(), { name: `Yarn ${number}` })
})
afterAll(() => shop?.close())

const places = (rows: { place: number }[]) => rows.map(({ place }) => place)

async function expectNamesInOrder(index: FacetIndex) {
  const em = shop.em()
  const all = places(
    await em.execute(
      'select place from products where published_at is not null and archived_at is null order by lower(name), id',
    ),
  )
  await index.hear(em)
  const holding = await index.holding(em, null, {})
  await index.sortNames(em)
  for (const [offset, limit] of [
    [0, 9_000],
    [7, 20],
  ] as const) {
    expect(holding.part('NAME', { descending: false, offset, limit })).toEqual(all.slice(offset, offset + limit))
    expect(holding.part('NAME', { descending: true, offset, limit })).toEqual(
      all.toReversed().slice(offset, offset + limit),
    )
  }
}

const SHAPES = [{}, { first: 3 }, { last: 3 }, { first: 100 }, { last: 100 }] as const

interface Part {
  filter: ProductFilter
  direction: 'ASC' | 'DESC'
  shape: (typeof SHAPES)[number]
  after: Key | null
  before: Key | null
}

/** A connection by name says what plain SQL does, of any part between any two cursors, also of what is in it no more. */
async function expectPartAsSql(index: FacetIndex, { filter, direction, shape, after, before }: Part) {
  const em = shop.em()
  const order = direction === 'ASC' ? 'asc' : 'desc'
  const cursorOf = (key: Key | null) =>
    key && Buffer.from(JSON.stringify([`lower(name) ${order}`, key.value, key.id])).toString('base64url')
  const range = { ...shape, after: cursorOf(after), before: cursorOf(before) }
  const sort = { field: 'NAME', direction } as const
  const { countAll, ...part } = await connectProducts(em, index, filter, sort, range)
  const plain = await connectionOfRows<{ id: string; name: string }>(
    em,
    {
      table: 'products',
      where: [[ON_SALE], ...filterConditions(filter)],
      by: ['lower(name)', 'text'],
      direction: order,
    },
    range,
  )
  expect({
    edges: part.edges.map(({ cursor, node: { id, name } }) => ({ cursor, id, name })),
    pageInfo: part.pageInfo,
  }).toEqual({
    edges: plain.edges.map(({ cursor, node: { id, name } }) => ({ cursor, id, name })),
    pageInfo: plain.pageInfo,
  })
  for (const most of [undefined, 7]) expect(await countAll(most)).toBe(await plain.countAll(most))
}

const WORDS = [
  'Ängora',
  'alpaca',
  'Alpaca',
  'ALPACA-silk',
  'alpaca silk',
  'Merino',
  'merino 2',
  'merino 10',
  'zephyr',
  '"Aran"',
]

describe('products by name', () => {
  it('stand as the database sorts them, through whatever changes, in every process', async () => {
    const em = shop.em()
    const ids = (await em.execute<{ id: string }[]>('select id from products order by id')).map(({ id }) => id)
    const change = fc.record({
      at: fc.nat(ids.length - 1),
      name: fc.constantFrom(...WORDS),
      kind: fc.constantFrom('rename', 'rename', 'archive', 'restore', 'sell', 'add'),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 30 }),
        fc.subarray(indexes, { minLength: 1 }),
        async (changes, looking) => {
          for (const { at, name, kind } of changes) {
            if (kind === 'add') await makeProduct(em, { name })
            else if (kind === 'rename') await em.execute('update products set name = ? where id = ?', [name, ids[at]])
            else if (kind === 'sell') await em.execute('update products set price = price + 1 where id = ?', [ids[at]])
            else
              await em.execute(
                `update products set archived_at = ${kind === 'archive' ? 'now()' : 'null'} where id = ?`,
                [ids[at]],
              )
          }
          for (const index of looking) await expectNamesInOrder(index)
        },
      ),
      { numRuns: 40 },
    )
    for (const index of indexes) await expectNamesInOrder(index)
  })

  it('are parts of connections as PostgreSQL makes them, whatever changes and wherever cursors come from', async () => {
    const em = shop.em()
    const ids = (await em.execute<{ id: string }[]>('select id from products order by id')).map(({ id }) => id)
    const key = fc.record({
      value: fc.constantFrom('', ...WORDS.map(word => word.toLowerCase()), 'yarn 31', 'zzz'),
      id: fc.constantFrom(...ids),
    })
    const change = fc.record({
      at: fc.nat(ids.length - 1),
      set: fc.constantFrom(
        ...WORDS.map(word => `name = '${word}'`),
        'archived_at = now()',
        'archived_at = null',
        'published_at = null',
        'published_at = now()',
        `category = 'Lace'`,
        'price = 5000',
      ),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 10 }),
        fc.record<Part>({
          filter: fc.constantFrom({ priceFrom: 1 }, { category: 'Lace' }, { priceFrom: 5_000, inStock: true }),
          direction: fc.constantFrom('ASC', 'DESC'),
          shape: fc.constantFrom(...SHAPES),
          after: fc.option(key),
          before: fc.option(key),
        }),
        fc.constantFrom(...indexes),
        async (changes, part, index) => {
          for (const { at, set } of changes) await em.execute(`update products set ${set} where id = ?`, [ids[at]])
          await expectPartAsSql(index, part)
        },
      ),
      { numRuns: 150 },
    )
  })

  it('stand right when only a sign or a capital of a name changes', async () => {
    const one = await makeProduct(shop.em(), { name: 'lace-weight' })
    await makeProduct(shop.em(), { name: 'lace weight b' })
    await expectNamesInOrder(nth(indexes, 0))
    for (const name of ['lace weight', 'LACE_weight', 'lace  weight']) {
      await shop.em().execute('update products set name = ? where id = ?', [name, one.id])
      await expectNamesInOrder(nth(indexes, 0))
    }
  })

  it('find room for a hundred that are added one after the other in one gap, from either end', async () => {
    const index = nth(indexes, 0)
    for (let number = 0; number < 50; number++) {
      await makeProduct(shop.em(), { name: `mohair a${100 + number}` })
      await makeProduct(shop.em(), { name: `mohair z${900 - number}` })
      await index.hear(shop.em())
      await index.sortNames(shop.em())
    }
    await expectNamesInOrder(index)
  })

  it('are not put behind one that has moved since it was last heard of', async () => {
    const index = nth(indexes, 0)
    const em = shop.em()
    const [one] = [await makeProduct(em, { name: 'quill 1' }), await makeProduct(em, { name: 'quill 2' })]
    await expectNamesInOrder(index)
    await makeProduct(em, { name: 'quill 9' })
    await index.hear(em)
    // It stands before quill 9 now, with a number from before quill 2.
    await em.execute(`update products set name = 'quill 4' where id = ?`, [one.id])
    await index.sortNames(em)
    await expectNamesInOrder(index)
  })

  it('are read again when very many have changed', async () => {
    await shop.em().execute(`update products set name = 'b' || md5(name) where name like 'Yarn %'`)
    for (let from = 0; from < 6_000; from += 500)
      await shop.em().execute(
        `insert into products (id, name, image, description, weight, length, gauge, knitting_needle, crochet_hook, recommended_care, content, category, price, count_in_stock, created_at, published_at)
         select gen_random_uuid(), 'import ' || md5(n::text), image, description, weight, length, gauge, knitting_needle, crochet_hook, recommended_care, content, category, price, 0, now(), now()
         from generate_series(?::int, ?::int) n, (select * from products limit 1) p`,
        [from + 1, from + 500],
      )
    for (const index of indexes) await expectNamesInOrder(index)
    // More than are best sorted by themselves.
    const after = { value: 'import 8', id: '00000000-0000-0000-0000-000000000000' }
    for (const direction of ['ASC', 'DESC'] as const)
      for (const shape of SHAPES)
        await expectPartAsSql(nth(indexes, 0), { filter: { priceFrom: 1 }, direction, shape, after, before: null })
  })
})
