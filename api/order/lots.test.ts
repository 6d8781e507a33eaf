import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { ask, auditOf, ledgerDifferences, REFUSED } from '../testing/admin.ts'
import {
  approvedPayment,
  cancelOrder,
  capturePaypalOrder,
  createPaypalOrder,
  holdRunsOut,
  line,
  lotsOf,
  placed,
  placeOrder,
  readOrder,
  stockOf,
} from '../testing/purchase.ts'
import { makeProduct, makeUser, makeUsers, openShop, portionsOf, type Account, type TestShop } from '../testing/shop.ts'
import { lapseOrders } from './lapse-orders.ts'
import { nth, present } from '#schema/rules/present'

let shop: TestShop
let admin: Account
let nell: Account
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { isAdmin: true })
  nell = await makeUser(shop.em())
})
afterAll(() => shop?.close())

const yarnInLots = (lots: Record<string, number>) => makeProduct(shop.em(), { lots })

describe('an order of a product kept by dye lot', () => {
  it('is filled from one lot, the smallest that suffices', async () => {
    const yarn = await yarnInLots({ 4412: 30, 4417: 10, 4420: 9 })
    const order = await placed(shop, nell, [line(yarn, 10)])
    expect(order.items).toMatchObject([{ quantity: 10, lots: [{ code: '4417', quantity: 10 }] }])
    expect(await lotsOf(shop, yarn.id)).toEqual({ 4412: 30, 4417: 0, 4420: 9 })
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 39, ledger: 39, sold: 10 })
    expect((await readOrder(shop, nell, order.id)).items).toEqual(order.items)
  })

  it('is not mixed from lots before the shopper agreed, and then as they agreed', async () => {
    const yarn = await yarnInLots({ 4412: 8, 4417: 7 })
    const refused = await placeOrder(shop, nell, [line(yarn, 10)])
    expect(refused.order).toBeNull()
    expect(refused.userErrors).toEqual([
      {
        code: 'MIXED_LOTS',
        message: `One dye lot does not have so many of “${yarn.name}”: it would be 8 of lot 4412 and 2 of lot 4417. Please agree to that, or order at most 8.`,
        field: ['lines', yarn.id],
        available: 8,
      },
    ])
    const [quoted] = refused.quote.lines
    expect(quoted).toMatchObject({ quantity: 10, lots: portionsOf({ 4412: 8, 4417: 2 }), mustAgreeToLots: true })
    expect(await lotsOf(shop, yarn.id)).toEqual({ 4412: 8, 4417: 7 })
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 15, ledger: 15, sold: 0 })

    const order = await placed(shop, nell, [{ ...line(yarn, 10), lots: present(quoted).lots }])
    expect(order.items).toMatchObject([{ quantity: 10, lots: portionsOf({ 4412: 8, 4417: 2 }) }])
    expect(await lotsOf(shop, yarn.id)).toEqual({ 4412: 0, 4417: 5 })
  })

  it('is filled from the lot asked for, or refused with what there is', async () => {
    const yarn = await yarnInLots({ 4412: 8, 4417: 3 })
    const mine = (quantity: number) => ({ ...line(yarn, quantity), lots: portionsOf({ 4412: quantity }) })
    expect(nth((await placed(shop, nell, [mine(3)])).items, 0).lots).toEqual(portionsOf({ 4412: 3 }))
    const { userErrors, quote } = await placeOrder(shop, nell, [mine(6)])
    expect(userErrors).toMatchObject([
      {
        code: 'LOTS_GONE',
        message: `“${yarn.name}” cannot be had as 6 of lot 4412 any more; it can be 5 of lot 4412 and 1 of lot 4417. Please choose again.`,
        available: 5,
      },
    ])
    expect(quote.lines).toMatchObject([{ lots: portionsOf({ 4412: 5, 4417: 1 }), mustAgreeToLots: true }])
    expect(await lotsOf(shop, yarn.id)).toEqual({ 4412: 5, 4417: 3 })
  })

  it('keeps lots and lines without lots apart, and asks about every line at once', async () => {
    const [plain, one, mixed] = [
      await makeProduct(shop.em()),
      await yarnInLots({ A: 9 }),
      await yarnInLots({ B: 1, C: 1 }),
    ]
    const lines = [line(mixed, 2), line(plain, 2), line(one, 2)]
    expect((await placeOrder(shop, nell, lines)).userErrors).toMatchObject([{ field: ['lines', mixed.id] }])
    const { items } = await placed(shop, nell, lines.with(0, { ...nth(lines, 0), lots: portionsOf({ B: 1, C: 1 }) }))
    expect(items).toMatchObject([{ lots: portionsOf({ B: 1, C: 1 }) }, { lots: [] }, { lots: portionsOf({ A: 2 }) }])
    const lotOfPlain = { ...line(plain, 1), lots: portionsOf({ A: 1 }) }
    expect((await placeOrder(shop, nell, [lotOfPlain])).userErrors).toMatchObject([{ code: 'LOTS_GONE' }])
  })

  test.each([
    ['too few units', 3, [{ code: 'A', quantity: 2 }]],
    ['none', 1, []],
    ['no code', 1, [{ code: ' ', quantity: 1 }]],
    ['a code of 41 characters', 1, [{ code: 'x'.repeat(41), quantity: 1 }]],
    [
      'units below one',
      1,
      [
        { code: 'A', quantity: 2 },
        { code: 'B', quantity: -1 },
      ],
    ],
  ])('is refused with lots of %s', async (_what, quantity, lots) => {
    const yarn = await yarnInLots({ A: 5, B: 5 })
    expect((await placeOrder(shop, nell, [{ ...line(yarn, quantity), lots }])).userErrors).toMatchObject([
      { code: 'INVALID' },
    ])
  })

  it('adds up the lots of lines with the same product', async () => {
    const yarn = await yarnInLots({ A: 5, B: 5 })
    const { items } = await placed(shop, nell, [
      { ...line(yarn, 2), lots: portionsOf({ A: 2 }) },
      { ...line(yarn, 4), lots: portionsOf({ A: 1, B: 3 }) },
    ])
    expect(items).toMatchObject([{ quantity: 6, lots: portionsOf({ A: 3, B: 3 }) }])
  })
})

