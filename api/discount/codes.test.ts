import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { ask } from '../testing/admin.ts'
import {
  ADDRESS,
  approvedPayment,
  bought,
  cancelOrder,
  capturePaypalOrder,
  createPaypalOrder,
  holdRunsOut,
  line,
  type Line,
} from '../testing/purchase.ts'
import { lapseOrders } from '../order/lapse-orders.ts'
import { makeProduct, makeUser, makeUsers, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { nth, present } from '#schema/rules/present'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())

const buyer = () => makeUser(shop.em())
const yarn = (fields: Parameters<typeof makeProduct>[1] = {}) => makeProduct(shop.em(), fields)
const PRICES = 'itemsPrice discount shippingPrice taxPrice totalPrice'
const REFUSED = 'userErrors { code message field }'
const ORDER = `id ${PRICES} discountCode items { productId discount }`

let serial = 0
const freshName = () => `CODE${++serial}`

async function makeCode(input: object): Promise<{ id: string; code: string }> {
  const { createDiscountCode } = await ask(
    shop,
    admin,
    `mutation($input: DiscountCodeInput!) { createDiscountCode(input: $input) { discountCode { id code } ${REFUSED} } }`,
    { input: { code: freshName(), ...input } },
  )
  expect(createDiscountCode.userErrors).toEqual([])
  return createDiscountCode.discountCode
}
const percent = (more: object = {}) => makeCode({ kind: 'PERCENT', basisPoints: 1500, ...more })

async function change(id: string, input: object) {
  const { updateDiscountCode } = await ask(
    shop,
    admin,
    `mutation($id: ID!, $input: DiscountCodePatch!) { updateDiscountCode(id: $id, input: $input) { discountCode { status pausedAt maxUses terms { endsAt } } ${REFUSED} } }`,
    { id, input },
  )
  return updateDiscountCode
}

const place = async (who: Account, lines: Line[], code: string | null, more: object = {}) =>
  (
    await shop.gql(
      `mutation($input: PlaceOrderInput!) { placeOrder(input: $input) { order { ${ORDER} } ${REFUSED} } }`,
      { input: { lines, shippingAddress: ADDRESS, code, ...more } },
      who,
    )
  ).data.placeOrder
const quote = async (who: Account | null, lines: Line[], code: string) =>
  (
    await shop.gql(
      `query($lines: [CartLineInput!]!, $code: String) { quoteCart(lines: $lines, code: $code) { ${PRICES} code { code description saved terms { kind basisPoints } } ${REFUSED} } }`,
      { lines, code },
      who,
    )
  ).data.quoteCart
const figures = async (code: string) => {
  const { discountCodes } = await ask(
    shop,
    admin,
    '{ discountCodes { items { code status figures { uses paidOrders revenue discountGiven } } } }',
  )
  return discountCodes.items.find((each: { code: string }) => each.code === code)
}
const uses = async (code: string) => present(await figures(code)).figures.uses

