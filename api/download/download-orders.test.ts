import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { limits } from '#schema/rules/limits'
import { nth, present } from '#schema/rules/present'
import type { Product } from '../catalog/product.entity.ts'
import { lapseOrders } from '../order/lapse-orders.ts'
import { ask, auditOf, ledgerDifferences, REFUSED } from '../testing/admin.ts'
import { mailsTo } from '../testing/mail.ts'
import {
  approvedPayment,
  bought,
  capturePaypalOrder,
  holdRunsOut,
  line,
  placed,
  placeOrder,
  stockOf,
} from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'

let shop: TestShop
let admin: Account
let nell: Account
beforeAll(async () => {
  shop = await openShop({ mail: { to: 'mailbox' } })
  admin = await makeUser(shop.em(), { isAdmin: true })
  nell = await makeUser(shop.em())
})
afterAll(() => shop?.close())
beforeEach(() => shop.simulator.reset())

const patch = async (id: string, input: object) =>
  (
    await ask(
      shop,
      admin,
      `mutation($id: ID!, $input: ProductPatch!) {
        patchProduct(id: $id, input: $input) { product { isDownload countInStock keptByLot version } ${REFUSED} }
      }`,
      { id, input },
    )
  ).patchProduct

/** A pattern of which nothing is sent. */
async function makePattern(more: Partial<Product> = {}) {
  const product = await makeProduct(shop.em(), { name: 'Rib hat', price: 700, weight: '', countInStock: 1, ...more })
  expect((await patch(product.id, { isDownload: true })).userErrors).toEqual([])
  return product
}

const ORDER = `status isDownload isDelivered sentAt deliveredAt paidAt shippingPrice totalPrice deliveryEstimate { from }
  items { productId isDownload quantity fulfilledQuantity } fulfilments { id }`
const readOrder = async (id: string) =>
  present((await ask(shop, admin, `query($id: ID!) { order(id: $id) { ${ORDER} } }`, { id })).order)

const quote = async (lines: object[]) =>
  (
    await ask(
      shop,
      nell,
      'query($lines: [CartLineInput!]!) { quoteCart(lines: $lines) { itemsPrice shippingPrice lines { quantity } } }',
      { lines },
    )
  ).quoteCart

describe('a product that becomes a download', () => {
  it('never runs out, and its ledger adds up', async () => {
    const pattern = await makePattern()
    expect(await stockOf(shop, pattern.id)).toMatchObject({ left: limits.stock })
    expect((await quote([line(pattern, 5_000)])).lines).toMatchObject([{ quantity: 5_000 }])
    expect(await ledgerDifferences(shop)).toEqual([])
    expect(nth(await auditOf(shop, admin, pattern.id), 0).changes).toEqual(
      expect.arrayContaining([
        { field: 'isDownload', before: 'false', after: 'true' },
        { field: 'countInStock', before: '1', after: String(limits.stock) },
      ]),
    )
  })

  it('has nothing on the shelf once it is none any more, or what was counted', async () => {
    const [one, other] = [await makePattern(), await makePattern()]
    expect((await patch(one.id, { isDownload: false })).product).toMatchObject({ isDownload: false, countInStock: 0 })
    expect((await patch(other.id, { isDownload: false, countInStock: 7 })).product).toMatchObject({ countInStock: 7 })
    expect(await ledgerDifferences(shop)).toEqual([])
  })

  it('has no dye lots', async () => {
    const yarn = await makeProduct(shop.em())
    await patch(yarn.id, { keptByLot: true, lots: [{ code: 'A', quantity: 3 }] })
    const refused = [{ code: 'INVALID', message: 'Products to download cannot have dye lots.' }]
    expect((await patch(yarn.id, { isDownload: true })).userErrors).toMatchObject(refused)
    const pattern = await makePattern()
    const lots = { keptByLot: true, lots: [{ code: 'A', quantity: 3 }] }
    expect((await patch(pattern.id, lots)).userErrors).toMatchObject(refused)
  })

  it('keeps its stock when something else of it is saved', async () => {
    const pattern = await makePattern()
    await placed(shop, nell, [line(pattern, 2)])
    expect((await patch(pattern.id, { isDownload: true, name: 'Rib hat, again' })).product).toMatchObject({
      countInStock: limits.stock - 2,
    })
  })
})