describe('stock that goes back', () => {
  it.each([
    ['cancelled', (id: string) => cancelOrder(shop, nell, id)],
    ['lapsed', async (id: string) => (await holdRunsOut(shop, id), await lapseOrders(shop.em()))],
    [
      'released',
      (orderId: string) =>
        ask(shop, admin, `mutation($orderId: ID!) { releaseHold(orderId: $orderId) { ${REFUSED} } }`, { orderId }),
    ],
  ])('of an order that was %s returns to its lots, and the order still tells them', async (_how, end) => {
    const yarn = await yarnInLots({ A: 8, B: 7 })
    const lots = portionsOf({ A: 8, B: 2 })
    const order = await placed(shop, nell, [{ ...line(yarn, 10), lots }])
    await end(order.id)
    expect(await lotsOf(shop, yarn.id)).toEqual({ A: 8, B: 7 })
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 15, ledger: 15, sold: 0 })
    expect((await readOrder(shop, nell, order.id)).items).toMatchObject([{ lots }])
  })

  it('makes a lot anew that was taken off the list, and one of its own for what has no lot', async () => {
    const [gone, unread, off] = [await yarnInLots({ A: 5 }), await makeProduct(shop.em()), await yarnInLots({ A: 5 })]
    const order = await placed(shop, nell, [line(gone, 2), line(unread, 3), line(off, 1)])
    await patch(gone.id, {
      lots: [
        { code: 'A', quantity: 0 },
        { code: 'B', quantity: 4 },
      ],
    })
    await patch(unread.id, { lots: [{ code: 'C', quantity: 7 }] })
    await patch(off.id, { keptByLot: false })
    await cancelOrder(shop, nell, order.id)
    expect(await lotsOf(shop, gone.id)).toEqual({ A: 2, B: 4 })
    expect(await lotsOf(shop, unread.id)).toEqual({ C: 7, unmarked: 3 })
    expect([await lotsOf(shop, off.id), (await stockOf(shop, off.id)).left]).toEqual([{}, 5])
    expect(await ledgerDifferences(shop)).toEqual([])
  })
})

