import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { nth } from '#schema/rules/present'
import { ask, auditOf } from '../testing/admin.ts'
import { mailsTo, tokenIn } from '../testing/mail.ts'
import { ADDRESS, bought, buyerDoes, createPaypalOrder, line, placed, readOrder, stockOf } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { lapseOrders } from './lapse-orders.ts'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  // Nobody may hold more than one order of three units.
  const holdLimits = { ordersPerAccount: 1, unitsPerAccount: 3, ordersPerAddress: 1, unitsPerAddress: 3 }
  shop = await openShop({ mail: { to: 'mailbox' }, holdLimits })
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())

let customers = 0
const newCustomer = () => `customer${++customers}@example.com`

const PLACE = `mutation($input: PlaceOrderForInput!) {
  placeOrderFor(input: $input) {
    order { id reference status heldUntil totalPrice customerNote user { userId name email isGuest } }
    orderToken quote { totalPrice } userErrors { code message field }
  }
}`

const taking = async (input: object) =>
  (await ask(shop, admin, PLACE, { input: { customerEmail: newCustomer(), shippingAddress: ADDRESS, ...input } }))
    .placeOrderFor
async function taken(input: object) {
  const { order, userErrors, ...rest } = await taking(input)
  expect(userErrors).toEqual([])
  return { order, ...rest }
}
const daysUntil = (instant: string) => (Date.parse(instant) - Date.now()) / 86_400_000