describe('what is downloaded', () => {
  it('adds nothing to shipping, and alone takes none', async () => {
    const [pattern, yarn] = [await makePattern({ weight: '100 g' }), await makeProduct(shop.em(), { price: 1_000 })]
    expect(await quote([line(pattern)])).toMatchObject({ itemsPrice: 700, shippingPrice: 0 })
    const together = await quote([line(pattern), line(yarn)])
    expect(together).toMatchObject({ itemsPrice: 1_700, shippingPrice: (await quote([line(yarn)])).shippingPrice })
    expect(together.shippingPrice).toBeGreaterThan(0)
  })

  it('is delivered once it is paid, without a parcel', async () => {
    const pattern = await makePattern()
    const { id } = await placed(shop, nell, [line(pattern, 2)])
    expect(await readOrder(id)).toMatchObject({
      status: 'UNPAID',
      isDownload: true,
      shippingPrice: 0,
      deliveryEstimate: null,
      items: [{ isDownload: true, quantity: 2, fulfilledQuantity: 2 }],
    })
    const { order } = await capturePaypalOrder(shop, nell, id, await approvedPayment(shop, nell, id))
    // What who has paid is answered at once, too.
    expect(order).toMatchObject({ status: 'DELIVERED', isDelivered: true })
    const paid = await readOrder(id)
    expect(paid).toMatchObject({ status: 'DELIVERED', isDelivered: true, fulfilments: [] })
    expect([paid.sentAt, paid.deliveredAt]).toEqual([paid.paidAt, paid.paidAt])
  })

  it('is delivered, too, once the shop took the money itself, or the hold had run out', async () => {
    const pattern = await makePattern()
    const [atCounter, late] = [await placed(shop, nell, [line(pattern)]), await placed(shop, nell, [line(pattern)])]
    await ask(
      shop,
      admin,
      'mutation($orderId: ID!) { recordPayment(orderId: $orderId, method: CASH) { userErrors { code } } }',
      { orderId: atCounter.id },
    )
    expect(await readOrder(atCounter.id)).toMatchObject({ status: 'DELIVERED' })
    const payment = await approvedPayment(shop, nell, late.id)
    await holdRunsOut(shop, late.id)
    await lapseOrders(shop.em())
    expect(await readOrder(late.id)).toMatchObject({ status: 'LAPSED' })
    await capturePaypalOrder(shop, nell, late.id, payment)
    expect(await readOrder(late.id)).toMatchObject({ status: 'DELIVERED' })
    expect(await ledgerDifferences(shop)).toEqual([])
  })

  it('waits for no parcel, while the yarn it was ordered with does', async () => {
    const [pattern, yarn] = [await makePattern(), await makeProduct(shop.em())]
    const { id } = await bought(shop, nell, [line(pattern), line(yarn, 2)])
    expect(await readOrder(id)).toMatchObject({ status: 'PAID', isDownload: false })
    const { fulfilOrder } = await ask(
      shop,
      admin,
      `mutation($id: ID!) {
        fulfilOrder(id: $id) { fulfilment { lines { item { productId } quantity } } userErrors { code } }
      }`,
      { id },
    )
    expect(fulfilOrder).toMatchObject({
      fulfilment: { lines: [{ item: { productId: yarn.id }, quantity: 2 }] },
      userErrors: [],
    })
    expect(await readOrder(id)).toMatchObject({ status: 'SENT' })
  })

  it('is sent when it was bought before it became a download', async () => {
    const product = await makeProduct(shop.em())
    const { id } = await placed(shop, nell, [line(product)])
    await patch(product.id, { isDownload: true })
    await capturePaypalOrder(shop, nell, id, await approvedPayment(shop, nell, id))
    expect(await readOrder(id)).toMatchObject({ status: 'PAID', isDownload: false, items: [{ isDownload: false }] })
  })

  it('goes back on the shelf of what can be bought when nobody pays', async () => {
    const pattern = await makePattern()
    const { id } = await placed(shop, nell, [line(pattern, 3)])
    expect(await stockOf(shop, pattern.id)).toMatchObject({ left: limits.stock - 3 })
    await holdRunsOut(shop, id)
    await lapseOrders(shop.em())
    expect(await stockOf(shop, pattern.id)).toMatchObject({ left: limits.stock })
  })

  it('is not spoken of as yarn in a parcel', async () => {
    const pattern = await makePattern()
    const buyer = await makeUser(shop.em(), { email: 'pattern-alone@example.com' })
    await bought(shop, buyer, [line(pattern)])
    for (const { text } of await mailsTo(shop, 'pattern-alone@example.com', 2)) {
      expect(text).not.toMatch(/yarn|packing|Shipping|Goes to|Estimated delivery/)
    }
  })

  it('can be bought by the hundred, whatever one account may hold', async () => {
    const pattern = await makePattern()
    expect((await placeOrder(shop, nell, [line(pattern, 100)])).userErrors).toEqual([])
  })
})
