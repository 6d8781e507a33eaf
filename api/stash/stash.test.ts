import { afterAll, beforeAll, expect, it } from 'vitest'
import { limits } from '#schema/rules/limits'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop?.close())

const change = async (what: 'addToStash' | 'removeFromStash', productId: string, who: Account | null) => {
  const { data, errors } = await shop.gql(
    `mutation ($id: ID!) { done: ${what}(productId: $id) { item { product { id } } userErrors { code } } }`,
    { id: productId },
    who,
  )
  return data?.done ?? errors
}
const stash = async (who: Account | null) => {
  const { data, errors } = await shop.gql('{ stash { id productId addedAt } }', {}, who)
  return errors ?? data.stash.map(({ productId }) => productId)
}

it('holds what its owner put there, newest first, and nobody else’s', async () => {
  const em = shop.em()
  const [nell, rowan] = [await makeUser(em), await makeUser(em)]
  const [moss, slate] = [await makeProduct(em), await makeProduct(em, { countInStock: 0 })]
  expect(await change('addToStash', moss.id, nell)).toEqual({ item: { product: { id: moss.id } }, userErrors: [] })
  await change('addToStash', slate.id, nell)
  expect(await stash(nell)).toEqual([slate.id, moss.id])
  expect(await stash(rowan)).toEqual([])
  expect(await change('removeFromStash', moss.id, rowan)).toEqual({ item: null, userErrors: [] })
  expect(await stash(nell)).toEqual([slate.id, moss.id])
  expect(await change('removeFromStash', slate.id, nell)).toEqual({ item: null, userErrors: [] })
  expect(await stash(nell)).toEqual([moss.id])
})

it('holds a product once, however many ask for it at a time', async () => {
  const em = shop.em()
  const [nell, moss] = [await makeUser(em), await makeProduct(em)]
  const answers = await Promise.all(Array.from({ length: 8 }, () => change('addToStash', moss.id, nell)))
  expect(answers.map(({ userErrors }) => userErrors)).toEqual(Array.from({ length: 8 }, () => []))
  expect(await stash(nell)).toEqual([moss.id])
})

it('takes in nothing that is not sold, and says of what it holds when it is not sold any more', async () => {
  const em = shop.em()
  const nell = await makeUser(em)
  const [moss, slate, draft] = [
    await makeProduct(em),
    await makeProduct(em, { countInStock: 0 }),
    await makeProduct(em, { publishedAt: null }),
  ]
  for (const id of [draft.id, 'abc', '0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c', '\0'])
    expect(await change('addToStash', id, nell)).toEqual({ item: null, userErrors: [{ code: 'NOT_FOUND' }] })
  for (const { id } of [moss, slate]) await change('addToStash', id, nell)
  await em.execute('update products set archived_at = now() where id = ?', [moss.id])
  const { data } = await shop.gql('{ stash { name isDiscontinued product { id countInStock } } }', {}, nell)
  expect(data.stash).toEqual([
    { name: slate.name, isDiscontinued: false, product: { id: slate.id, countInStock: 0 } },
    { name: moss.name, isDiscontinued: true, product: null },
  ])
  expect(await change('removeFromStash', moss.id, nell)).toEqual({ item: null, userErrors: [] })
  expect(await change('removeFromStash', 'abc', nell)).toEqual({ item: null, userErrors: [{ code: 'NOT_FOUND' }] })
  expect(await stash(nell)).toEqual([slate.id])
})

it('is full at some point, for many who fill it at once too', async () => {
  const em = shop.em()
  const [nell, ...yarns] = [await makeUser(em), await makeProduct(em), await makeProduct(em), await makeProduct(em)]
  await em.execute(
    `with made as (
       insert into products (id, sku, name, image, description, weight, length, gauge, knitting_needle, crochet_hook, recommended_care, content, category, price, count_in_stock, created_at, published_at)
       select gen_random_uuid(), 'STASH-' || n, 'Yarn', '', '', '', '', '', '', '', '', '', 'DK', 100, 1, now(), now() from generate_series(1, ?) n returning id)
     insert into stash_items (id, user_id, product_id, added_at) select gen_random_uuid(), ?, id, now() from made`,
    [limits.stash - 1, nell.id],
  )
  const answers = await Promise.all(yarns.map(({ id }) => change('addToStash', id, nell)))
  expect(answers.flatMap(({ userErrors }) => userErrors)).toEqual([{ code: 'STASH_FULL' }, { code: 'STASH_FULL' }])
  expect(await stash(nell)).toHaveLength(limits.stash)
})

it('is for those who are signed in', async () => {
  const moss = await makeProduct(shop.em())
  expect(await stash(null)).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
  expect(await change('addToStash', moss.id, null)).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
  expect(await change('removeFromStash', moss.id, null)).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
})
