import { extractText } from 'unpdf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { present } from '#schema/rules/present'
import { DEFAULT_POLICY, type PricingPolicy } from '#schema/rules/pricing'
import { ask, upload } from '../testing/admin.ts'
import { mailsTo } from '../testing/mail.ts'
import { ADDRESS, bought, line, type Line } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'

interface Place {
  shop: TestShop
  admin: Account
  nell: Account
}
async function open(policy: Partial<PricingPolicy>): Promise<Place> {
  const shop = await openShop({ mail: { to: 'mailbox' }, policy: { ...DEFAULT_POLICY, ...policy } })
  return { shop, admin: await makeUser(shop.em(), { isAdmin: true }), nell: await makeUser(shop.em()) }
}
const pennsylvania = {
  country: 'United States',
  state: 'PA',
  stateName: 'Pennsylvania',
  postalCodes: [],
  basisPoints: 600,
  onShipping: true,
}
const germany = {
  country: 'Germany',
  state: null,
  stateName: null,
  postalCodes: [],
  basisPoints: 1900,
  onShipping: false,
}

let us: Place
let berlin: Place
beforeAll(async () => {
  us = await open({ taxBasisPoints: 550, taxRates: [{ ...pennsylvania, reducedBasisPoints: 0 }] })
  berlin = await open({
    taxIncluded: true,
    country: 'Germany',
    taxRates: [{ ...germany, reducedBasisPoints: 700 }],
  })
})
afterAll(async () => {
  await us?.shop.close()
  await berlin?.shop.close()
})

const TAXES = 'taxPrice includedTax totalPrice taxes { basisPoints isReduced amount }'
const quoted = async ({ shop, nell }: Place, lines: Line[], to: object) =>
  (
    await ask(
      shop,
      nell,
      `query($lines: [CartLineInput!]!, $to: DestinationInput) { quoteCart(lines: $lines, to: $to) { ${TAXES} } }`,
      { lines, to },
    )
  ).quoteCart
const ordered = async ({ shop, nell }: Place, lines: Line[], address: object) => {
  const { id } = await bought(shop, nell, lines, { shippingAddress: { ...ADDRESS, ...address } })
  return (await ask(shop, nell, `query($id: ID!) { order(id: $id) { id ${TAXES} items { sku reducedTax } } }`, { id }))
    .order
}
const invoiceOf = async ({ shop, nell }: Place, id: string) => {
  const invoice = await fetch(`${shop.url}/api/orders/${id}/invoice.pdf`, {
    headers: { authorization: `Bearer ${nell.token}` },
  })
  return (await extractText(new Uint8Array(await invoice.arrayBuffer()), { mergePages: true })).text
}

