import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADDRESS, bought, line, ORDER, placed, placeOrder, readOrder } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())

async function deliver(id: string) {
  return (
    await shop.gql(
      `mutation($id: ID!) { deliverOrder(id: $id) { order { ${ORDER} } userErrors { code } } }`,
      { id },
      admin,
    )
  ).data.deliverOrder
}

describe('an estimate of delivery', () => {
  const read = async (id: string, dates: Record<string, string | null> = {}) => {
    for (const [column, value] of Object.entries(dates))
      await shop.em().execute(`update orders set ${column} = ? where id = ?`, [value, id])
    return (await shop.gql('query($id: ID!) { order(id: $id) { deliveryEstimate { from to } } }', { id }, admin)).data
      .order.deliveryEstimate
  }

  it('counts business days from payment, then from the last parcel, and ends at the door', async () => {
    const { id } = await placed(shop, await makeUser(shop.em()), [line(await makeProduct(shop.em()))])
    expect(await read(id)).toEqual({ from: expect.any(String), to: expect.any(String) })
    // Friday evening in the shop's time zone, and Saturday in UTC.
    expect(await read(id, { held_until: null, paid_at: '2026-05-02T02:00:00Z' })).toEqual({
      from: '2026-05-06',
      to: '2026-05-11',
    })
    expect(await read(id, { first_sent_at: '2026-05-04T15:00:00Z', sent_at: '2026-05-04T15:00:00Z' })).toEqual({
      from: '2026-05-06',
      to: '2026-05-08',
    })
    expect(await read(id, { delivered_at: '2026-05-07T15:00:00Z' })).toBeNull()
  })

  it('takes longer abroad', async () => {
    const shippingAddress = { ...ADDRESS, country: 'Germany' }
    const lines = [line(await makeProduct(shop.em()))]
    const { order } = await placeOrder(shop, await makeUser(shop.em()), lines, { shippingAddress })
    expect(await read(order.id, { held_until: null, paid_at: '2026-05-01T15:00:00Z' })).toEqual({
      from: '2026-05-13',
      to: '2026-05-26',
    })
  })
})

describe('delivery', () => {
  it('comes after payment and happens once', async () => {
    const [nell, yarn] = [await makeUser(shop.em()), await makeProduct(shop.em())]
    const unpaid = await placed(shop, nell, [line(yarn)])
    expect(await deliver(unpaid.id)).toMatchObject({ userErrors: [{ code: 'NOT_PAID' }] })
    expect(await readOrder(shop, nell, unpaid.id)).toMatchObject({ status: 'UNPAID', deliveredAt: null })

    const paid = await bought(shop, nell, [line(yarn)])
    const { order } = await deliver(paid.id)
    expect(order).toMatchObject({
      status: 'DELIVERED',
      isDelivered: true,
      deliveredAt: expect.any(String),
      paidAt: paid.paidAt,
    })
    expect(await deliver(paid.id)).toMatchObject({ userErrors: [{ code: 'ALREADY_DELIVERED' }] })
    expect(await readOrder(shop, nell, paid.id)).toMatchObject({ status: 'DELIVERED', deliveredAt: order.deliveredAt })
  })

  it('by ten clicks at once is one delivery', async () => {
    const paid = await bought(shop, await makeUser(shop.em()), [line(await makeProduct(shop.em()))])
    const answers = await Promise.all(Array.from({ length: 10 }, () => deliver(paid.id)))
    expect(answers.filter(({ userErrors }) => userErrors.length === 0)).toHaveLength(1)
    expect(answers.flatMap(({ userErrors }) => userErrors)).toEqual(
      Array.from({ length: 9 }, () => ({ code: 'ALREADY_DELIVERED' })),
    )
  })

  it.each(['0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c', 'abc', ''])('of order %j is not found', async id => {
    expect(await deliver(id)).toMatchObject({ order: null, userErrors: [{ code: 'NOT_FOUND' }] })
  })
})

describe('a shopper’s orders', () => {
  it('are her own, newest first', async () => {
    const [nell, purl, yarn] = [await makeUser(shop.em()), await makeUser(shop.em()), await makeProduct(shop.em())]
    const first = await placed(shop, nell, [line(yarn)])
    await placed(shop, purl, [line(yarn)])
    const second = await placed(shop, nell, [line(yarn, 2)])
    const { data } = await shop.gql(`{ myOrders { ${ORDER} } }`, {}, nell)
    expect(data.myOrders).toEqual([second, first])
  })

  it('look to anyone else as if they were not there', async () => {
    const order = await placed(shop, await makeUser(shop.em()), [line(await makeProduct(shop.em()))])
    const stranger = await makeUser(shop.em())
    const ask = (id: string) => shop.gql('query($id: ID!) { order(id: $id) { id } }', { id }, stranger)
    expect(await ask(order.id)).toEqual({ status: 200, data: { order: null } })
    expect(await ask(order.id)).toEqual(await ask('0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c'))
    expect(await ask(order.id)).toEqual(await ask('abc'))
  })

  it('keep the buyer as she was called when she bought', async () => {
    const nell = await makeUser(shop.em(), { name: 'Nell' })
    const order = await placed(shop, nell, [line(await makeProduct(shop.em()))])
    await shop.gql(
      'mutation($id: ID!, $input: UserInput!) { updateUser(id: $id, input: $input) { userErrors { code } } }',
      { id: nell.id, input: { name: 'Eleanor', email: 'eleanor@example.com', isAdmin: false } },
      await makeUser(shop.em(), { isAdmin: true }),
    )
    expect(await readOrder(shop, nell, order.id)).toMatchObject({ user: { name: 'Nell', email: nell.user.email } })
  })
})

it('the administrator sees every order, and counts them', async () => {
  const own = await openShop()
  try {
    const [owner, nell, purl, yarn] = [
      await makeUser(own.em(), { isAdmin: true }),
      await makeUser(own.em()),
      await makeUser(own.em()),
      await makeProduct(own.em(), { countInStock: 50 }),
    ]
    const ask = () =>
      own.gql(`{ orders { items { ${ORDER} } } orderStats { totalOrders productsOrdered fulfilledOrders } }`, {}, owner)
    expect((await ask()).data).toEqual({
      orders: { items: [] },
      orderStats: { totalOrders: 0, productsOrdered: 0, fulfilledOrders: 0 },
    })

    const first = await placed(own, nell, [line(yarn, 3)])
    const second = await bought(own, purl, [line(yarn, 2)])
    await own.gql('mutation($id: ID!) { deliverOrder(id: $id) { userErrors { code } } }', { id: second.id }, owner)
    const { data } = await ask()
    expect(data.orders.items.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id])
    expect(data.orderStats).toEqual({ totalOrders: 2, productsOrdered: 5, fulfilledOrders: 1 })
  } finally {
    await own.close()
  }
})
