import { setTimeout as sleep } from 'node:timers/promises'
import { extractText } from 'unpdf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_DELIVERY } from '#schema/rules/delivery'
import { nth, present } from '#schema/rules/present'
import { ask, REFUSED, upload } from '../testing/admin.ts'
import { lockWaits } from '../testing/lock-waits.ts'
import { mailsTo } from '../testing/mail.ts'
import {
  approvedPayment,
  bought,
  capturePaypalOrder,
  createPaypalOrder,
  holdRunsOut,
  line,
  placed,
  placeOrder,
  stockOf,
} from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { lapseOrders } from './lapse-orders.ts'
import { tellExpected } from './tell-expected.ts'

let shop: TestShop
let admin: Account
let nell: Account
beforeAll(async () => {
  // Parcels leave on the day and arrive on the next.
  const delivery = { ...DEFAULT_DELIVERY, handling: { min: 0, max: 0 }, domestic: { min: 1, max: 1 } }
  shop = await openShop({ mail: { to: 'mailbox' }, delivery })
  admin = await makeUser(shop.em(), { isAdmin: true })
  nell = await makeUser(shop.em())
})
afterAll(() => shop?.close())

const ahead = (expectedOn = '2031-12-01', countInStock = 10) => makeProduct(shop.em(), { expectedOn, countInStock })

/** Says when a delivery is expected; an empty day, that it is here. */
const setDay = async (id: string, expectedOn: string) => {
  const { patchProduct } = await ask(
    shop,
    admin,
    `mutation($id: ID!, $input: ProductPatch!) { patchProduct(id: $id, input: $input) { product { expectedOn } ${REFUSED} } }`,
    { id, input: { expectedOn } },
  )
  return patchProduct
}

const read = async (id: string, who = nell) =>
  (
    await ask(
      shop,
      who,
      `query($id: ID!) { order(id: $id) {
        expectedOn version deliveryEstimate { from to } items { productId expectedOn fulfilledQuantity }
      } }`,
      { id },
    )
  ).order

const daysOf = async (id: string) => (await read(id))?.items.map(({ expectedOn }) => expectedOn)

const fulfil = async (id: string, lines: { productId: string; quantity: number }[] | null = null) =>
  (
    await ask(
      shop,
      admin,
      `mutation($id: ID!, $lines: [FulfilmentLineInput!]) { fulfilOrder(id: $id, lines: $lines) {
        fulfilment { lines { item { productId } quantity } } ${REFUSED} } }`,
      { id, lines },
    )
  ).fulfilOrder

const importDays = async (csv: string) => {
  const { importProducts } = (
    await upload(
      shop,
      admin,
      `mutation($csv: Upload!) { importProducts(csv: $csv) { productImport { id
        rows { items { sku action changes { field before after } reasons } } } ${REFUSED} } }`,
      'csv',
      new Blob([csv]),
      'days.csv',
    )
  ).data
  return present(importProducts.productImport)
}

