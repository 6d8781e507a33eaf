import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nth } from '#schema/rules/present'
import { makeProduct, openShop, type TestShop } from '../../testing/shop.ts'
import { FacetIndex } from './facet-index.ts'

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
    await shop.em().execute(
      `insert into products (id, name, image, description, weight, length, gauge, knitting_needle, crochet_hook, recommended_care, content, category, price, count_in_stock, created_at, published_at)
       select gen_random_uuid(), 'import ' || md5(n::text), image, description, weight, length, gauge, knitting_needle, crochet_hook, recommended_care, content, category, price, 0, now(), now()
       from generate_series(1, 6000) n, (select * from products limit 1) p`,
    )
    for (const index of indexes) await expectNamesInOrder(index)
  })
})
