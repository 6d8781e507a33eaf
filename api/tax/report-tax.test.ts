import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { present } from '#schema/rules/present'
import { DEFAULT_POLICY, type PricingPolicy } from '#schema/rules/pricing'
import { ask } from '../testing/admin.ts'
import { ADDRESS, bought, line } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'

const timeZone = 'America/New_York'
const rate = (
  country: string,
  state: string | null,
  stateName: string | null,
  basisPoints: number,
  onShipping = false,
) => ({
  country,
  state,
  stateName,
  postalCodes: [],
  basisPoints,
  onShipping,
})
const policy = {
  ...DEFAULT_POLICY,
  taxBasisPoints: 0,
  taxRates: [
    rate('United States', 'ME', 'Maine', 550),
    rate('United States', 'NJ', 'New Jersey', 662.5, true),
    rate('Germany', null, null, 1900),
  ],
}

interface Place {
  shop: TestShop
  admin: Account
  nell: Account
}
async function open(policy: PricingPolicy): Promise<Place> {
  const shop = await openShop({ timeZone, policy })
  return { shop, admin: await makeUser(shop.em(), { isAdmin: true }), nell: await makeUser(shop.em()) }
}

let portland: Place
beforeAll(async () => {
  portland = await open(policy)
})
afterAll(() => portland?.shop.close())

/** An order of one thing at this price, paid at this instant. */
async function sell(paidAt: string, price: number, address: object = {}, { shop, nell } = portland, more: object = {}) {
  const yarn = await makeProduct(shop.em(), { price, weight: '100 g', ...more })
  const order = await bought(shop, nell, [line(yarn)], { shippingAddress: { ...ADDRESS, ...address } })
  await shop.em().execute('update orders set paid_at = ? where id = ?', [paidAt, order.id])
  return order
}

let serial = 0
async function giveBack(order: { id: string }, amount: number | null, at: string, { shop, admin } = portland) {
  const { refundOrder } = await ask(
    shop,
    admin,
    'mutation($id: ID!, $amount: Cents, $key: String!) { refundOrder(orderId: $id, amount: $amount, idempotencyKey: $key) { userErrors { message } } }',
    { id: order.id, amount, key: `back-${++serial}` },
  )
  expect(refundOrder.userErrors).toEqual([])
  await shop
    .em()
    .execute('update refunds set created_at = ? where order_id = ? and created_at > ?', [
      at,
      order.id,
      new Date(Date.now() - 60_000),
    ])
}

const FIGURES = 'orders sales shipping tax refunds refundedTax'
const REPORT = `query($from: String!, $to: String!) { taxReport(from: $from, to: $to) {
  from to rows { country state stateName basisPoints figures { ${FIGURES} } } totals { ${FIGURES} } csv } }`
const report = async (from: string, to: string, { shop, admin } = portland) =>
  (await ask(shop, admin, REPORT, { from, to })).taxReport
const refused = async (from: string, to: string) =>
  present((await portland.shop.gql(REPORT, { from, to }, portland.admin)).errors?.[0]).message