describe('a product that is expected', () => {
  it('says so to everybody, and takes no orders for more than comes', async () => {
    const yarn = await ahead('2031-12-01', 2)
    const { product } = await ask(shop, null, 'query($id: ID!) { product(id: $id) { countInStock expectedOn } }', {
      id: yarn.id,
    })
    expect(product).toEqual({ countInStock: 2, expectedOn: '2031-12-01' })
    await placed(shop, nell, [line(yarn, 2)])
    const { userErrors } = await placeOrder(shop, nell, [line(yarn)])
    expect(userErrors).toMatchObject([{ code: 'OUT_OF_STOCK', available: 0 }])
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 0, ledger: 0, sold: 2 })
  })

  it.each(['2031-02-30', '1.12.2031', '2031-12-01T00:00:00Z', '0000-00-00', 'soon'])(
    'is not expected on %j',
    async day => {
      const yarn = await makeProduct(shop.em())
      expect((await setDay(yarn.id, day)).userErrors).toEqual([
        {
          code: 'INVALID',
          message: 'Expected on must be a day such as 2026-12-24.',
          field: ['expectedOn'],
          available: null,
        },
      ])
    },
  )

  it('is expected on no day that has passed, and keeps one that passes', async () => {
    const yarn = await makeProduct(shop.em(), { sku: 'LATE-1' })
    expect((await setDay(yarn.id, '2026-01-02')).userErrors).toMatchObject([
      { message: 'Expected on must not be a day that has passed.', field: ['expectedOn'] },
    ])
    expect((await importDays('sku,expected_on\nLATE-1,2026-01-02')).rows.items).toMatchObject([
      { action: 'REFUSED', reasons: ['Expected on must not be a day that has passed.'] },
    ])
    await shop.em().execute(`update products set expected_on = '2026-01-02' where id = ?`, [yarn.id])
    expect((await setDay(yarn.id, '2026-01-02')).userErrors).toEqual([])
    expect((await importDays('sku,expected_on\nLATE-1,2026-01-02')).rows.items).toMatchObject([{ action: 'UNCHANGED' }])
  })

  it('stays expected until somebody says that it is here, whatever else is saved', async () => {
    const yarn = await ahead()
    const { patchProduct } = await ask(
      shop,
      admin,
      `mutation($id: ID!) { patchProduct(id: $id, input: { name: "Other", expectedOn: null }) { product { name expectedOn } ${REFUSED} } }`,
      { id: yarn.id },
    )
    expect(patchProduct.product).toEqual({ name: 'Other', expectedOn: '2031-12-01' })
    expect((await setDay(yarn.id, '')).product).toEqual({ expectedOn: null })
  })

  it('tells its owner how many are ordered ahead', async () => {
    const yarn = await ahead('2031-12-01', 20)
    await placed(shop, nell, [line(yarn, 1)])
    const lapsing = await placed(shop, nell, [line(yarn, 2)])
    await holdRunsOut(shop, lapsing.id)
    await lapseOrders(shop.em())
    const partly = await bought(shop, nell, [line(yarn, 4)])
    await fulfil(partly.id, [line(yarn, 1)])
    const count = async () =>
      (await ask(shop, admin, 'query($id: ID!) { product(id: $id) { preordered } }', { id: yarn.id })).product
        ?.preordered
    expect(await count()).toBe(4)
    await setDay(yarn.id, '')
    expect(await count()).toBe(0)
  })

  it('is listed for administrators, and changed by a spreadsheet, which can be undone', async () => {
    const [sooner, later] = [
      await makeProduct(shop.em(), { sku: 'SOON-1', category: 'By spreadsheet', expectedOn: '2031-12-01' }),
      await makeProduct(shop.em(), { sku: 'LATER-1', category: 'By spreadsheet' }),
    ]
    const csv = 'sku,expected_on\nSOON-1,\nLATER-1,2032-01-15\nSOON-2,tomorrow'
    const { id, rows } = await importDays(csv)
    expect(rows.items).toMatchObject([
      { sku: 'SOON-1', changes: [{ field: 'expectedOn', before: '2031-12-01', after: null }] },
      { sku: 'LATER-1', changes: [{ field: 'expectedOn', before: null, after: '2032-01-15' }] },
      { sku: 'SOON-2', action: 'REFUSED' },
    ])
    expect(nth(rows.items, 2).reasons).toContain('Expected on must be a day such as 2026-12-24.')
    const order = await placed(shop, nell, [line(sooner)])
    const listed = async () =>
      (
        await ask(
          shop,
          admin,
          'query { adminProducts(filter: { stock: EXPECTED, category: "By spreadsheet" }) { items { id expectedOn } } }',
        )
      ).adminProducts.items
    expect(await listed()).toEqual([{ id: sooner.id, expectedOn: '2031-12-01' }])
    await ask(shop, admin, `mutation($id: ID!) { applyImport(id: $id) { ${REFUSED} } }`, { id })
    expect(await listed()).toEqual([{ id: later.id, expectedOn: '2032-01-15' }])
    expect(await daysOf(order.id)).toEqual([null])
    await ask(shop, admin, `mutation($id: ID!) { undoImport(id: $id) { ${REFUSED} } }`, { id })
    expect(await listed()).toEqual([{ id: sooner.id, expectedOn: '2031-12-01' }])
    const { exportProducts } = await ask(
      shop,
      admin,
      'query { exportProducts(filter: { stock: EXPECTED, search: "SOON" }) }',
    )
    expect(exportProducts).toMatch(/expected_on[^\n]*\n.*2031-12-01/)
  })

  it('is in feeds as what it is', async () => {
    const yarn = await ahead()
    const rows = (await (await fetch(`${shop.url}/feeds/products.tsv`)).text()).split('\n').map(row => row.split('\t'))
    const cell = (name: string) => rows.find(([id]) => id === yarn.id)?.[nth(rows, 0).indexOf(name)]
    expect([cell('availability'), cell('availability_date')]).toEqual(['preorder', '2031-12-01T00:00Z'])
  })
})

