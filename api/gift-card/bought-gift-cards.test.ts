import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { nth, present } from '#schema/rules/present'
import { lapseOrders } from '../order/lapse-orders.ts'
import { ask, REFUSED } from '../testing/admin.ts'
import { brokenInvariants } from '../testing/faults/invariants.ts'
import { mailsTo } from '../testing/mail.ts'
import {
  approvedPayment,
  bought,
  captures,
  capturePaypalOrder,
  holdRunsOut,
  line,
  placeOrder,
  placed,
  type Line,
} from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop({ mail: { to: 'mailbox' } })
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())
afterEach(async () => {
  shop.simulator.reset()
  // Whatever a test did, every cent is where it should be.
  const sql = <R>(query: string) => shop.em().execute<R[]>(query)
  expect((await brokenInvariants(sql, '/nowhere')).filter(each => /^I[123] /.test(each))).toEqual([])
})

const buyer = () => makeUser(shop.em())
const giftCard = (price = 5000) =>
  makeProduct(shop.em(), {
    price,
    countInStock: 1_000_000,
    isDownload: true,
    isGiftCard: true,
    weight: '',
    category: 'Gift cards',
  })
/** Alone it comes to $29.10 with shipping and tax. */
const yarn = () => makeProduct(shop.em(), { price: 2400 })

const readOrder = async (id: string, reader: Account | null) =>
  (
    await shop.gql(
      `query($id: ID!) { order(id: $id) {
        status isPaid isDownload itemsPrice discount shippingPrice taxPrice includedTax totalPrice giftCardsSold
        boughtGiftCards { code amount balance } incidents { code message } } }`,
      { id },
      reader,
    )
  ).data.order
/** As its buyer reads it, who is not told of incidents. */
const cardsOf = async (id: string, reader: Account) =>
  (await shop.gql('query($id: ID!) { order(id: $id) { boughtGiftCards { code amount balance } } }', { id }, reader))
    .data.order.boughtGiftCards as { code: string; amount: number; balance: number }[]

const quote = async (lines: Line[], more: object = {}) =>
  (
    await shop.gql(
      `query($lines: [CartLineInput!]!, $code: String, $giftCards: [String!]) { quoteCart(lines: $lines, code: $code, giftCards: $giftCards) {
        itemsPrice discount shippingPrice taxPrice totalPrice userErrors { code message field } } }`,
      { lines, ...more },
    )
  ).data.quoteCart

async function refund(orderId: string, amount: number) {
  const { refundOrder } = await ask(
    shop,
    admin,
    `mutation($orderId: ID!, $amount: Cents, $key: String!) { refundOrder(orderId: $orderId, amount: $amount, idempotencyKey: $key) { order { isRefunded } ${REFUSED} } }`,
    { orderId, amount, key: `refund-${orderId}-${amount}` },
  )
  expect(refundOrder.userErrors).toEqual([])
}