describe('an order taken for a customer', () => {
  it('is theirs by the letter they get, waits for days, and is paid as any other', async () => {
    const [yarn, customerEmail] = [await makeProduct(shop.em()), newCustomer()]
    const { order, orderToken } = await taken({ customerEmail, lines: [line(yarn, 4)], customerNote: 'A present' })
    expect(order).toMatchObject({
      status: 'UNPAID',
      customerNote: 'A present',
      user: { userId: order.id, name: ADDRESS.name, email: customerEmail, isGuest: true },
    })
    expect(orderToken).toBeNull()
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 6, ledger: 6, sold: 4 })
    expect(daysUntil(order.heldUntil)).toBeCloseTo(3, 2)

    const [letter] = await mailsTo(shop, customerEmail)
    const headers = { 'content-type': 'application/json', 'x-order-token': tokenIn(letter) }
    const send = async (query: string, more: object = {}) =>
      (await (await shop.send(JSON.stringify({ query, variables: { id: order.id, ...more } }), headers)).json()) as {
        data: Record<string, Record<string, string>>
      }
    const opened = await send('mutation($id: ID!) { createPaypalOrder(orderId: $id) { paypalOrderId } }')
    const paypalOrderId = String(opened.data.createPaypalOrder?.paypalOrderId)
    // To begin to pay does not end the days.
    expect((await readOrder(shop, admin, order.id)).heldUntil).toBe(order.heldUntil)
    await buyerDoes(shop, 'approve', paypalOrderId)
    await send(
      'mutation($id: ID!, $paypalOrderId: ID!) { capturePaypalOrder(orderId: $id, paypalOrderId: $paypalOrderId) { captureId } }',
      { paypalOrderId },
    )
    expect(await readOrder(shop, admin, order.id)).toMatchObject({ status: 'PAID', heldUntil: null })
  })

  it('is the account’s that has confirmed the address, and of no other', async () => {
    const [yarn, nell] = [await makeProduct(shop.em()), await makeUser(shop.em(), { name: 'Nell' })]
    const stranger = await makeUser(shop.em(), { emailVerifiedAt: null })
    const mine = async (who: Account) => (await ask(shop, who, '{ myOrders { id } }')).myOrders
    const { order } = await taken({ customerEmail: nell.user.email.toUpperCase(), lines: [line(yarn)] })
    expect(order.user).toEqual({ userId: nell.user.id, name: 'Nell', email: nell.user.email, isGuest: false })
    expect(await mine(nell)).toEqual([{ id: order.id }])
    expect((await createPaypalOrder(shop, nell, order.id)).userErrors).toEqual([])

    await taken({ customerEmail: stranger.user.email, lines: [line(yarn)] })
    expect(await mine(stranger)).toEqual([])
  })

  it('is limited by what is there alone, and counts against nobody’s network', async () => {
    const [yarn, customerEmail] = [await makeProduct(shop.em()), newCustomer()]
    await taken({ customerEmail, lines: [line(yarn, 5)] })
    await taken({ customerEmail, lines: [line(yarn, 4)] })
    expect(await taking({ customerEmail, lines: [line(yarn, 2)] })).toMatchObject({
      order: null,
      quote: { totalPrice: expect.any(Number) },
      userErrors: [{ code: 'OUT_OF_STOCK' }],
    })
    // From the address that the others came from.
    await placed(shop, await makeUser(shop.em()), [line(yarn)])
  })

  it('gives its stock back when its days are over', async () => {
    const yarn = await makeProduct(shop.em())
    await taken({ lines: [line(yarn, 3)], holdDays: 2 })
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000)
    await lapseOrders(shop.em(), inHours(47))
    expect((await stockOf(shop, yarn.id)).left).toBe(7)
    await lapseOrders(shop.em(), inHours(49))
    expect((await stockOf(shop, yarn.id)).left).toBe(10)
  })

  it('is placed once, however often the same is sent', async () => {
    const yarn = await makeProduct(shop.em())
    const input = { customerEmail: newCustomer(), lines: [line(yarn)], idempotencyKey: 'a key that nobody guesses' }
    const { order } = await taken(input)
    expect((await taken(input)).order.id).toBe(order.id)
    expect((await taking({ ...input, lines: [line(yarn, 2)] })).userErrors).toMatchObject([
      { code: 'IDEMPOTENCY_MISMATCH' },
    ])
    expect((await stockOf(shop, yarn.id)).left).toBe(9)
  })

  it('is quoted for the customer, not for who takes it', async () => {
    const [yarn, nell, asker] = [await makeProduct(shop.em()), await makeUser(shop.em()), await makeUser(shop.em())]
    await bought(shop, nell, [line(yarn)])
    const quote = async (customerEmail: string | null, who = admin) =>
      (
        await ask(
          shop,
          who,
          `query($customerEmail: String, $lines: [CartLineInput!]!) {
             quoteOrderFor(customerEmail: $customerEmail, lines: $lines, code: "CASTON15") { discount totalPrice userErrors { code } }
           }`,
          { customerEmail, lines: [line(yarn)] },
        )
      ).quoteOrderFor
    expect((await quote(nell.user.email)).userErrors).toEqual([{ code: 'CODE_FIRST_ORDER' }])
    for (const customerEmail of [asker.user.email, newCustomer(), 'nell', null])
      expect(await quote(customerEmail)).toMatchObject({ discount: expect.any(Number), userErrors: [] })
    const { order } = await taken({ customerEmail: asker.user.email, lines: [line(yarn)], code: 'CASTON15' })
    expect(order.totalPrice).toBe((await quote(newCustomer())).totalPrice)
  })

  it('has a history that begins with who took it', async () => {
    const { order } = await taken({ lines: [line(await makeProduct(shop.em()))] })
    expect(nth(await auditOf(shop, admin, order.id), 0)).toMatchObject({
      action: 'CREATED',
      label: order.reference,
      actor: { userId: admin.user.id },
      changes: [{ field: 'totalPrice', before: null, after: String(order.totalPrice) }],
    })
  })

  test.each<[title: string, input: object, refusal: object]>([
    ['an address that is none', { customerEmail: 'nell' }, { code: 'INVALID', field: ['customerEmail'] }],
    ['nothing', { lines: [] }, { code: 'CART_EMPTY' }],
    ['no day', { holdDays: 0 }, { code: 'INVALID', field: ['holdDays'] }],
    ['a season', { holdDays: 31 }, { code: 'INVALID', field: ['holdDays'] }],
    ['a key that is guessed', { idempotencyKey: '1' }, { code: 'INVALID', field: ['idempotencyKey'] }],
    ['no country', { shippingAddress: { name: 'Nell', country: '' } }, { code: 'INVALID' }],
    ['another total', { expectedTotal: 1 }, { code: 'PRICE_CHANGED' }],
    ['a code that is none', { code: 'NOTACODE' }, { code: 'CODE_UNKNOWN', field: ['code'] }],
  ])('is refused with %s', async (_title, input, refusal) => {
    const yarn = await makeProduct(shop.em())
    expect(await taking({ lines: [line(yarn)], ...input })).toMatchObject({ order: null, userErrors: [refusal] })
    expect((await stockOf(shop, yarn.id)).left).toBe(10)
  })
})
