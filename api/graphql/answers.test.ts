import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeProduct, makeUser, openShop, type TestShop } from '../testing/shop.ts'

let shop: TestShop
beforeAll(async () => { shop = await openShop({ keepAnswersMs: 60_000 }) })
afterAll(() => shop?.close())

const PRICE = 'query ($id: ID!) { product(id: $id) { price viewerReview { id } } }'
const price = async (id: string, identity: { token: string } | null = null) => (await shop.gql(PRICE, { id }, identity)).data.product.price
const behindItsBack = (id: string, cents: number) => shop.em().execute('update products set price = ? where id = ?', [cents, id])

it('serves one answer to all visitors who ask the same, and asks again for those who are signed in', async () => {
  const { id } = await makeProduct(shop.em(), { price: 1000 })
  const shopper = await makeUser(shop.em())
  expect(await price(id)).toBe(1000)
  await behindItsBack(id, 2000)
  expect(await price(id)).toBe(1000)
  expect(await price(id, shopper)).toBe(2000)
})

it('forgets every answer before the answer to a change goes out', async () => {
  const em = shop.em()
  const { id } = await makeProduct(em, { price: 1000 })
  const admin = await makeUser(em, { isAdmin: true })
  expect(await price(id)).toBe(1000)
  await shop.gql('mutation ($id: ID!) { patchProduct(id: $id, input: { price: 3000 }) { userErrors { message } } }', { id }, admin)
  expect(await price(id)).toBe(3000)

  await behindItsBack(id, 4000)
  expect(await price(id)).toBe(3000)
  await fetch(`${shop.url}/api/users/logout`, { method: 'POST' })
  expect(await price(id)).toBe(4000)
})

it('does not keep refusals, nor an answer for other variables', async () => {
  const { id } = await makeProduct(shop.em(), { price: 1500 })
  expect((await shop.gql(PRICE, {})).status).toBe(400)
  expect(await price(id)).toBe(1500)
  expect((await shop.gql(PRICE, { id: 'none' })).data.product).toBeNull()
})