describe('a report on tax', () => {
  it('says what was paid without tax and what tax, by place and rate, the shop’s own country first', async () => {
    await sell('2026-01-05T12:00:00Z', 2_000)
    await sell('2026-01-06T12:00:00Z', 3_000, { state: 'maine ' })
    await sell('2026-01-07T12:00:00Z', 1_000, { state: 'NJ', country: 'USA' })
    await sell('2026-01-08T12:00:00Z', 4_000, { state: 'Oregon' })
    await sell('2026-01-09T12:00:00Z', 5_000, { state: 'Bavaria', country: 'Germany' })
    await sell('2026-01-09T12:00:00Z', 6_000, { state: '', country: 'DE' })
    await sell('2026-01-09T12:00:00Z', 700, { state: '', country: '=1+1' })
    const { rows, totals, ...days } = await report('2026-01-01', '2026-01-31')
    expect(days).toMatchObject({ from: '2026-01-01', to: '2026-01-31' })
    const usual = { refunds: 0, refundedTax: 0 }
    // A ball of 100 g is sent for 1.50.
    const inMaine = { orders: 2, sales: 5_300, shipping: 300, tax: 110 + 165, ...usual }
    const inGermany = { orders: 2, sales: 11_300, shipping: 300, tax: 950 + 1_140, ...usual }
    expect(rows).toEqual([
      { country: 'United States', state: 'ME', stateName: 'Maine', basisPoints: 550, figures: inMaine },
      {
        country: 'United States',
        state: 'NJ',
        stateName: 'New Jersey',
        basisPoints: 662.5,
        // Of shipping, too: 6.625% of 11.50.
        figures: { orders: 1, sales: 1_150, shipping: 150, tax: 76, ...usual },
      },
      {
        country: 'United States',
        state: 'OR',
        stateName: 'Oregon',
        basisPoints: 0,
        figures: { orders: 1, sales: 4_150, shipping: 150, tax: 0, ...usual },
      },
      {
        country: '=1+1',
        state: null,
        stateName: null,
        basisPoints: 0,
        figures: { orders: 1, sales: 850, shipping: 150, tax: 0, ...usual },
      },
      { country: 'Germany', state: null, stateName: null, basisPoints: 1900, figures: inGermany },
    ])
    expect(totals).toEqual({ orders: 7, sales: 22_750, shipping: 1_050, tax: 275 + 76 + 2_090, ...usual })
  })

  it('is a spreadsheet, too, in which nothing that a buyer wrote is a formula', async () => {
    const { csv } = await report('2026-01-01', '2026-01-31')
    const rows = parse(csv, { bom: true, columns: true }) as Record<string, string>[]
    expect(rows).toHaveLength(5)
    expect(rows[1]).toEqual({
      country: 'United States',
      state: 'NJ',
      rate: '6.625',
      orders: '1',
      sales: '11.50',
      shipping: '1.50',
      tax: '0.76',
      refunds: '0.00',
      refunded_tax: '0.00',
      tax_due: '0.76',
    })
    expect(rows[3]).toMatchObject({ country: "'=1+1" })
  })

  it('counts by the shop’s clock, at the moment of payment', async () => {
    await sell('2026-02-01T04:59:59.999Z', 1_000)
    await sell('2026-02-01T05:00:00Z', 2_000)
    await sell('2026-03-01T04:59:59.999Z', 3_000)
    await sell('2026-03-01T05:00:00Z', 4_000)
    const { rows, totals } = await report('2026-02-01', '2026-02-28')
    expect(rows).toHaveLength(1)
    expect(totals).toMatchObject({ orders: 2, sales: 5_300, tax: 275 })
    expect((await report('2026-02-01', '2026-02-01')).totals).toMatchObject({ orders: 1, tax: 110 })
  })

  it('counts what went back when it went back, with its part of the tax', async () => {
    const order = await sell('2026-04-10T12:00:00Z', 2_000)
    expect(order).toMatchObject({ totalPrice: 2_260, taxPrice: 110 })
    await giveBack(order, 1_130, '2026-05-02T12:00:00Z')
    expect((await report('2026-04-01', '2026-04-30')).totals).toMatchObject({ tax: 110, refunds: 0, refundedTax: 0 })
    const { rows } = await report('2026-05-01', '2026-05-31')
    expect(rows).toMatchObject([
      { state: 'ME', figures: { orders: 0, sales: 0, tax: 0, refunds: 1_075, refundedTax: 55 } },
    ])
    expect((await report('2026-05-01', '2026-05-31')).csv).toContain(',0.55,-0.55\r\n')
  })

  it('gives back exactly the tax there was, in however many parts', async () => {
    const order = await sell('2026-06-10T12:00:00Z', 1_999)
    expect(order).toMatchObject({ totalPrice: 2_259, taxPrice: 110 })
    for (const amount of [753, 753, null]) await giveBack(order, amount, '2026-06-20T12:00:00Z')
    expect((await report('2026-06-01', '2026-06-30')).totals).toMatchObject({
      sales: 2_149,
      tax: 110,
      refunds: 2_149,
      refundedTax: 110,
    })
  })

  it('gives back all of its tax with all that was paid of an order that was not paid wholly', async () => {
    const order = await sell('2025-06-10T12:00:00Z', 2_000)
    await portland.shop.em().execute('update orders set unpaid_amount = 1000 where id = ?', [order.id])
    for (const amount of [630, 630]) await giveBack(order, amount, '2025-06-20T12:00:00Z')
    expect((await report('2025-06-01', '2025-06-30')).totals).toMatchObject({
      sales: 2_150,
      tax: 110,
      refunds: 2_150,
      refundedTax: 110,
    })
  })

  it('leaves out refunds that failed, unpaid orders, and gift cards', async () => {
    const order = await sell('2026-07-10T12:00:00Z', 2_000)
    await giveBack(order, 500, '2026-07-11T12:00:00Z')
    await portland.shop.em().execute(`update refunds set state = 'FAILED' where order_id = ?`, [order.id])
    const unpaid = await sell('2026-07-10T12:00:00Z', 2_000)
    await portland.shop.em().execute('update orders set paid_at = null where id = ?', [unpaid.id])
    await sell('2026-07-10T12:00:00Z', 5_000, {}, portland, { isGiftCard: true, isDownload: true })
    expect((await report('2026-07-01', '2026-07-31')).totals).toEqual({
      orders: 1,
      sales: 2_150,
      shipping: 150,
      tax: 110,
      refunds: 0,
      refundedTax: 0,
    })
  })

  it('takes tax out of prices that have it in them, of shipping, too', async () => {
    const berlin = await open({ ...DEFAULT_POLICY, country: 'Germany', taxBasisPoints: 1900, taxIncluded: true })
    try {
      const order = await sell('2026-01-05T12:00:00Z', 1_190, { state: '', country: 'Germany' }, berlin)
      expect(order).toMatchObject({ totalPrice: 1_340, includedTax: 214 })
      await giveBack(order, 670, '2026-01-06T12:00:00Z', berlin)
      expect((await report('2026-01-01', '2026-01-31', berlin)).totals).toEqual({
        orders: 1,
        sales: 1_126,
        shipping: 126,
        tax: 214,
        refunds: 563,
        refundedTax: 107,
      })
    } finally {
      await berlin.shop.close()
    }
  })

  it('is empty for days without sales', async () => {
    expect(await report('2031-01-01', '2031-12-31')).toMatchObject({ rows: [], totals: { orders: 0, tax: 0 } })
  })

  it.each([
    ['2026-13-01', '2026-12-31', 'From must be a day such as 2026-12-24.'],
    ['2026-01-01', 'tomorrow', 'To must be a day such as 2026-12-24.'],
    ['2026-02-01', '2026-01-31', 'The last day must not be before the first.'],
    ['2024-01-01', '2025-01-01', 'A report covers at most 366 days.'],
  ])('is not of %s to %s', async (from, to, message) => {
    expect(await refused(from, to)).toBe(message)
  })

  it('is of a leap year', async () => {
    expect(await report('2024-01-01', '2024-12-31')).toMatchObject({ rows: [] })
  })
})
