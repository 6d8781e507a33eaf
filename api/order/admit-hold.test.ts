import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cancelOrder, createPaypalOrder, holdRunsOut, line, placed, placeOrder, stockOf } from '../testing/purchase.ts'
import { makeKey, makeProduct, makeUser, makeUsers, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { HOLD_LIMITS } from '#schema/rules/hold-limits'
import { lapseOrders } from './lapse-orders.ts'
import { nth, present } from '#schema/rules/present'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ holdLimits: HOLD_LIMITS, trustProxy: '127.0.0.1' })
})
afterAll(() => shop?.close())

let network = 0
/** A new address each time, for requests that should be told apart by account only. */
const elsewhere = () => `203.0.${113 + Math.floor(++network / 250)}.${network % 250}`

const at = (buyer: Account, address: string) => ({ ...buyer, forwardedFor: address })
const codes = (answers: { userErrors: { code: string }[] }[]) =>
  answers.flatMap(({ userErrors }) => userErrors.map(({ code }) => code))
const shelf = (countInStock = 500) => makeProduct(shop.em(), { countInStock })
async function shopper(address = elsewhere()) {
  return at(await makeUser(shop.em()), address)
}

describe('one account', () => {
  it('has at most five unpaid orders, however many it places at once, and is told what to do', async () => {
    const [nell, yarn] = [await shopper(), await shelf()]
    const answers = await Promise.all(Array.from({ length: 20 }, () => placeOrder(shop, nell, [line(yarn)])))
    expect(answers.filter(({ order }) => order)).toHaveLength(5)
    expect(codes(answers)).toEqual(Array(15).fill('TOO_MANY_UNPAID_ORDERS'))
    expect(nth(present(answers.find(({ order }) => !order)).userErrors, 0).message).toBe(
      'You have 5 unpaid orders, and 5 are the most at a time. Please pay or cancel one of them: they are listed in your profile.',
    )
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 495, ledger: 495, sold: 5 })
  })

  it('has room again when one is cancelled, lapses or is paid', async () => {
    const [nell, yarn] = [await shopper(), await shelf()]
    const orders = []
    for (let index = 0; index < 5; index++) orders.push(await placed(shop, nell, [line(yarn)]))
    const full = async () => codes([await placeOrder(shop, nell, [line(yarn)])])
    expect(await full()).toEqual(['TOO_MANY_UNPAID_ORDERS'])
    expect((await cancelOrder(shop, nell, nth(orders, 0).id)).userErrors).toEqual([])
    expect(await full()).toEqual([])
    expect(await full()).toEqual(['TOO_MANY_UNPAID_ORDERS'])
    await holdRunsOut(shop, nth(orders, 1).id)
    await lapseOrders(shop.em())
    expect(await full()).toEqual([])
    // Paying the lapsed order would hold one too many now.
    expect(codes([await createPaypalOrder(shop, nell, nth(orders, 1).id)])).toEqual(['TOO_MANY_UNPAID_ORDERS'])
  })

  it('has at most 200 units set aside, however it asks', async () => {
    const nell = await shopper()
    const yarns = [await shelf(2_000), await shelf(2_000), await shelf(2_000)]
    expect(codes([await placeOrder(shop, nell, [line(nth(yarns, 0), 201)])])).toEqual(['TOO_MANY_UNITS_HELD'])
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, index) => placeOrder(shop, nell, [line(nth(yarns, index % 3), 70)])),
    )
    expect(answers.filter(({ order }) => order)).toHaveLength(2)
    expect(codes(answers)).toEqual(Array(7).fill('TOO_MANY_UNITS_HELD'))
  })

  it('that has never paid leaves half of a product to others, beyond the yarn for a blanket', async () => {
    const [nell, yarn, rest] = [await shopper(), await shelf(60), await shelf(20)]
    expect(await placed(shop, nell, [line(rest, 20)])).toMatchObject({ status: 'UNPAID' })
    const { order, userErrors } = await placeOrder(shop, nell, [line(yarn, 31)])
    expect(order).toBeNull()
    expect(userErrors).toEqual([
      {
        code: 'TOO_MANY_UNITS_HELD',
        message: expect.stringContaining('at most 30 units'),
        field: ['lines', yarn.id],
        available: 30,
      },
    ])
    await placed(shop, nell, [line(yarn, 20)])
    expect((await placeOrder(shop, nell, [line(yarn, 11)])).userErrors).toMatchObject([
      { code: 'TOO_MANY_UNITS_HELD', available: 10 },
    ])
    await shop
      .em()
      .execute(
        `update orders set paid_at = now(), held_until = null where user_id = ? and id in (select order_id from order_items where product_id = ?)`,
        [nell.id, rest.id],
      )
    await placed(shop, nell, [line(yarn, 40)])
  })

  it('whose email is not confirmed has at most 50 units set aside, until it is', async () => {
    const [nell, yarn] = [await shopper(), await shelf()]
    const verified = (when: string) =>
      shop.em().execute(`update users set email_verified_at = ${when} where id = ?`, [nell.id])
    await verified('null')
    await placed(shop, nell, [line(yarn, 50)])
    const { order, userErrors } = await placeOrder(shop, nell, [line(yarn)])
    expect(order).toBeNull()
    expect(userErrors).toMatchObject([
      {
        code: 'TOO_MANY_UNITS_HELD',
        message: expect.stringContaining('Until your email address is confirmed, at most 50 units'),
      },
    ])
    await verified('now()')
    await placed(shop, nell, [line(yarn)])
  })

  it('that sends the same order again is answered with it, although there is no room for another', async () => {
    const [nell, yarn] = [await shopper(), await shelf()]
    for (let index = 0; index < 4; index++) await placed(shop, nell, [line(yarn)])
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => placeOrder(shop, nell, [line(yarn)], { idempotencyKey: 'the fifth' })),
    )
    expect(codes(answers)).toEqual([])
    expect(new Set(answers.map(({ order }) => order.id)).size).toBe(1)
  })

  it('is held to it over REST alike', async () => {
    const [nell, yarn] = [await shopper(), await shelf()]
    for (let index = 0; index < 5; index++) await placed(shop, nell, [line(yarn)])
    const response = await fetch(`${shop.url}/api/orders`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${nell.token}`,
        'x-forwarded-for': nell.forwardedFor,
      },
      body: JSON.stringify({
        orderItems: [{ product: yarn.id, quantity: 1 }],
        shippingAddress: { name: 'Nell', country: 'US' },
      }),
    })
    expect(response.status).toBe(409)
    expect(await response.json()).toEqual({
      code: 'TOO_MANY_UNPAID_ORDERS',
      message: expect.stringContaining('Please pay or cancel one'),
    })
  })
})

describe('one address', () => {
  it('has room for a yarn group, and no more than thirty unpaid orders of however many accounts', async () => {
    const [address, yarn] = [elsewhere(), await shelf()]
    const group = (await makeUsers(shop.em(), 40)).map(each => at(each, address))
    const answers = await Promise.all(group.map(each => placeOrder(shop, each, [line(yarn)])))
    expect(answers.filter(({ order }) => order)).toHaveLength(30)
    expect(codes(answers)).toEqual(Array(10).fill('TOO_MANY_UNPAID_ORDERS'))
    expect(await placed(shop, at(nth(group, 39), elsewhere()), [line(yarn)])).toMatchObject({ status: 'UNPAID' })
  })

  it('has at most 600 units set aside', async () => {
    const [address, yarn] = [elsewhere(), await shelf(5_000)]
    const group = (await makeUsers(shop.em(), 6)).map(each => at(each, address))
    const answers = await Promise.all(group.map(each => placeOrder(shop, each, [line(yarn, 150)])))
    expect(answers.filter(({ order }) => order)).toHaveLength(4)
    expect(codes(answers)).toEqual(Array(2).fill('TOO_MANY_UNITS_HELD'))
  })

  it('is kept as a hash, and only while the order holds stock', async () => {
    const [nell, yarn] = [await shopper('198.51.100.7'), await shelf()]
    const order = await placed(shop, nell, [line(yarn)])
    const from = async () =>
      nth(
        await shop
          .em()
          .execute<{ placed_from: string | null }[]>('select placed_from from orders where id = ?', [order.id]),
        0,
      ).placed_from
    expect(await from()).toMatch(/^[0-9a-f]{64}$/)
    await holdRunsOut(shop, order.id)
    await lapseOrders(shop.em())
    expect(await from()).toBeNull()
  })

  it('of a partner’s program is not counted: many shoppers stand behind it', async () => {
    const [address, yarn] = [elsewhere(), await shelf()]
    const owners = await makeUsers(shop.em(), 32)
    const keys = await Promise.all(
      owners.map(async owner => at({ ...owner, ...(await makeKey(shop.em(), owner, ['WRITE_ORDERS'])) }, address)),
    )
    expect(codes(await Promise.all(keys.map(key => placeOrder(shop, key, [line(yarn)]))))).toEqual([])
  })
})