describe('a gift card that is bought', () => {
  it('is its buyer’s once it is paid: one over its price for each, on the order’s page and by letter', async () => {
    const [nell, gift] = [await buyer(), await giftCard()]
    const waiting = await placed(shop, nell, [line(gift, 2)])
    expect(await cardsOf(waiting.id, nell)).toEqual([])
    await capturePaypalOrder(shop, nell, waiting.id, await approvedPayment(shop, nell, waiting.id))
    const cards = await cardsOf(waiting.id, nell)
    expect(cards).toEqual([
      { code: expect.stringMatching(/^([A-Z2-9]{4}-){3}[A-Z2-9]{4}$/), amount: 5000, balance: 5000 },
      { code: expect.stringMatching(/^([A-Z2-9]{4}-){3}[A-Z2-9]{4}$/), amount: 5000, balance: 5000 },
    ])
    // The order was received, it is paid, and a letter for each card.
    const letters = (await mailsTo(shop, nell.user.email, 4)).filter(
      ({ subject }) => subject === 'Your gift card over $50.00',
    )
    expect(letters).toHaveLength(2)
    for (const { code } of cards) expect(letters.map(({ text }) => text).join()).toContain(code)
  })

  it('pays for yarn like any other, and says what is left on it', async () => {
    const [nell, ada, gift, wool] = [await buyer(), await buyer(), await giftCard(), await yarn()]
    const { id } = await bought(shop, nell, [line(gift)])
    const { code } = nth(await cardsOf(id, nell), 0)
    const { order } = await placeOrder(shop, ada, [line(wool)], { giftCards: [code], expectedDue: 0 })
    expect(order).toMatchObject({ isPaid: true })
    expect(await cardsOf(id, nell)).toEqual([{ code, amount: 5000, balance: 5000 - 2910 }])
  })

  it('may be paid with another one', async () => {
    const [nell, gift] = [await buyer(), await giftCard()]
    const { id } = await bought(shop, nell, [line(gift)])
    const { code } = nth(await cardsOf(id, nell), 0)
    const before = captures(shop)
    const { order } = await placeOrder(shop, nell, [line(gift)], { giftCards: [code] })
    expect(await cardsOf(order.id, nell)).toMatchObject([{ amount: 5000, balance: 5000 }])
    expect(await cardsOf(id, nell)).toMatchObject([{ balance: 0 }])
    expect(captures(shop)).toBe(before)
  })

  it('is the shop’s to sell over the counter: paid in cash, it is mailed', async () => {
    const [nell, gift] = [await buyer(), await giftCard()]
    const { id } = await placed(shop, nell, [line(gift)])
    await ask(shop, admin, `mutation($id: ID!) { recordPayment(orderId: $id, method: CASH) { ${REFUSED} } }`, { id })
    expect(await cardsOf(id, nell)).toHaveLength(1)
  })

  it('is told to its buyer alone, not to those who run the shop', async () => {
    const [nell, gift] = [await buyer(), await giftCard()]
    const { id } = await bought(shop, nell, [line(gift)])
    expect(await readOrder(id, admin)).toMatchObject({ isPaid: true, giftCardsSold: 5000, boughtGiftCards: [] })
    const { items } = (
      await ask(
        shop,
        admin,
        'query($search: String) { giftCards(search: $search) { items { initialAmount order { id } } } }',
        {
          search: nell.user.email,
        },
      )
    ).giftCards
    expect(items).toEqual([{ initialAmount: 5000, order: { id } }])
  })

  it('is made once, however often its payment is reported', async () => {
    const [nell, gift] = [await buyer(), await giftCard()]
    const order = await placed(shop, nell, [line(gift)])
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    await Promise.all(Array.from({ length: 6 }, () => capturePaypalOrder(shop, nell, order.id, paypalOrderId)))
    expect(await cardsOf(order.id, nell)).toHaveLength(1)
  })

  it('is made when an order that lapsed is paid after all', async () => {
    const [nell, gift] = [await buyer(), await giftCard()]
    const { id } = await placed(shop, nell, [line(gift)])
    await holdRunsOut(shop, id)
    await lapseOrders(shop.em())
    await capturePaypalOrder(shop, nell, id, await approvedPayment(shop, nell, id))
    expect(await cardsOf(id, nell)).toHaveLength(1)
  })

  it('is not made for who paid a part of it with a card that was spent elsewhere, and the owner is told', async () => {
    const [nell, ada, gift, wool] = [await buyer(), await buyer(), await giftCard(), await yarn()]
    const first = await bought(shop, nell, [line(await giftCard(2910))])
    const { code } = nth(await cardsOf(first.id, nell), 0)
    const { order } = await placeOrder(shop, nell, [line(gift)], { giftCards: [code] })
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    await holdRunsOut(shop, order.id)
    await lapseOrders(shop.em())
    await placeOrder(shop, ada, [line(wool)], { giftCards: [code] })
    await capturePaypalOrder(shop, nell, order.id, paypalOrderId)
    const after = await readOrder(order.id, admin)
    expect(after).toMatchObject({ isPaid: true, incidents: [{ code: 'PAID_WITHOUT_GIFT_CARD' }] })
    expect(nth(after.incidents as { message: string }[], 0).message).toMatch(/were not made\.$/)
    expect(await cardsOf(order.id, nell)).toEqual([])
  })
})

