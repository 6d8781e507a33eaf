import { afterAll, beforeAll, expect, it } from 'vitest'
import { line, placed, stockOf, type Line } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type TestShop } from '../testing/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop?.close())

const PRICES = 'itemsPrice shippingPrice taxPrice totalPrice'
const quote = (lines: Line[]) =>
  shop.gql(
    `query($lines: [CartLineInput!]!) { quoteCart(lines: $lines) { ${PRICES} lines { productId quantity product { id price } } } }`,
    { lines },
  )

it('says what placing the order would cost, to a visitor too, and reserves nothing', async () => {
  const yarn = await makeProduct(shop.em(), { price: 1999 })
  const { data } = await quote([line(yarn, 2)])
  expect(data.quoteCart.lines).toEqual([{ productId: yarn.id, quantity: 2, product: { id: yarn.id, price: 1999 } }])
  expect((await stockOf(shop, yarn.id)).left).toBe(10)
  const { itemsPrice, shippingPrice, taxPrice, totalPrice } = await placed(shop, await makeUser(shop.em()), [
    line(yarn, 2),
  ])
  expect(data.quoteCart).toMatchObject({ itemsPrice, shippingPrice, taxPrice, totalPrice })
})

it('prices what is left of a line', async () => {
  const [few, gone] = [
    await makeProduct(shop.em(), { price: 1000, countInStock: 2 }),
    await makeProduct(shop.em(), { countInStock: 0 }),
  ]
  const { data } = await quote([line(few, 5), line(gone)])
  expect(data.quoteCart).toMatchObject({
    itemsPrice: 2000,
    lines: [{ quantity: 2 }, { quantity: 0, product: { id: gone.id } }],
  })
})

it('has no product for a draft, an archived one or an id that names nothing', async () => {
  const draft = await makeProduct(shop.em(), { publishedAt: null })
  const archived = await makeProduct(shop.em(), { archivedAt: new Date() })
  const ids = [draft.id, archived.id, '0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c', 'abc']
  const { data } = await quote(ids.map(productId => ({ productId, quantity: 1 })))
  expect(data.quoteCart).toEqual({
    itemsPrice: 0,
    shippingPrice: 0,
    taxPrice: 0,
    totalPrice: 0,
    lines: ids.map(productId => ({ productId, quantity: 0, product: null })),
  })
})

it('of nothing is nothing', async () => {
  expect((await quote([])).data.quoteCart).toEqual({
    itemsPrice: 0,
    shippingPrice: 0,
    taxPrice: 0,
    totalPrice: 0,
    lines: [],
  })
})

it.each([0, -1, 1_000_001])('refuses a quantity of %i as the caller’s mistake', async quantity => {
  const { status, errors } = await quote([line(await makeProduct(shop.em()), quantity)])
  expect(status).toBe(400)
  expect(errors).toMatchObject([
    { message: expect.stringContaining('Quantity'), extensions: { code: 'BAD_USER_INPUT' } },
  ])
})
