import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeProduct, makeUser, openShop, type TestShop } from '../testing/shop.ts'

let shop: TestShop
beforeAll(async () => { shop = await openShop() })
afterAll(() => shop?.close())

it('smoke', async () => {
  const em = shop.em()
  const buyer = await makeUser(em)
  const product = await makeProduct(em, { price: 2400 })
  const r = await shop.gql(`query($k:String){ products(keyword:$k) { total items { id name price countInStock rating reviews { total items { comment } } } } shop { pricingPolicy { shippingRate } } viewer { name } }`, {k:'yarn'}, buyer)
  console.log(JSON.stringify(r))
  const o = await shop.gql(`mutation($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id reference status totalPrice items { name quantity } user { name } heldUntil } userErrors { code message field available } quote { totalPrice } } }`,
   { input: { lines: [{ productId: product.id, quantity: 2 }], shippingAddress: { name: 'A', country: 'US' } } }, buyer)
  console.log(JSON.stringify(o))
  expect(o.data.placeOrder.userErrors).toEqual([])
})