describe('an order with a code', () => {
  it('costs what the quote said, in parts that add up, however the code is typed', async () => {
    const [nell, wool, hook] = [await buyer(), await yarn({ price: 1999 }), await yarn({ price: 333 })]
    const { code } = await percent()
    const lines = [line(wool, 2), line(hook)]
    const typed = ` ${code.toLowerCase()} `
    const quoted = await quote(nell, lines, typed)
    expect(quoted).toMatchObject({
      code: { code, description: '15% off', saved: 650, terms: { kind: 'PERCENT', basisPoints: 1500 } },
      userErrors: [],
    })
    const { order, userErrors } = await place(nell, lines, typed, { expectedTotal: quoted.totalPrice })
    expect(userErrors).toEqual([])
    expect(order).toMatchObject({
      discountCode: code,
      itemsPrice: 4331,
      discount: 650,
      shippingPrice: 450,
      taxPrice: 552,
      totalPrice: 4683,
      items: [{ discount: 600 }, { discount: 50 }],
    })
    const { code: _, userErrors: __, ...prices } = quoted
    expect(order).toMatchObject(prices)
  })

  it('is paid at PayPal to the cent, in parts that PayPal adds up', async () => {
    const [nell, wool] = [await buyer(), await yarn({ price: 1999 })]
    const { code } = await percent()
    const { order } = await place(nell, [line(wool)], code)
    const { order: paid, userErrors } = await capturePaypalOrder(
      shop,
      nell,
      order.id,
      await approvedPayment(shop, nell, order.id),
    )
    expect(userErrors).toEqual([])
    expect(paid).toMatchObject({ isPaid: true, totalPrice: order.totalPrice })
    expect(await figures(code)).toMatchObject({
      status: 'ACTIVE',
      figures: { uses: 1, paidOrders: 1, revenue: order.totalPrice, discountGiven: 300 },
    })
  })

  it('ships free with a code for that, and that is what it saves', async () => {
    const [nell, wool] = [await buyer(), await yarn({ price: 2400 })]
    const { code } = await makeCode({ kind: 'FREE_SHIPPING' })
    expect((await quote(nell, [line(wool)], code)).code.saved).toBe(150)
    expect((await place(nell, [line(wool)], code)).order).toMatchObject({
      discountCode: code,
      discount: 0,
      shippingPrice: 0,
      totalPrice: 2760,
    })
  })

  it('is not used up where it saves nothing, such as shipping of what ships for free', async () => {
    const [nell, wool] = [await buyer(), await yarn({ price: 6000 })]
    const { code } = await makeCode({ kind: 'FREE_SHIPPING', maxUses: 1 })
    expect((await quote(nell, [line(wool, 2)], code)).code).toMatchObject({ code, saved: 0 })
    expect((await place(nell, [line(wool, 2)], code)).order).toMatchObject({ discountCode: null, shippingPrice: 0 })
    expect(await uses(code)).toBe(0)
    expect((await place(nell, [line(wool)], code)).order).toMatchObject({ discountCode: code, shippingPrice: 0 })
    expect(await uses(code)).toBe(1)
  })

  it('takes an amount off the products and categories it is for alone', async () => {
    const [nell, wool, lace, hook] = [
      await buyer(),
      await yarn({ price: 1000 }),
      await yarn({ price: 2000, category: 'Lace' }),
      await yarn({ price: 5000 }),
    ]
    const { code } = await makeCode({ kind: 'AMOUNT', amount: 600, productIds: [wool.id], categories: ['Lace'] })
    const { order } = await place(nell, [line(hook), line(wool), line(lace)], code)
    expect(order.items).toEqual([
      { productId: hook.id, discount: 0 },
      { productId: wool.id, discount: 200 },
      { productId: lace.id, discount: 400 },
    ])
  })

  it('is refused when there would be nothing left to pay', async () => {
    const [nell, wool] = [await buyer(), await yarn({ price: 12_000 })]
    const { code } = await makeCode({ kind: 'PERCENT', basisPoints: 10_000 })
    expect((await place(nell, [line(wool)], code)).userErrors).toMatchObject([{ code: 'INVALID', field: ['code'] }])
  })

  it('of the same key is the same order, and another code is another order', async () => {
    const [nell, wool] = [await buyer(), await yarn()]
    const [first, second] = [await percent(), await percent()]
    const key = { idempotencyKey: `key-${++serial}` }
    const { order } = await place(nell, [line(wool)], first.code, key)
    expect((await place(nell, [line(wool)], first.code.toLowerCase(), key)).order.id).toBe(order.id)
    expect((await place(nell, [line(wool)], second.code, key)).userErrors).toMatchObject([
      { code: 'IDEMPOTENCY_MISMATCH' },
    ])
    expect([await uses(first.code), await uses(second.code)]).toEqual([1, 0])
  })

  it('keeps what it got when the code is paused afterwards', async () => {
    const [nell, wool] = [await buyer(), await yarn()]
    const { id, code } = await percent()
    const { order } = await place(nell, [line(wool)], code)
    expect((await change(id, { isPaused: true })).discountCode).toMatchObject({ status: 'PAUSED' })
    const paid = await capturePaypalOrder(shop, nell, order.id, await approvedPayment(shop, nell, order.id))
    expect(paid.order).toMatchObject({ isPaid: true, totalPrice: order.totalPrice })
  })
})