describe('a lapsed order', () => {
  async function lapsed(lots: Record<string, number>, asked: Record<string, number>) {
    const yarn = await yarnInLots(lots)
    const quantity = Object.values(asked).reduce((sum, units) => sum + units, 0)
    const order = await placed(shop, nell, [{ ...line(yarn, quantity), lots: portionsOf(asked) }])
    const paypalOrderId = await approvedPayment(shop, nell, order.id)
    await holdRunsOut(shop, order.id)
    await lapseOrders(shop.em())
    return { yarn, order, paypalOrderId }
  }

  it('is paid with its own lots, though another is smaller', async () => {
    const { yarn, order, paypalOrderId } = await lapsed({ A: 9, B: 3 }, { A: 2 })
    expect((await capturePaypalOrder(shop, nell, order.id, paypalOrderId)).userErrors).toEqual([])
    expect(await lotsOf(shop, yarn.id)).toEqual({ A: 7, B: 3 })
  })

  it('is not paid while its lots are with others', async () => {
    const { yarn, order } = await lapsed({ A: 2, B: 9 }, { A: 2 })
    await placed(shop, await makeUser(shop.em()), [{ ...line(yarn), lots: portionsOf({ A: 1 }) }])
    expect((await createPaypalOrder(shop, nell, order.id)).userErrors).toMatchObject([{ code: 'LOTS_GONE' }])
    expect(await lotsOf(shop, yarn.id)).toEqual({ A: 1, B: 9 })
    expect((await readOrder(shop, nell, order.id)).status).toBe('LAPSED')
  })

  it('whose money came all the same has what lots there are, and the owner is told', async () => {
    const { yarn, order, paypalOrderId } = await lapsed({ A: 2, B: 9 }, { A: 2 })
    await placed(shop, await makeUser(shop.em()), [{ ...line(yarn), lots: portionsOf({ A: 1 }) }])
    const paid = await capturePaypalOrder(shop, nell, order.id, paypalOrderId)
    expect(paid).toMatchObject({ userErrors: [], order: { items: [{ lots: portionsOf({ A: 1, B: 1 }) }] } })
    expect(await lotsOf(shop, yarn.id)).toEqual({ A: 0, B: 8 })
    expect((await readOrder(shop, admin, order.id)).attention).toBe(
      `Paid after its hold had lapsed: of “${yarn.name}”, 2 of lot A had gone to others. It has 1 of lot A and 1 of lot B now: ask whether that will do.`,
    )
  })
})

describe('many buyers at once', () => {
  it.each([1, 2])('have no skein twice and no lot below zero, round %i', async () => {
    const lots = { A: 20, B: 12, C: 7, D: 2 }
    const yarn = await yarnInLots(lots)
    const buyers = await makeUsers(shop.em(), 30)
    const answers = await Promise.all(
      buyers.map((buyer, index) => placeOrder(shop, buyer, [line(yarn, 1 + (index % 3))])),
    )
    const sold = answers.flatMap(({ order }) => (order ? nth(order.items, 0).lots : []))
    const codes = answers.flatMap(({ userErrors }) => userErrors).map(({ code }) => code)
    expect(codes.filter(code => code !== 'OUT_OF_STOCK' && code !== 'MIXED_LOTS')).toEqual([])
    const left = await lotsOf(shop, yarn.id)
    for (const [code, units] of Object.entries(lots))
      expect([code, present(left[code]) + sumOf(sold.filter((lot: { code: string }) => lot.code === code))]).toEqual([
        code,
        units,
      ])
    expect(Math.min(...Object.values(left))).toBeGreaterThanOrEqual(0)
    expect((await stockOf(shop, yarn.id)).left).toBe(Object.values(left).reduce((sum, units) => sum + units, 0))
    expect(sold.length).toBeGreaterThan(10)
  })

  it('crossing and cancelling, lock each other out of nothing', async () => {
    const shelf = [
      await yarnInLots({ A: 60, B: 60 }),
      await yarnInLots({ C: 60, D: 60 }),
      await makeProduct(shop.em(), { countInStock: 120 }),
    ]
    const buyers = await makeUsers(shop.em(), 20)
    await Promise.all(
      buyers.map(async (buyer, index) => {
        const cart = shelf.map(each => line(each, 2))
        const order = await placed(shop, buyer, index % 2 ? cart : cart.toReversed())
        if (index % 4 < 2) await cancelOrder(shop, buyer, order.id)
      }),
    )
    for (const yarn of shelf) expect((await stockOf(shop, yarn.id)).left).toBe(120 - 2 * 10)
    for (const yarn of shelf.slice(0, 2)) expect(sumOf(portionsOf(await lotsOf(shop, yarn.id)))).toBe(120 - 2 * 10)
  })
})

const sumOf = (portions: { quantity: number }[]) => portions.reduce((sum, { quantity }) => sum + quantity, 0)

const patch = async (id: string, input: object) =>
  (
    await ask(
      shop,
      admin,
      `mutation($id: ID!, $input: ProductPatch!) { patchProduct(id: $id, input: $input) { product { countInStock keptByLot lots { code quantity } } ${REFUSED} } }`,
      { id, input },
    )
  ).patchProduct

