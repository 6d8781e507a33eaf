import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { nth, present } from '#schema/rules/present'
import { lapseOrders } from '../order/lapse-orders.ts'
import { ask, auditOf, REFUSED } from '../testing/admin.ts'
import { brokenInvariants } from '../testing/faults/invariants.ts'
import { mailsTo } from '../testing/mail.ts'
import {
  approvedPayment,
  buyerDoes,
  cancelOrder,
  captures,
  capturePaypalOrder,
  createPaypalOrder,
  holdRunsOut,
  line,
  openOwnPayment,
  ORDER,
  payOrder,
  placeOrder,
  plan,
  readOrder,
  reconcile,
  stockOf,
} from '../testing/purchase.ts'
import { makeProduct, makeUser, makeUsers, openShop, type Account, type TestShop } from '../testing/shop.ts'

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

const CARD = 'giftCard { id lastFour initialAmount balance email note disabledAt uses { amount order { id } } } code'
let serial = 0

async function issue(amount: number, more: object = {}) {
  const { issueGiftCard } = await ask(
    shop,
    admin,
    `mutation($input: GiftCardInput!) { issueGiftCard(input: $input) { ${CARD} ${REFUSED} } }`,
    { input: { amount, idempotencyKey: `a-key-of-twenty-letters-${++serial}`, ...more } },
  )
  return issueGiftCard
}
/** The code and the id of a new card. */
async function card(amount: number) {
  const { giftCard, code, userErrors } = await issue(amount)
  expect(userErrors).toEqual([])
  return { id: giftCard.id as string, code: code as string }
}

async function update(id: string, input: object) {
  const { updateGiftCard } = await ask(
    shop,
    admin,
    `mutation($id: ID!, $input: GiftCardPatch!) { updateGiftCard(id: $id, input: $input) { giftCard { note disabledAt } ${REFUSED} } }`,
    { id, input },
  )
  return updateGiftCard
}

async function balance(id: string): Promise<number> {
  const [row] = await shop.em().execute<{ balance: number }[]>('select balance from gift_cards where id = ?', [id])
  return present(row).balance
}

const quote = async (productId: string, giftCards: string[]) =>
  (
    await shop.gql(
      `query($lines: [CartLineInput!]!, $giftCards: [String!]) { quoteCart(lines: $lines, giftCards: $giftCards) {
        totalPrice amountDue giftCards { code balance amount } userErrors { code message field } } }`,
      { lines: [{ productId, quantity: 1 }], giftCards },
    )
  ).data.quoteCart

const giftParts = async (id: string) =>
  (
    await shop.gql(
      'query($id: ID!) { order(id: $id) { status paymentMethod totalPrice giftCardAmount amountDue isPaid isRefunded refundedAmount payments { method amount } refunds { amount status } incidents { code message } } }',
      { id },
      admin,
    )
  ).data.order

const buyer = () => makeUser(shop.em())
/** Comes to $29.10 with shipping and tax. */
const yarn = () => makeProduct(shop.em(), { price: 2400 })
const TOTAL = 2910

async function refund(orderId: string, amount: number | null, key = `refund-${++serial}`) {
  const { refundOrder } = await ask(
    shop,
    admin,
    'mutation($orderId: ID!, $amount: Cents, $key: String!) { refundOrder(orderId: $orderId, amount: $amount, idempotencyKey: $key) { order { refundedAmount isRefunded } userErrors { code message field } } }',
    { orderId, amount, key },
  )
  return refundOrder
}

