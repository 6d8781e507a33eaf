import { afterAll, beforeAll, expect, it } from 'vitest'
import { slugOf } from '#schema/rules/slug'
import { line, placed } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type TestShop } from '../testing/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ keepAnswersMs: 600_000 })
})
afterAll(() => shop?.close())

const text = async (path: string) => (await fetch(shop.url + path)).text()
const describe = (id: string, description: string) =>
  shop.em().execute('update products set description = ? where id = ?', [description, id])
const sell = async (product: { id: string }) => placed(shop, await makeUser(shop.em()), [line(product)])

it('is shared by pages until what it shows is sold', async () => {
  const sold = await makeProduct(shop.em(), { description: 'As it was', countInStock: 40 })
  const path = `/product/${sold.id}/${slugOf(sold.name)}`
  expect(await text(`${path}?first`)).toContain('As it was')
  await describe(sold.id, 'As it is')
  expect(await text(`${path}?second`)).toContain('As it was')

  // The second page is kept whole, and has to know what it shows from the first.
  await sell(sold)
  for (const page of ['second', 'third']) expect(await text(`${path}?${page}`)).toContain('As it is')
})