describe('a code that does not work is refused at its field, by the quote and by the order', () => {
  const cases: [string, object | null, string, string][] = [
    ['an unknown one', null, 'CODE_UNKNOWN', 'We don’t know this code. Please check how it is written.'],
    [
      'one that begins later',
      { startsAt: '2036-05-01T12:00:00.000Z' },
      'CODE_NOT_YET',
      'This code works from May 1, 2036 on.',
    ],
    ['one that has ended', { endsAt: '2020-05-01T12:00:00.000Z' }, 'CODE_EXPIRED', 'This code has expired.'],
    [
      'one with a minimum',
      { minimum: 5000 },
      'CODE_MINIMUM',
      'This code works from $50.00 on: add items for $26.00 more.',
    ],
    [
      'one for other products',
      { categories: ['Nothing here'] },
      'CODE_NOT_FOR_THESE',
      'This code is for other products than those in your cart.',
    ],
    [
      'the name of a series',
      { isSeries: true },
      'CODE_UNKNOWN',
      'We don’t know this code. Please check how it is written.',
    ],
  ]
  test.each(cases)('%s', async (_title, terms, errorCode, message) => {
    const [nell, wool] = [await buyer(), await yarn({ price: 2400 })]
    const code = terms ? (await percent(terms)).code : 'NOSUCHCODE'
    const refusal = [{ code: errorCode, message, field: ['code'] }]
    expect(await place(nell, [line(wool)], code)).toEqual({ order: null, userErrors: refusal })
    expect(await quote(null, [line(wool)], code)).toMatchObject({
      code: null,
      discount: 0,
      totalPrice: 2910,
      userErrors: refusal,
    })
  })

  it('a paused one, until it goes on', async () => {
    const [nell, wool] = [await buyer(), await yarn()]
    const { id, code } = await percent()
    await change(id, { isPaused: true })
    expect((await place(nell, [line(wool)], code)).userErrors).toMatchObject([{ code: 'CODE_EXPIRED' }])
    await change(id, { isPaused: false })
    expect((await place(nell, [line(wool)], code)).userErrors).toEqual([])
  })

  it.each(['x', '☃', `' or 1=1; --`, 'a\0b', 'A'.repeat(100)])('%j, which is none', async code => {
    const [nell, wool] = [await buyer(), await yarn()]
    const { userErrors } = await place(nell, [line(wool)], code)
    expect(nth(userErrors, 0).code).toMatch(/^CODE_UNKNOWN$|^INVALID$/)
    expect(nth(userErrors, 0).field).toEqual(['code'])
    expect((await quote(null, [line(wool)], code)).userErrors).toMatchObject([{ code: 'CODE_UNKNOWN' }])
  })
})