describe('what is ordered ahead', () => {
  it('keeps the day it is expected, and arrives after it', async () => {
    const [later, sooner, here] = [await ahead('2031-12-01'), await ahead('2031-11-03'), await makeProduct(shop.em())]
    const { id } = await placed(shop, nell, [line(later), line(sooner), line(here)])
    expect(await read(id)).toMatchObject({
      expectedOn: '2031-12-01',
      // A Monday, and the day after.
      deliveryEstimate: { from: '2031-12-02', to: '2031-12-02' },
      items: [{ expectedOn: '2031-12-01' }, { expectedOn: '2031-11-03' }, { expectedOn: null }],
    })
  })

  it('follows the delivery it waits for, and not the one after', async () => {
    const yarn = await ahead('2031-12-01')
    const first = await placed(shop, nell, [line(yarn)])
    await setDay(yarn.id, '2031-12-15')
    expect(await daysOf(first.id)).toEqual(['2031-12-15'])
    // It is here, and at once the next delivery is sold.
    await setDay(yarn.id, '')
    await setDay(yarn.id, '2032-03-01')
    expect(await daysOf(first.id)).toEqual([null])
    expect(await daysOf((await placed(shop, nell, [line(yarn)])).id)).toEqual(['2032-03-01'])
  })

  it('is of the delivery that the product had when its stock was taken, however the two cross', async () => {
    const yarn = await ahead('2031-12-01')
    const em = shop.em()
    let order: ReturnType<typeof placed> | undefined
    await em.transactional(async tx => {
      await tx.execute('update products set expected_on = null where id = ?', [yarn.id])
      order = placed(shop, nell, [line(yarn)])
      await lockWaits(em)
    })
    expect(await daysOf((await present(order)).id)).toEqual([null])
  })

  it('goes into no parcel by itself, and into one that names it', async () => {
    const [yarn, needle] = [await ahead(), await makeProduct(shop.em())]
    const order = await bought(shop, nell, [line(yarn, 2), line(needle)])
    const slip = async () => {
      const answer = await fetch(`${shop.url}/api/orders/packing-slips.pdf?ids=${order.id}`, {
        headers: { authorization: `Bearer ${admin.token}` },
      })
      return answer.ok
        ? (await extractText(new Uint8Array(await answer.arrayBuffer()), { mergePages: true })).text
        : answer.status
    }
    expect(await slip()).toContain(needle.name)
    expect(await slip()).not.toContain(yarn.name)
    const counted = async () =>
      await ask(
        shop,
        admin,
        'query($search: String) { orderCounts(search: $search) { expected } orders(filter: { search: $search, status: EXPECTED }) { items { id expectedOn } } }',
        { search: order.reference },
      )
    expect(await counted()).toEqual({
      orderCounts: { expected: 1 },
      orders: { items: [{ id: order.id, expectedOn: '2031-12-01' }] },
    })
    expect((await fulfil(order.id)).fulfilment).toEqual({ lines: [{ item: { productId: needle.id }, quantity: 1 }] })
    expect(await slip()).toBe(404)
    expect(await fulfil(order.id)).toEqual({
      fulfilment: null,
      userErrors: [
        {
          code: 'INVALID',
          message: 'Nothing that is left of this order is here yet. Name what goes all the same.',
          field: ['lines'],
          available: null,
        },
      ],
    })
    // One came ahead of the others.
    expect((await fulfil(order.id, [line(yarn)])).userErrors).toEqual([])
    expect((await read(order.id))?.expectedOn).toBe('2031-12-01')
    await setDay(yarn.id, '')
    expect((await fulfil(order.id)).fulfilment?.lines).toMatchObject([{ quantity: 1 }])
    expect(await counted()).toEqual({ orderCounts: { expected: 0 }, orders: { items: [] } })
  })

  it('of a lapsed order is of the delivery that its stock is taken from again', async () => {
    const yarn = await makeProduct(shop.em())
    const { id } = await placed(shop, nell, [line(yarn)])
    const { paypalOrderId } = await createPaypalOrder(shop, nell, id)
    expect(paypalOrderId).toBeTruthy()
    await holdRunsOut(shop, id)
    await lapseOrders(shop.em())
    await setDay(yarn.id, '2031-12-01')
    expect(await daysOf(id)).toEqual([null])
    await capturePaypalOrder(shop, nell, id, await approvedPayment(shop, nell, id))
    expect(await daysOf(id)).toEqual(['2031-12-01'])
  })

  it('is told of in letters, and once more when its day moves', async () => {
    const opal = await makeUser(shop.em())
    const yarn = await ahead('2031-12-01')
    const { id, reference } = await placed(shop, opal, [line(yarn)])
    const [made] = await mailsTo(shop, opal.user.email)
    expect(made.text).toContain('Pre-order, expected Mon, Dec 1')
    await capturePaypalOrder(shop, opal, id, await approvedPayment(shop, opal, id))
    const [, paid] = await mailsTo(shop, opal.user.email, 2)
    expect(paid.text).toContain('What you ordered ahead leaves as soon as it is here.')

    await tellExpected(shop.em())
    const before = (await read(id, opal))?.version ?? 0
    await setDay(yarn.id, '2031-12-08')
    await setDay(yarn.id, '2031-12-15')
    expect(await tellExpected(shop.em())).toBe(1)
    const [, , moved] = await mailsTo(shop, opal.user.email, 3)
    expect(moved.subject).toBe(`Another day for your pre-order ${reference}`)
    expect(moved.text).toContain('Estimated delivery: Tue, Dec 16')
    expect((await read(id, opal))?.version).toBeGreaterThan(before)
    const events = () =>
      shop
        .em()
        .execute<{ day: string | null }[]>(
          `select data #>> '{order,lines,0,expectedOn}' as day from events where subject_id = ? and type = 'ORDER_EXPECTED' order by id`,
          [id],
        )
    expect(await events()).toEqual([{ day: '2031-12-15' }])

    // Nothing is new: not of what moved and moved back, nor of what is here.
    await setDay(yarn.id, '2031-12-22')
    await setDay(yarn.id, '2031-12-15')
    expect(await tellExpected(shop.em())).toBe(0)
    await setDay(yarn.id, '')
    expect(await tellExpected(shop.em())).toBe(1)
    expect(await events()).toEqual([{ day: '2031-12-15' }, { day: null }])
    await sleep(300)
    await mailsTo(shop, opal.user.email, 3)
  })

  it('is not told of to those who have not paid, or have their money or their parcel', async () => {
    const yarn = await ahead('2031-12-01')
    const unpaid = await placed(shop, nell, [line(yarn)])
    const [refunded, sent] = [await bought(shop, nell, [line(yarn)]), await bought(shop, nell, [line(yarn)])]
    const { refundOrder } = await ask(
      shop,
      admin,
      `mutation($id: ID!) { refundOrder(orderId: $id, idempotencyKey: "${refunded.id}") { ${REFUSED} } }`,
      { id: refunded.id },
    )
    expect(refundOrder.userErrors).toEqual([])
    expect((await fulfil(sent.id, [line(yarn)])).userErrors).toEqual([])
    await tellExpected(shop.em())
    await setDay(yarn.id, '2031-12-08')
    expect(await tellExpected(shop.em())).toBe(3)
    const letters = await shop
      .em()
      .execute(`select 1 from mails where kind = 'ORDER_EXPECTED' and about ->> 'orderId' in (?)`, [
        [unpaid.id, refunded.id, sent.id],
      ])
    expect(letters).toEqual([])
  })
})