describe('an order of gift cards', () => {
  it('is not sent, not taxed, and done once it is paid', async () => {
    const [nell, gift] = [await buyer(), await giftCard()]
    const { id } = await bought(shop, nell, [line(gift)])
    expect(await readOrder(id, admin)).toMatchObject({
      status: 'DELIVERED',
      isDownload: true,
      itemsPrice: 5000,
      shippingPrice: 0,
      taxPrice: 0,
      totalPrice: 5000,
    })
  })

  it('and yarn is taxed and sent as the yarn alone would be', async () => {
    const [gift, wool] = [await giftCard(20_000), await yarn()]
    const alone = await quote([line(wool)])
    const both = await quote([line(wool), line(gift)])
    expect(both).toEqual({ ...alone, itemsPrice: alone.itemsPrice + 20_000, totalPrice: alone.totalPrice + 20_000 })
  })

  it('and yarn gives what was paid for the yarn, with its tax, when the yarn comes back', async () => {
    const [nell, gift, wool] = [await buyer(), await giftCard(), await yarn()]
    const { id } = await bought(shop, nell, [line(wool), line(gift)])
    const { fulfilOrder } = await ask(
      shop,
      admin,
      'mutation($id: ID!) { fulfilOrder(id: $id) { fulfilment { id lines { quantity } } } }',
      { id },
    )
    expect(fulfilOrder.fulfilment.lines).toEqual([{ quantity: 1 }])
    const { returnFulfilment } = await ask(
      shop,
      admin,
      // The invariants of stock know nothing of what is put back on the shelf.
      'mutation($id: ID!, $lines: [ReturnLineInput!]) { returnFulfilment(id: $id, lines: $lines) { returned { value } } }',
      { id: fulfilOrder.fulfilment.id, lines: [{ productId: wool.id, quantity: 1, isRestocked: false }] },
    )
    expect(returnFulfilment.returned).toEqual({ value: 2400 + 360 })
  })

  it('gets nothing off by a code, which is for the yarn beside it', async () => {
    const [gift, wool] = [await giftCard(), await yarn()]
    const { createDiscountCode } = await ask(
      shop,
      admin,
      `mutation($input: DiscountCodeInput!) { createDiscountCode(input: $input) { ${REFUSED} } }`,
      { input: { code: 'HALF', kind: 'PERCENT', basisPoints: 5000 } },
    )
    expect(createDiscountCode.userErrors).toEqual([])
    expect(await quote([line(gift)], { code: 'HALF' })).toMatchObject({
      discount: 0,
      userErrors: [{ code: 'CODE_NOT_FOR_THESE' }],
    })
    expect(await quote([line(gift), line(wool)], { code: 'HALF' })).toMatchObject({ discount: 1200, userErrors: [] })
  })

  it('can be for fifty of them, and no more', async () => {
    const [nell, gift] = [await buyer(), await giftCard(100)]
    const { order, userErrors } = await placeOrder(shop, nell, [line(gift, 51)])
    expect(order).toBeNull()
    expect(userErrors).toMatchObject([
      { code: 'INVALID', message: 'One order can be for at most 50 gift cards.', field: ['lines'] },
    ])
    const { id } = await bought(shop, nell, [line(gift, 50)])
    expect(await cardsOf(id, nell)).toHaveLength(50)
  })

  it('counts for nothing in the figures until the cards pay for something', async () => {
    const nell = await buyer()
    const revenue = async () =>
      (await ask(shop, admin, '{ dashboard(period: DAY) { totals { revenue } } }')).dashboard.totals.revenue as number
    const before = await revenue()
    const { id } = await bought(shop, nell, [line(await giftCard())])
    expect(await revenue()).toBe(before)
    const { code } = nth(await cardsOf(id, nell), 0)
    await placeOrder(shop, nell, [line(await yarn())], { giftCards: [code] })
    expect(await revenue()).toBe(before + 2910)
  })
})