describe('a code is used as often as it may be', () => {
  it('by one of many who ask for its last use at once', async () => {
    const buyers = await makeUsers(shop.em(), 30)
    const wool = await yarn({ countInStock: 100 })
    const { code } = await percent({ maxUses: 3 })
    const answers = await Promise.all(buyers.map(each => place(each, [line(wool)], code)))
    expect(answers.filter(({ order }) => order)).toHaveLength(3)
    expect(new Set(answers.flatMap(({ userErrors }) => userErrors.map((each: { code: string }) => each.code)))).toEqual(
      new Set(['CODE_USED_UP']),
    )
    expect(await figures(code)).toMatchObject({ status: 'USED_UP', figures: { uses: 3 } })
  })

  it('once by an account that submits many orders at once', async () => {
    const [nell, wool] = [await buyer(), await yarn({ countInStock: 100 })]
    const { code } = await percent({ maxUsesPerPerson: 1 })
    const answers = await Promise.all(Array.from({ length: 20 }, () => place(nell, [line(wool)], code)))
    expect(answers.filter(({ order }) => order)).toHaveLength(1)
    expect(present(answers.find(({ order }) => !order)).userErrors).toMatchObject([
      { code: 'CODE_USED_BY_YOU', field: ['code'] },
    ])
    expect(await uses(code)).toBe(1)
    expect((await place(await buyer(), [line(wool)], code)).userErrors).toEqual([])
  })

  it('and each of a series once, by whoever comes first', async () => {
    const buyers = await makeUsers(shop.em(), 10)
    const wool = await yarn({ countInStock: 100 })
    const { id } = await percent({ isSeries: true })
    const { createSeriesCodes } = await ask(
      shop,
      admin,
      `mutation($id: ID!) { createSeriesCodes(id: $id, count: 2) { codes ${REFUSED} } }`,
      { id },
    )
    const [first, second] = createSeriesCodes.codes as [string, string]
    const answers = await Promise.all(buyers.map(each => place(each, [line(wool)], first)))
    expect(answers.filter(({ order }) => order)).toHaveLength(1)
    expect((await place(await buyer(), [line(wool)], first)).userErrors).toMatchObject([{ code: 'CODE_USED_UP' }])
    expect((await place(await buyer(), [line(wool)], second)).order.discountCode).toBe(second)
  })

  it('again when an order is cancelled or lapses', async () => {
    const [nell, ada, rae, wool] = [await buyer(), await buyer(), await buyer(), await yarn()]
    const { code } = await percent({ maxUses: 1 })
    const first = await place(nell, [line(wool)], code)
    expect((await place(ada, [line(wool)], code)).userErrors).toMatchObject([{ code: 'CODE_USED_UP' }])
    expect((await cancelOrder(shop, nell, first.order.id)).userErrors).toEqual([])
    const second = await place(ada, [line(wool)], code)
    expect(second.userErrors).toEqual([])
    await holdRunsOut(shop, second.order.id)
    await lapseOrders(shop.em())
    expect((await place(rae, [line(wool)], code)).userErrors).toEqual([])
    expect(await uses(code)).toBe(1)
  })

  it('when a lapsed order is paid, as long as nobody else has it', async () => {
    const [nell, ada, wool] = [await buyer(), await buyer(), await yarn()]
    const { code } = await percent({ maxUses: 1 })
    const { order } = await place(nell, [line(wool)], code)
    const lapse = async () => {
      await holdRunsOut(shop, order.id)
      await lapseOrders(shop.em())
    }
    await lapse()
    expect((await createPaypalOrder(shop, nell, order.id)).userErrors).toEqual([])
    expect(await uses(code)).toBe(1)
    await lapse()
    const other = await place(ada, [line(wool)], code)
    expect((await createPaypalOrder(shop, nell, order.id)).userErrors).toMatchObject([{ code: 'CODE_USED_UP' }])
    await cancelOrder(shop, ada, other.order.id)
    expect((await createPaypalOrder(shop, nell, order.id)).userErrors).toEqual([])
  })

  it('and a refused order uses nothing up', async () => {
    const [nell, wool] = [await buyer(), await yarn({ countInStock: 1 })]
    const { code } = await percent({ maxUses: 1 })
    expect((await place(nell, [line(wool, 2)], code)).userErrors).toMatchObject([{ code: 'OUT_OF_STOCK' }])
    expect((await place(nell, [line(wool)], code, { expectedTotal: 1 })).userErrors).toMatchObject([
      { code: 'PRICE_CHANGED' },
    ])
    expect(await uses(code)).toBe(0)
  })
})

describe('CASTON15', () => {
  it('takes 15% off a first order, once for each account', async () => {
    const [nell, wool] = [await buyer(), await yarn({ price: 2400 })]
    const { order } = await place(nell, [line(wool)], 'caston15')
    expect(order).toMatchObject({ discountCode: 'CASTON15', discount: 360, totalPrice: 2496 })
    expect((await place(nell, [line(wool)], 'CASTON15')).userErrors).toMatchObject([{ code: 'CODE_USED_BY_YOU' }])
    expect((await quote(nell, [line(wool)], 'CASTON15')).userErrors).toMatchObject([{ code: 'CODE_USED_BY_YOU' }])
    expect((await place(await buyer(), [line(wool)], 'CASTON15')).userErrors).toEqual([])
  })

  it('is not for who has paid an order before', async () => {
    const [nell, wool] = [await buyer(), await yarn()]
    await bought(shop, nell, [line(wool)])
    expect((await place(nell, [line(wool)], 'CASTON15')).userErrors).toMatchObject([
      { code: 'CODE_FIRST_ORDER', field: ['code'] },
    ])
  })
})