describe('an administrator', () => {
  it('begins to keep a stock by lot, changes lots, and stops', async () => {
    const yarn = await makeProduct(shop.em(), { countInStock: 10 })
    const counted = [
      { code: ' 4417 ', quantity: 2 },
      { code: '4412', quantity: 8 },
    ]
    expect((await patch(yarn.id, { lots: counted })).product).toEqual({
      countInStock: 10,
      keptByLot: true,
      lots: portionsOf({ 4412: 8, 4417: 2 }),
    })
    await placed(shop, nell, [line(yarn, 3)])
    // Three of lot 4412 were sold since the editor saw eight.
    const change = [
      { code: '4412', quantity: 9, seen: 8 },
      { code: '4417', quantity: 0, seen: 2 },
      { code: '4420', quantity: 6 },
    ]
    expect((await patch(yarn.id, { lots: change })).product).toMatchObject({
      countInStock: 12,
      lots: portionsOf({ 4412: 6, 4420: 6 }),
    })
    expect((await patch(yarn.id, { keptByLot: false })).product).toEqual({
      countInStock: 12,
      keptByLot: false,
      lots: [],
    })
    expect((await patch(yarn.id, { countInStock: 4 })).product.countInStock).toBe(4)
    expect(await ledgerDifferences(shop)).toEqual([])
    expect(
      (await auditOf(shop, admin, yarn.id)).map(({ changes }) => changes.find(({ field }) => field === 'lots')),
    ).toEqual([
      undefined,
      { field: 'lots', before: '6 of lot 4412 and 6 of lot 4420', after: '' },
      { field: 'lots', before: '5 of lot 4412 and 2 of lot 4417', after: '6 of lot 4412 and 6 of lot 4420' },
      { field: 'lots', before: '', after: '8 of lot 4412 and 2 of lot 4417' },
    ])
  })

  it('cannot set the stock itself while it is kept by lot, and is told why', async () => {
    const yarn = await yarnInLots({ A: 5 })
    const refusal = { code: 'INVALID', message: expect.stringContaining('is kept by dye lot'), field: ['countInStock'] }
    expect((await patch(yarn.id, { countInStock: 6 })).userErrors).toMatchObject([refusal])
    expect((await patch(yarn.id, { countInStock: 5 })).userErrors).toEqual([])
    expect((await patch(yarn.id, { countInStock: 8, countInStockSeen: 8 })).userErrors).toEqual([])
    const bulk = `mutation($ids: [ID!]!) { bulkUpdateProducts(ids: $ids, change: { stockBy: 1 }) { ${REFUSED} } }`
    expect((await ask(shop, admin, bulk, { ids: [yarn.id] })).bulkUpdateProducts.userErrors).toMatchObject([
      { ...refusal, field: ['ids', yarn.id] },
    ])
    expect(await lotsOf(shop, yarn.id)).toEqual({ A: 5 })
  })

  test.each([
    [
      'the same lot twice',
      {
        lots: [
          { code: 'A', quantity: 1 },
          { code: 'a', quantity: 1 },
        ],
      },
      'INVALID',
    ],
    ['a lot below zero', { lots: [{ code: 'A', quantity: -1 }] }, 'INVALID'],
    ['fewer than were sold since', { lots: [{ code: 'A', quantity: 1, seen: 9 }] }, 'OUT_OF_STOCK'],
    ['a colon in a code', { lots: [{ code: 'A:1', quantity: 1 }] }, 'INVALID'],
    ['no lots', { lots: [] }, 'INVALID'],
    ['lots that are not kept', { lots: [{ code: 'A', quantity: 1 }], keptByLot: false }, 'INVALID'],
    [
      'too many units',
      {
        lots: [
          { code: 'A', quantity: 1_000_000 },
          { code: 'B', quantity: 1 },
        ],
      },
      'INVALID',
    ],
    [
      'too many lots',
      { lots: Array.from({ length: 51 }, (_, index) => ({ code: `L${index}`, quantity: 1 })) },
      'INVALID',
    ],
  ])('cannot say %s', async (_what, input, code) => {
    const yarn = await yarnInLots({ A: 5 })
    expect((await patch(yarn.id, input)).userErrors).toMatchObject([{ code }])
    expect(await lotsOf(shop, yarn.id)).toEqual({ A: 5 })
  })
})

test('the database itself refuses a stock that is not the sum of its lots', async () => {
  const yarn = await yarnInLots({ A: 5 })
  const break_ = (sql: string) => shop.em().execute(sql, [yarn.id])
  await expect(break_('update products set count_in_stock = 6 where id = ?')).rejects.toThrow('are not its stock')
  await expect(break_('update product_lots set quantity = 4 where product_id = ?')).rejects.toThrow('are not its stock')
  await expect(break_('update product_lots set quantity = -1 where product_id = ?')).rejects.toThrow('quantity')
  await expect(break_('update products set kept_by_lot = false where id = ?')).rejects.toThrow('are not its stock')
  await expect(break_('delete from product_lots where product_id = ?')).rejects.toThrow('are not its stock')
})