describe('a gift card', () => {
  it('pays a part of an order, and PayPal the rest to the cent', async () => {
    const [nell, wool, gift] = [await buyer(), await yarn(), await card(1000)]
    expect(await quote(wool.id, [gift.code])).toMatchObject({
      totalPrice: TOTAL,
      amountDue: 1910,
      giftCards: [{ code: gift.code, balance: 1000, amount: 1000 }],
      userErrors: [],
    })
    const { order, userErrors } = await placeOrder(shop, nell, [line(wool)], {
      giftCards: [` ${gift.code.toLowerCase().replaceAll('-', ' ')}`],
      expectedTotal: TOTAL,
      expectedDue: 1910,
    })
    expect(userErrors).toEqual([])
    expect(await giftParts(order.id)).toMatchObject({
      status: 'UNPAID',
      giftCardAmount: 1000,
      amountDue: 1910,
      paymentMethod: 'PayPal',
      payments: [],
    })
    expect(await balance(gift.id)).toBe(0)
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    expect(present(await shop.paypal.getOrder(paypalOrderId)).amount).toBe(1910)
    const paid = await capturePaypalOrder(shop, nell, order.id, paypalOrderId)
    expect(paid.userErrors).toEqual([])
    const after = await giftParts(order.id)
    expect(after).toMatchObject({ isPaid: true, amountDue: 0, totalPrice: TOTAL })
    expect(after.payments).toEqual(
      expect.arrayContaining([
        { method: 'PAYPAL', amount: 1910 },
        { method: 'GIFT_CARD', amount: 1000 },
      ]),
    )
    const letters = await mailsTo(shop, nell.user.email, 2)
    expect(letters.map(({ text }) => text).join()).toMatch(/Gift card.*-\$10\.00/)
  })

  it('leaves its part to itself: a payment over the whole total does not fit', async () => {
    const [nell, wool, gift] = [await buyer(), await yarn(), await card(1000)]
    const { order } = await placeOrder(shop, nell, [line(wool)], { giftCards: [gift.code] })
    const whole = { currency_code: 'USD', value: '29.10' }
    const paypalOrderId = await openOwnPayment(shop, { amount: whole, custom_id: order.id })
    await buyerDoes(shop, 'approve', paypalOrderId)
    const before = captures(shop)
    expect(await payOrder(shop, nell, order.id, paypalOrderId)).toMatchObject({
      userErrors: [
        {
          code: 'PAYMENT_FAILED',
          message:
            'This payment does not fit the order over $19.10. Nothing was taken. Please pay the order on its page.',
        },
      ],
    })
    expect(captures(shop)).toBe(before)
    await shop.paypal.captureOrder(paypalOrderId, `own:${paypalOrderId}`)
    expect((await payOrder(shop, nell, order.id, paypalOrderId)).userErrors).toMatchObject([{ code: 'PAYMENT_FAILED' }])
    expect(await giftParts(order.id)).toMatchObject({ isPaid: false, incidents: [{ code: 'CAPTURE_MISFIT' }] })
  })

  it('that has enough on it pays an order at once, without PayPal', async () => {
    const [nell, wool, gift] = [await buyer(), await yarn(), await card(10_000)]
    const before = captures(shop)
    const { order, userErrors } = await placeOrder(shop, nell, [line(wool)], { giftCards: [gift.code], expectedDue: 0 })
    expect(userErrors).toEqual([])
    expect(order).toMatchObject({ status: 'PAID', isPaid: true, paymentMethod: 'Gift card', heldUntil: null })
    expect(await giftParts(order.id)).toMatchObject({ payments: [{ method: 'GIFT_CARD', amount: TOTAL }] })
    expect(await balance(gift.id)).toBe(10_000 - TOTAL)
    expect(captures(shop)).toBe(before)
    const letters = await mailsTo(shop, nell.user.email, 2)
    expect(letters.map(({ subject }) => subject.replace(/#\d+/, '#'))).toEqual(
      expect.arrayContaining(['Your order #', 'Paid: your order #']),
    )
    expect((await createPaypalOrder(shop, nell, order.id)).userErrors).toMatchObject([{ code: 'ALREADY_PAID' }])
  })

  it('pays after the one before it, as far as it must', async () => {
    const [nell, wool, small, large] = [await buyer(), await yarn(), await card(500), await card(5_000)]
    const { order } = await placeOrder(shop, nell, [line(wool)], { giftCards: [small.code, large.code, small.code] })
    expect(order.status).toBe('PAID')
    expect([await balance(small.id), await balance(large.id)]).toEqual([0, 5_000 - (TOTAL - 500)])
  })

  it('is left alone where the one before it pays all', async () => {
    const [nell, wool, first, second] = [await buyer(), await yarn(), await card(5_000), await card(5_000)]
    await placeOrder(shop, nell, [line(wool)], { giftCards: [first.code, second.code] })
    expect(await balance(second.id)).toBe(5_000)
  })

  it('is used up once, however many orders want it at the same moment', async () => {
    const buyers = await makeUsers(shop.em(), 12)
    const [wool, gift] = [await makeProduct(shop.em(), { price: 2400, countInStock: 100 }), await card(TOTAL * 2)]
    const answers = await Promise.all(
      buyers.map(each => placeOrder(shop, each, [line(wool)], { giftCards: [gift.code], expectedDue: 0 })),
    )
    expect(answers.filter(({ order }) => order?.isPaid)).toHaveLength(2)
    expect(new Set(answers.flatMap(({ userErrors }) => userErrors.map((each: { code: string }) => each.code)))).toEqual(
      new Set(['GIFT_CARD_SPENT']),
    )
    expect(await balance(gift.id)).toBe(0)
    expect(await stockOf(shop, wool.id)).toMatchObject({ left: 98 })
  })

  it('never keeps two orders with the same two cards waiting for each other', async () => {
    const buyers = await makeUsers(shop.em(), 10)
    const [wool, one, two] = [
      await makeProduct(shop.em(), { price: 2400, countInStock: 100 }),
      await card(200_00),
      await card(200_00),
    ]
    const answers = await Promise.all(
      buyers.map((each, place) =>
        placeOrder(shop, each, [line(wool)], {
          giftCards: place % 2 ? [one.code, two.code] : [two.code, one.code],
        }),
      ),
    )
    expect(answers.filter(({ order }) => order?.isPaid)).toHaveLength(10)
  })

  it('is not taken when less is on it than the shopper was told', async () => {
    const [nell, ada, wool, gift] = [await buyer(), await buyer(), await yarn(), await card(TOTAL + 1000)]
    await placeOrder(shop, ada, [line(wool)], { giftCards: [gift.code] })
    const { order, userErrors, quote } = await placeOrder(shop, nell, [line(wool)], {
      giftCards: [gift.code],
      expectedTotal: TOTAL,
      expectedDue: 0,
    })
    expect(order).toBeNull()
    expect(userErrors).toMatchObject([{ code: 'PRICE_CHANGED', field: ['giftCards'] }])
    expect(quote).toMatchObject({ totalPrice: TOTAL })
    expect(await balance(gift.id)).toBe(1000)
  })

  it('of the same key is the same order, and without it another', async () => {
    const [nell, wool, gift] = [await buyer(), await yarn(), await card(TOTAL)]
    const key = { idempotencyKey: `order-${++serial}` }
    const first = await placeOrder(shop, nell, [line(wool)], { giftCards: [gift.code], ...key })
    const again = await placeOrder(shop, nell, [line(wool)], { giftCards: [gift.code], ...key })
    expect(again).toMatchObject({ order: { id: first.order.id }, userErrors: [] })
    expect((await placeOrder(shop, nell, [line(wool)], key)).userErrors).toMatchObject([
      { code: 'IDEMPOTENCY_MISMATCH' },
    ])
  })
})

describe('what a gift card was to pay is on it again', () => {
  it('when the order is cancelled, once', async () => {
    const [nell, wool, gift] = [await buyer(), await yarn(), await card(1000)]
    const { order } = await placeOrder(shop, nell, [line(wool)], { giftCards: [gift.code] })
    expect((await cancelOrder(shop, nell, order.id)).userErrors).toEqual([])
    expect((await cancelOrder(shop, nell, order.id)).userErrors).toEqual([])
    expect(await balance(gift.id)).toBe(1000)
  })

  it('when the order lapses, and is taken once more when it is paid after all', async () => {
    const [nell, wool, gift] = [await buyer(), await yarn(), await card(1000)]
    const { order } = await placeOrder(shop, nell, [line(wool)], { giftCards: [gift.code] })
    await holdRunsOut(shop, order.id)
    await lapseOrders(shop.em())
    expect(await balance(gift.id)).toBe(1000)
    const paid = await capturePaypalOrder(shop, nell, order.id, await approvedPayment(shop, nell, order.id))
    expect(paid.order).toMatchObject({ isPaid: true })
    expect(await balance(gift.id)).toBe(0)
  })

  it('and was spent elsewhere meanwhile: the lapsed order cannot be paid any more', async () => {
    const [nell, ada, wool, gift] = [await buyer(), await buyer(), await yarn(), await card(1000)]
    const { order } = await placeOrder(shop, nell, [line(wool)], { giftCards: [gift.code] })
    await holdRunsOut(shop, order.id)
    await lapseOrders(shop.em())
    await placeOrder(shop, ada, [line(wool)], { giftCards: [gift.code] })
    const { userErrors } = await createPaypalOrder(shop, nell, order.id)
    expect(userErrors).toMatchObject([{ code: 'GIFT_CARD_SPENT' }])
    expect(await readOrder(shop, nell, order.id)).toMatchObject({ status: 'LAPSED' })
  })

  /** An order that was paid late, when the card that was to pay $10.00 of it had been spent elsewhere. */
  async function paidWithoutCard() {
    const [nell, ada, wool, gift] = [await buyer(), await buyer(), await yarn(), await card(1000)]
    const { order } = await placeOrder(shop, nell, [line(wool)], { giftCards: [gift.code] })
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    await holdRunsOut(shop, order.id)
    await lapseOrders(shop.em())
    await placeOrder(shop, ada, [line(wool)], { giftCards: [gift.code] })
    const paid = await capturePaypalOrder(shop, nell, order.id, paypalOrderId)
    expect(paid.order).toMatchObject({ isPaid: true })
    return { nell, gift, id: order.id as string }
  }

  it('and was spent elsewhere when a late payment came: that is recorded, and the owner told', async () => {
    const { nell, gift, id } = await paidWithoutCard()
    expect(await giftParts(id)).toMatchObject({
      totalPrice: TOTAL,
      giftCardAmount: 0,
      amountDue: 1000,
      payments: [{ method: 'PAYPAL', amount: 1910 }],
      incidents: [
        {
          code: 'PAID_WITHOUT_GIFT_CARD',
          message:
            'Paid after its hold had lapsed, and its gift cards have been used elsewhere since: $10.00 of it was not paid. Ask for that, or refund what was paid.',
        },
      ],
    })
    expect(await balance(gift.id)).toBe(0)
    const letters = await mailsTo(shop, nell.user.email, 2)
    expect(letters.map(({ text }) => text).join()).toMatch(/Not paid:? +-\$10\.00\n+.*Paid with PayPal:? +\$19\.10/)
  })

  it('and was spent elsewhere when a late payment came: once that went back, all of it is refunded', async () => {
    const { id } = await paidWithoutCard()
    const toSend = async () =>
      (await ask(shop, admin, '{ orders(filter: { status: TO_SEND }) { items { id } } }')).orders.items.map(
        (order: { id: string }) => order.id,
      )
    expect(await refund(id, 1900)).toMatchObject({ order: { refundedAmount: 1900, isRefunded: false } })
    expect(await toSend()).toContain(id)
    expect(await refund(id, null)).toMatchObject({ order: { refundedAmount: 1910, isRefunded: true }, userErrors: [] })
    expect(await toSend()).not.toContain(id)
    expect(await refund(id, null)).toMatchObject({ userErrors: [{ message: 'All that was paid has been refunded.' }] })
  })
})

describe('money of an order that a gift card paid goes back', () => {
  async function paidByBoth() {
    const [nell, wool, gift] = [await buyer(), await yarn(), await card(1000)]
    const { order } = await placeOrder(shop, nell, [line(wool)], { giftCards: [gift.code] })
    await capturePaypalOrder(shop, nell, order.id, await approvedPayment(shop, nell, order.id))
    return { nell, gift, id: order.id as string }
  }

  it('all of it, the way each part came', async () => {
    const { nell, gift, id } = await paidByBoth()
    const { order, userErrors } = await refund(id, null)
    expect(userErrors).toEqual([])
    expect(order).toEqual({ refundedAmount: TOTAL, isRefunded: true })
    expect(await balance(gift.id)).toBe(1000)
    expect(
      (await giftParts(id)).refunds.toSorted((a: { amount: number }, b: { amount: number }) => a.amount - b.amount),
    ).toEqual([
      { amount: 1000, status: 'COMPLETED' },
      { amount: 1910, status: 'COMPLETED' },
    ])
    const letters = await mailsTo(shop, nell.user.email, 4)
    expect(letters.map(({ text }) => text).join()).toContain('$10.00 is on the gift card again that ends with')
    expect((await refund(id, null)).userErrors).toMatchObject([{ message: 'All that was paid has been refunded.' }])
  })

  it('to PayPal first, then to the card, and once for each key', async () => {
    const { gift, id } = await paidByBoth()
    await refund(id, 1500)
    expect(await balance(gift.id)).toBe(0)
    const key = `refund-${++serial}`
    await refund(id, 600, key)
    await refund(id, 600, key)
    expect(await balance(gift.id)).toBe(190)
    expect((await refund(id, 601, key)).userErrors).toMatchObject([{ code: 'IDEMPOTENCY_MISMATCH' }])
    expect((await refund(id, 811)).userErrors).toMatchObject([
      { message: 'At most $8.10 can be refunded.', field: ['amount'] },
    ])
    expect((await refund(id, 810)).order).toMatchObject({ isRefunded: true })
    expect(await balance(gift.id)).toBe(1000)
  })

  it('not at all when PayPal says no', async () => {
    const { gift, id } = await paidByBoth()
    const [row] = await shop
      .em()
      .execute<{ captureId: string }[]>(
        `select capture_id as "captureId" from payments where order_id = ? and method = 'PAYPAL'`,
        [id],
      )
    // It sent all of it back before, and the shop does not know.
    await shop.paypal.refundCapture(present(row).captureId, {
      refundId: 'at-paypal',
      amount: 1910,
      note: null,
      requestId: 'at-paypal',
    })
    const answer = await refund(id, null)
    expect(answer.userErrors).toMatchObject([{ code: 'REFUND_FAILED' }])
    expect(await giftParts(id)).toMatchObject({ refundedAmount: 0 })
    expect(await balance(gift.id)).toBe(0)
  })

  it('in the end, when nobody knows at first what PayPal did', async () => {
    const { gift, id } = await paidByBoth()
    await plan(shop, { refund: Array(3).fill('disconnect') })
    const answer = await refund(id, null)
    expect(answer.userErrors).toMatchObject([{ code: 'PAYMENT_UNAVAILABLE' }])
    for (let round = 1; round <= 6; round++) await reconcile(shop, 60 * round)
    expect(await giftParts(id)).toMatchObject({ refundedAmount: TOTAL, isRefunded: true })
    expect(await balance(gift.id)).toBe(1000)
  })

  it('to the card alone where it paid alone', async () => {
    const [nell, wool, gift] = [await buyer(), await yarn(), await card(TOTAL)]
    const { order } = await placeOrder(shop, nell, [line(wool)], { giftCards: [gift.code] })
    expect((await refund(order.id, 910)).order).toMatchObject({ refundedAmount: 910 })
    expect(await balance(gift.id)).toBe(910)
  })
})

describe('a gift card that cannot be used is refused at its field, by the quote and by the order', () => {
  const refused = async (code: string, error: object) => {
    const [nell, wool] = [await buyer(), await yarn()]
    const refusal = [{ field: ['giftCards'], ...error }]
    expect((await placeOrder(shop, nell, [line(wool)], { giftCards: [code] })).userErrors).toMatchObject(refusal)
    expect(await quote(wool.id, [code])).toMatchObject({ giftCards: [], amountDue: TOTAL, userErrors: refusal })
  }

  it.each(['NOSUCHCARD', 'ABCDEFGHJKMNPQRS', '{}', '","', '"', `' or 1=1; --`, '☃', 'A'.repeat(100)])('%j', code =>
    refused(code, {
      code: 'GIFT_CARD_UNKNOWN',
      message: 'We don’t know this gift card. Please check how its code is written.',
    }),
  )

  it('an empty one', async () => {
    const [nell, wool, gift] = [await buyer(), await yarn(), await card(TOTAL)]
    await placeOrder(shop, nell, [line(wool)], { giftCards: [gift.code] })
    const ending = gift.code.slice(-4)
    await refused(gift.code, {
      code: 'GIFT_CARD_SPENT',
      message: `The gift card that ends with ${ending} has nothing left on it.`,
    })
  })

  it('one that the shop has stopped, until it goes on', async () => {
    const gift = await card(5000)
    expect((await update(gift.id, { isDisabled: true })).giftCard.disabledAt).not.toBeNull()
    await refused(gift.code, { code: 'GIFT_CARD_SPENT' })
    expect((await update(gift.id, { isDisabled: false })).giftCard.disabledAt).toBeNull()
    const [nell, wool] = [await buyer(), await yarn()]
    expect((await placeOrder(shop, nell, [line(wool)], { giftCards: [gift.code] })).userErrors).toEqual([])
  })

  it('more than five', async () => {
    const [nell, wool] = [await buyer(), await yarn()]
    const giftCards = Array.from({ length: 6 }, () => 'ABCDEFGHJKMNPQRS')
    expect((await placeOrder(shop, nell, [line(wool)], { giftCards })).userErrors).toMatchObject([
      { code: 'INVALID', message: 'One order takes at most 5 gift cards.' },
    ])
  })
})

describe('the shop', () => {
  it('makes a card, mails its code, and writes that down', async () => {
    const email = `reader${++serial}@example.com`
    const { giftCard, code, userErrors } = await issue(5000, {
      email,
      message: 'Happy knitting!',
      note: 'Paid in cash',
    })
    expect(userErrors).toEqual([])
    expect(giftCard).toMatchObject({
      initialAmount: 5000,
      balance: 5000,
      email,
      note: 'Paid in cash',
      disabledAt: null,
      uses: [],
      lastFour: code.slice(-4),
    })
    expect(code).toMatch(/^([A-Z2-9]{4}-){3}[A-Z2-9]{4}$/)
    const letter = nth(await mailsTo(shop, email, 1), 0)
    expect(letter.subject).toBe('A gift card over $50.00 for you')
    expect(letter.text).toContain(code)
    expect(letter.text).toContain('Happy knitting!')
    expect(await auditOf(shop, admin, giftCard.id)).toMatchObject([
      { action: 'CREATED', label: `…${giftCard.lastFour}` },
    ])
  })

  it('makes one card for each key, also when it is asked twice at once', async () => {
    const idempotencyKey = `the-same-key-for-both-${++serial}`
    const [one, two] = await Promise.all([issue(5000, { idempotencyKey }), issue(5000, { idempotencyKey })])
    expect(one.giftCard.id).toBe(two.giftCard.id)
    expect((await issue(6000, { idempotencyKey })).userErrors).toMatchObject([{ code: 'IDEMPOTENCY_MISMATCH' }])
  })

  it.each([
    [{ amount: 99 }, 'amount', '$1.00 to $10,000.00.'],
    [{ amount: 1_000_001 }, 'amount', '$1.00 to $10,000.00.'],
    [{ email: 'nobody' }, 'email', 'Please enter a valid email address.'],
    [{ message: 'For nobody' }, 'email', 'Please say where the message goes, or leave it out.'],
    [{ email: 'a@b.example', message: 'x'.repeat(301) }, 'message', 'Message can have at most 300 characters.'],
  ])('refuses %j', async (more, field, message) => {
    expect((await issue(5000, more)).userErrors).toMatchObject([{ code: 'INVALID', message, field: [field] }])
  })

  it('finds a card by how it ends and by its address, and sees what it paid', async () => {
    const email = `finder${++serial}@example.com`
    const { giftCard, code } = await issue(TOTAL, { email })
    const [nell, wool] = [await buyer(), await yarn()]
    const { order } = await placeOrder(shop, nell, [line(wool)], { giftCards: [code] })
    const find = async (search: string) =>
      (
        await ask(
          shop,
          admin,
          'query($search: String) { giftCards(search: $search) { total items { id balance uses { amount order { id } } } } }',
          { search },
        )
      ).giftCards
    const found = { items: [{ id: giftCard.id, balance: 0, uses: [{ amount: TOTAL, order: { id: order.id } }] }] }
    expect(await find(email.toUpperCase())).toMatchObject({ total: 1, ...found })
    expect((await find(code.slice(-4).toLowerCase())).items.map(({ id }: { id: string }) => id)).toContain(giftCard.id)
    expect(await find('nobody@example.com')).toMatchObject({ total: 0 })
  })

  it('takes the rest of an order itself', async () => {
    const [nell, wool, gift] = [await buyer(), await yarn(), await card(1000)]
    const { order } = await placeOrder(shop, nell, [line(wool)], { giftCards: [gift.code] })
    const { recordPayment } = await ask(
      shop,
      admin,
      `mutation($orderId: ID!) { recordPayment(orderId: $orderId, method: CASH) { order { ${ORDER} } ${REFUSED} } }`,
      { orderId: order.id },
    )
    expect(recordPayment.order).toMatchObject({ isPaid: true, paymentMethod: 'Cash' })
    expect((await giftParts(order.id)).payments).toEqual(
      expect.arrayContaining([
        { method: 'CASH', amount: 1910 },
        { method: 'GIFT_CARD', amount: 1000 },
      ]),
    )
  })
})