describe('the administrator', () => {
  const create = (input: object) =>
    ask(
      shop,
      admin,
      `mutation($input: DiscountCodeInput!) { createDiscountCode(input: $input) { discountCode { id } ${REFUSED} } }`,
      { input },
    ).then(({ createDiscountCode }) => createDiscountCode.userErrors)

  test.each([
    ['no code', { code: '', kind: 'FREE_SHIPPING' }, 'code'],
    ['one that is too short', { code: 'AB', kind: 'FREE_SHIPPING' }, 'code'],
    ['signs that are none of a code', { code: 'AB☃D', kind: 'FREE_SHIPPING' }, 'code'],
    ['a share that is none', { code: 'MORE', kind: 'PERCENT', basisPoints: 10_001 }, 'basisPoints'],
    ['a kind without its figure', { code: 'MORE', kind: 'PERCENT' }, 'basisPoints'],
    ['a figure of another kind', { code: 'MORE', kind: 'FREE_SHIPPING', amount: 100 }, 'amount'],
    ['an amount of nothing', { code: 'MORE', kind: 'AMOUNT', amount: 0 }, 'amount'],
    ['no uses', { code: 'MORE', kind: 'FREE_SHIPPING', maxUses: 0 }, 'maxUses'],
    [
      'an end before the beginning',
      { code: 'MORE', kind: 'FREE_SHIPPING', startsAt: '2027-01-02T00:00:00.000Z', endsAt: '2027-01-01T00:00:00.000Z' },
      'endsAt',
    ],
    [
      'a product that is not there',
      { code: 'MORE', kind: 'FREE_SHIPPING', productIds: ['0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c'] },
      'productIds',
    ],
  ])('is told beside the field of %s', async (_title, input, field) => {
    const [refusal] = await create(input)
    expect(present(refusal).code).toBe(field === 'productIds' ? 'NOT_FOUND' : 'INVALID')
    expect(present(refusal).field[0]).toBe(field)
  })

  it('makes no two codes of one name', async () => {
    const { code } = await percent()
    expect(await create({ code: code.toLowerCase(), kind: 'FREE_SHIPPING' })).toMatchObject([
      { code: 'CODE_TAKEN', field: ['code'] },
    ])
  })

  it('changes limits and dates, takes them away with null, and finds all of it in the audit log', async () => {
    const { id } = await percent({ maxUses: 5, endsAt: '2036-01-01T00:00:00.000Z' })
    expect((await change(id, { endsAt: null })).discountCode).toMatchObject({ terms: { endsAt: null }, maxUses: 5 })
    expect((await change(id, { maxUses: 7 })).discountCode).toMatchObject({ maxUses: 7 })
    expect((await change('abc', { maxUses: 7 })).userErrors).toMatchObject([{ code: 'NOT_FOUND' }])
    const { auditLog } = await ask(
      shop,
      admin,
      'query($id: ID!) { auditLog(filter: { entity: DISCOUNT_CODE, entityId: $id }) { items { action changes { field before after } } } }',
      { id },
    )
    expect(auditLog.items).toMatchObject([
      { action: 'UPDATED', changes: [{ field: 'maxUses', before: '5', after: '7' }] },
      { action: 'UPDATED', changes: [{ field: 'endsAt', after: null }] },
      { action: 'CREATED' },
    ])
  })

  test.each(['ACTIVE', 'PAUSED', 'SCHEDULED', 'EXPIRED', 'USED_UP'])('finds the codes that are %s', async status => {
    const wool = await yarn()
    const { id } = await percent()
    await change(id, { isPaused: true })
    await percent({ startsAt: '2036-01-01T00:00:00.000Z' })
    await percent({ endsAt: '2020-01-01T00:00:00.000Z' })
    await place(await buyer(), [line(wool)], (await percent({ maxUses: 1 })).code)
    const { discountCodes } = await ask(
      shop,
      admin,
      'query($status: DiscountCodeStatus) { discountCodes(status: $status) { total items { status } } }',
      { status },
    )
    expect(discountCodes.total).toBeGreaterThan(0)
    expect(new Set(discountCodes.items.map((each: { status: string }) => each.status))).toEqual(new Set([status]))
  })
})