describe('yarn that a state does not tax', () => {
  const cart = async ({ shop }: Place) => [
    line(await makeProduct(shop.em(), { price: 2000, weight: '100 g', reducedTax: true }), 2),
    line(await makeProduct(shop.em(), { price: 1000, weight: '100 g' })),
  ]

  it('is not taxed there, and is elsewhere', async () => {
    const lines = await cart(us)
    // 6% of the needles and of their fifth of 4.50 for shipping.
    const there = { taxPrice: 65, includedTax: 0, totalPrice: 5515 }
    const taxes = [
      { basisPoints: 600, isReduced: false, amount: 65 },
      { basisPoints: 0, isReduced: true, amount: 0 },
    ]
    expect(await quoted(us, lines, { country: 'United States', state: 'PA' })).toEqual({ ...there, taxes })
    const order = await ordered(us, lines, { state: 'Pennsylvania' })
    expect(order).toMatchObject({ ...there, taxes, items: [{ reducedTax: true }, { reducedTax: false }] })
    const elsewhere = await ordered(us, lines, { state: 'ME' })
    expect(elsewhere).toMatchObject({ taxPrice: 275, taxes: [{ basisPoints: 550, isReduced: false, amount: 275 }] })
  })

  it('comes back for its price alone, the needles with their tax', async () => {
    const [yarn, needles] = await cart(us)
    const { shop, admin } = us
    const { id } = await ordered(us, [present(yarn), present(needles)], { state: 'PA' })
    const { fulfilOrder } = await ask(
      shop,
      admin,
      'mutation($id: ID!) { fulfilOrder(id: $id) { fulfilment { id } } }',
      { id },
    )
    const worth = async ({ productId }: Line) =>
      (
        await ask(
          shop,
          admin,
          'mutation($id: ID!, $lines: [ReturnLineInput!]) { returnFulfilment(id: $id, lines: $lines) { returned { value } userErrors { message } } }',
          { id: fulfilOrder.fulfilment.id, lines: [{ productId, quantity: 1 }] },
        )
      ).returnFulfilment.returned.value
    expect(await worth(present(yarn))).toBe(2000)
    expect(await worth(present(needles))).toBe(1060)
    expect(await worth(present(yarn))).toBe(2000)
  })

  it('is told to programs rate by rate', async () => {
    const { shop, nell } = us
    const { id, taxes } = await ordered(us, await cart(us), { state: 'PA' })
    const [placed] = await shop
      .em()
      .execute<{ data: object }[]>(`select data from events where subject_id = ? and type = 'ORDER_PLACED'`, [id])
    expect(placed?.data).toMatchObject({ order: { taxes, giftCardsSold: 0 } })
    const rest = await fetch(`${shop.url}/api/orders/${id}`, { headers: { authorization: `Bearer ${nell.token}` } })
    expect(await rest.json()).toMatchObject({
      taxes: [
        { basisPoints: 600, isReduced: false, amount: 0.65 },
        { basisPoints: 0, isReduced: true, amount: 0 },
      ],
    })
  })

  it('stays as it was ordered when the product changes', async () => {
    const { shop, admin } = us
    const lines = await cart(us)
    const { id } = await ordered(us, lines, { state: 'PA' })
    await ask(
      shop,
      admin,
      'mutation($id: ID!) { patchProduct(id: $id, input: { reducedTax: false }) { userErrors { message } } }',
      {
        id: present(lines[0]).productId,
      },
    )
    const { order } = await ask(shop, admin, `query($id: ID!) { order(id: $id) { items { reducedTax } } }`, { id })
    expect(order.items[0]).toEqual({ reducedTax: true })
    expect(await quoted(us, lines, { country: 'United States', state: 'PA' })).toMatchObject({ taxPrice: 327 })
  })
})

describe('what is taxed less', () => {
  it('is not taxed for what a code takes off it, and is no gift card', async () => {
    const { shop, admin } = us
    await ask(
      shop,
      admin,
      'mutation($input: DiscountCodeInput!) { createDiscountCode(input: $input) { userErrors { message } } }',
      { input: { code: 'HALF', kind: 'PERCENT', basisPoints: 5000 } },
    )
    const yarn = await makeProduct(shop.em(), { price: 2000, weight: '100 g', reducedTax: true })
    const card = await makeProduct(shop.em(), { price: 5000, isDownload: true, isGiftCard: true, reducedTax: true })
    const needles = await makeProduct(shop.em(), { price: 1000, weight: '100 g' })
    const { id } = await bought(shop, us.nell, [line(yarn), line(card), line(needles)], {
      shippingAddress: { ...ADDRESS, state: 'PA' },
      code: 'HALF',
    })
    const [kept] = await shop
      .em()
      .execute('select items_price, discount, reduced_taxed, reduced_tax, tax_price from orders where id = ?', [id])
    // Yarn for 10.00 with two thirds of 3.00 for shipping, and 6% of needles for 5.00 with the rest.
    expect(kept).toEqual({ items_price: 8000, discount: 1500, reduced_taxed: 1200, reduced_tax: 0, tax_price: 36 })
  })
})