describe('when the money for gift cards goes back', () => {
  it('all of it, they pay nothing any more', async () => {
    const [nell, gift, wool] = [await buyer(), await giftCard(), await yarn()]
    const { id } = await bought(shop, nell, [line(gift)])
    const { code } = nth(await cardsOf(id, nell), 0)
    await refund(id, 5000)
    expect(await cardsOf(id, nell)).toEqual([{ code, amount: 5000, balance: 0 }])
    expect((await placeOrder(shop, nell, [line(wool)], { giftCards: [code] })).userErrors).toMatchObject([
      { code: 'GIFT_CARD_SPENT' },
    ])
  })

  it('a part of it, they go on, for it may be for something else', async () => {
    const [nell, gift, wool] = [await buyer(), await giftCard(), await yarn()]
    const { id } = await bought(shop, nell, [line(gift)])
    const { code } = nth(await cardsOf(id, nell), 0)
    await refund(id, 4999)
    expect((await placeOrder(shop, nell, [line(wool)], { giftCards: [code] })).order).toMatchObject({ isPaid: true })
  })
})

describe('the owner', () => {
  const patch = async (id: string, input: object) =>
    (
      await ask(
        shop,
        admin,
        `mutation($id: ID!, $input: ProductPatch!) { patchProduct(id: $id, input: $input) { product { isDownload isGiftCard countInStock } ${REFUSED} } }`,
        { id, input },
      )
    ).patchProduct

  it('makes a product a gift card, which is not sent, and takes that back', async () => {
    const { id } = await yarn()
    expect((await patch(id, { isGiftCard: true })).product).toEqual({
      isDownload: true,
      isGiftCard: true,
      countInStock: 1_000_000,
    })
    expect((await patch(id, { isGiftCard: false })).product).toMatchObject({ isDownload: true, isGiftCard: false })
    await patch(id, { isGiftCard: true })
    expect((await patch(id, { isDownload: false })).product).toEqual({
      isDownload: false,
      isGiftCard: false,
      countInStock: 0,
    })
  })

  it('copies one to sell another amount', async () => {
    const { id } = await giftCard()
    const { copyProduct } = await ask(
      shop,
      admin,
      `mutation($id: ID!) { copyProduct(id: $id) { product { isDraft isDownload isGiftCard countInStock } ${REFUSED} } }`,
      { id },
    )
    expect(copyProduct).toEqual({
      product: { isDraft: true, isDownload: true, isGiftCard: true, countInStock: 1_000_000 },
      userErrors: [],
    })
  })

  it('is told that a gift card is not sent', async () => {
    const { id } = await yarn()
    expect((await patch(id, { isGiftCard: true, isDownload: false })).userErrors).toMatchObject([
      { code: 'INVALID', message: 'A gift card needs no shipping, so this must be a download.', field: ['isGiftCard'] },
    ])
  })
})

it('a line that is one stays one, whatever becomes of its product before it is paid', async () => {
  const [nell, gift] = [await buyer(), await giftCard()]
  const { id } = await placed(shop, nell, [line(gift)])
  await shop.em().execute('update products set is_gift_card = false where id = ?', [gift.id])
  await capturePaypalOrder(shop, nell, id, await approvedPayment(shop, nell, id))
  expect(await cardsOf(id, nell)).toHaveLength(1)
  expect(present((await readOrder(id, admin)).giftCardsSold)).toBe(5000)
})
