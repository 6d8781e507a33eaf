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
  const sold = await makeProduct(shop.em(), { description: 'Take 0', countInStock: 40 })
  const path = `/product/${sold.id}/${slugOf(sold.name)}`
  const shownOn = async (page: string) => /Take \d+/.exec(await text(`${path}?${page}`))?.[0]
  let take = 0
  // That the product was made is announced too, perhaps between two pages.
  const isShared = async () => {
    const shown = await shownOn(`first${++take}`)
    await describe(sold.id, `Take ${take}`)
    return (await shownOn(`second${take}`)) === shown
  }
  await expect.poll(isShared).toBe(true)

  // The second page is kept whole, and has to know what it shows from the first.
  await sell(sold)
  for (const page of ['second', 'third']) expect(await shownOn(page + take)).toBe(`Take ${take}`)
})