describe('a product is said to be taxed less', () => {
  const isLess = async ({ shop }: Place, id: string) =>
    (await shop.em().execute<[{ is: boolean }]>('select reduced_tax as is from products where id = ?', [id]))[0].is

  it('in a spreadsheet, which tells it, too', async () => {
    const { shop, admin } = us
    const { id, sku } = await makeProduct(shop.em(), { sku: 'LESS-1' })
    const {
      data: { importProducts },
    } = await upload(
      shop,
      admin,
      'mutation($csv: Upload!) { importProducts(csv: $csv) { productImport { id updates } userErrors { message } } }',
      'csv',
      new Blob([`sku,reduced_tax\n${sku},yes`]),
    )
    expect(importProducts).toMatchObject({ productImport: { updates: 1 }, userErrors: [] })
    await ask(shop, admin, 'mutation($id: ID!) { applyImport(id: $id) { userErrors { message } } }', {
      id: present(importProducts.productImport).id,
    })
    expect(await isLess(us, id)).toBe(true)
    const { exportProducts } = await ask(shop, admin, '{ exportProducts(filter: { search: "LESS-1" }) }', {})
    expect(exportProducts).toMatch(/reduced_tax.*\r\nLESS-1,.*,yes,/)
  })

  it('line by line', async () => {
    const { shop, admin } = us
    const { id } = await makeProduct(shop.em())
    const set = async (reducedTax: boolean | null) =>
      (
        await ask(
          shop,
          admin,
          'mutation($lines: [ProductLineInput!]!) { setProducts(lines: $lines) { changed lines { userErrors { message } } } }',
          { lines: [{ id, reducedTax }] },
        )
      ).setProducts
    expect(await set(true)).toEqual({ changed: 1, lines: [{ userErrors: [] }] })
    expect(await isLess(us, id)).toBe(true)
    expect(await set(null)).toMatchObject({ changed: 0 })
    expect(await isLess(us, id)).toBe(true)
    expect(await set(false)).toMatchObject({ changed: 1 })
    expect(await isLess(us, id)).toBe(false)
  })

  it('and stays so when a save does not speak of it', async () => {
    const { shop, admin } = us
    const { id } = await makeProduct(shop.em(), { reducedTax: true })
    await ask(
      shop,
      admin,
      'mutation($id: ID!) { patchProduct(id: $id, input: { price: 700 }) { userErrors { message } } }',
      { id },
    )
    expect(await isLess(us, id)).toBe(true)
    const { copyProduct } = await ask(
      shop,
      admin,
      'mutation($id: ID!) { copyProduct(id: $id) { product { reducedTax } } }',
      { id },
    )
    expect(copyProduct.product).toEqual({ reducedTax: true })
  })
})

describe('a book beside needles where prices have tax in them', () => {
  it('has its own rate, on the invoice and in the letter, and in the report, and comes back for what it costs', async () => {
    const { shop, admin, nell } = berlin
    const book = await makeProduct(shop.em(), { price: 1070, weight: '100 g', reducedTax: true })
    const needles = await makeProduct(shop.em(), { price: 1190, weight: '100 g' })
    const order = await ordered(berlin, [line(book), line(needles)], { country: 'Germany', state: '' })
    // 3.00 for shipping, 1.42 of it the book's: 7% in 12.12 and 19% in 13.48.
    expect(order).toMatchObject({
      taxPrice: 0,
      includedTax: 79 + 215,
      totalPrice: 2560,
      taxes: [
        { basisPoints: 1900, isReduced: false, amount: 215 },
        { basisPoints: 700, isReduced: true, amount: 79 },
      ],
    })
    const words = ['Tax in it (19% of $11.33)', '2.15', 'Tax in it (7% of $11.33)', '0.79']
    const text = await invoiceOf(berlin, order.id)
    for (const word of [...words, '22.66']) expect(text).toContain(word)
    const [letter] = await mailsTo(shop, nell.user.email, 2)
    for (const word of words) expect(letter.text).toContain(word)

    const { fulfilOrder } = await ask(
      shop,
      admin,
      'mutation($id: ID!) { fulfilOrder(id: $id) { fulfilment { id } } }',
      { id: order.id },
    )
    const { returnFulfilment } = await ask(
      shop,
      admin,
      'mutation($id: ID!) { returnFulfilment(id: $id) { returned { value } } }',
      { id: fulfilOrder.fulfilment.id },
    )
    // Nothing was added to its price.
    expect(returnFulfilment.returned).toEqual({ value: 2260 })

    const today = new Date().toISOString().slice(0, 10)
    const { taxReport } = await ask(
      shop,
      admin,
      `{ taxReport(from: "${today.slice(0, 4)}-01-01", to: "${today.slice(0, 4)}-12-31") {
           rows { country basisPoints figures { orders sales shipping tax } } totals { orders sales shipping tax } } }`,
      {},
    )
    expect(taxReport).toEqual({
      rows: [
        { country: 'Germany', basisPoints: 1900, figures: { orders: 1, sales: 1133, shipping: 133, tax: 215 } },
        { country: 'Germany', basisPoints: 700, figures: { orders: 1, sales: 1133, shipping: 133, tax: 79 } },
      ],
      totals: { orders: 1, sales: 2266, shipping: 266, tax: 294 },
    })
  })
})
