import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nth } from '#schema/rules/present'
import { ask, auditOf } from '../testing/admin.ts'
import { mailsTo, tokenIn } from '../testing/mail.ts'
import { ADDRESS, cancelOrder, line, placed } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop({ mail: { to: 'mailbox' } })
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())

let guests = 0
const newGuest = () => `lost${++guests}@example.com`

async function placedByGuest(guestEmail: string) {
  const { placeOrder } = await ask(
    shop,
    null,
    'mutation($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id reference } orderToken userErrors { code } } }',
    { input: { guestEmail, lines: [line(await makeProduct(shop.em()))], shippingAddress: ADDRESS, code: 'CASTON15' } },
  )
  return placeOrder
}
const resend = async (orderId: string, email?: string) =>
  (
    await ask(
      shop,
      admin,
      `mutation($orderId: ID!, $email: String) {
         resendOrderLetter(orderId: $orderId, email: $email) { order { user { email isGuest } } userErrors { code field } }
       }`,
      { orderId, email },
    )
  ).resendOrderLetter

/** Whether a token opens an order. */
async function opens(orderToken: string, id: string): Promise<boolean> {
  const response = await shop.send(
    JSON.stringify({ query: 'query($id: ID!) { order(id: $id) { id } }', variables: { id } }),
    {
      'content-type': 'application/json',
      'x-order-token': orderToken,
    },
  )
  return ((await response.json()) as { data?: { order: object | null } }).data?.order?.constructor === Object
}

describe('the letter about an order', () => {
  it('is sent again to who lost it, with a link that works beside the first', async () => {
    const guest = newGuest()
    const { order, orderToken } = await placedByGuest(guest)
    const [first] = await mailsTo(shop, guest)
    expect((await resend(order.id)).userErrors).toEqual([])
    const [, again] = await mailsTo(shop, guest, 2)
    for (const token of [orderToken, tokenIn(first), tokenIn(again)]) expect(await opens(token, order.id)).toBe(true)
    expect(nth(await auditOf(shop, admin, order.id), 0)).toMatchObject({
      action: 'LETTER_SENT',
      label: order.reference,
      changes: [],
    })
  })

  it('goes to a guest’s right address, and nothing that went out before opens the order', async () => {
    const [wrong, right] = [newGuest(), newGuest()]
    const { order, orderToken } = await placedByGuest(wrong)
    const [first] = await mailsTo(shop, wrong)
    expect(await resend(order.id, right)).toEqual({
      order: { user: { email: right, isGuest: true } },
      userErrors: [],
    })
    const [again] = await mailsTo(shop, right)
    expect(await opens(tokenIn(again), order.id)).toBe(true)
    for (const token of [orderToken, tokenIn(first)]) expect(await opens(token, order.id)).toBe(false)
    // The order counts for the right person from now on, its code, too.
    const [{ theirs }] = await shop
      .em()
      .execute<[{ theirs: boolean }]>(
        'select o.guest_key = ? and u.guest_key = ? as theirs from orders o join code_uses u on u.order_id = o.id where o.id = ?',
        [right, right, order.id],
      )
    expect(theirs).toBe(true)
  })

  it('goes where an account’s owner wants it, and nowhere else', async () => {
    const nell = await makeUser(shop.em())
    const { id } = await placed(shop, nell, [line(await makeProduct(shop.em()))])
    expect((await resend(id)).userErrors).toEqual([])
    await mailsTo(shop, nell.user.email, 2)
    expect((await resend(id, newGuest())).userErrors).toEqual([{ code: 'INVALID', field: ['email'] }])
    expect((await resend(id, 'nell')).userErrors).toEqual([{ code: 'INVALID', field: ['email'] }])
    await cancelOrder(shop, nell, id)
    expect((await resend(id)).userErrors).toMatchObject([{ code: 'ORDER_CANCELLED' }])
    expect((await resend('nowhere')).userErrors).toMatchObject([{ code: 'NOT_FOUND' }])
  })
})
