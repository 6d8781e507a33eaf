import { extractText } from 'unpdf'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { DEFAULT_DELIVERY } from '#schema/rules/delivery'
import { DEFAULT_POLICY } from '#schema/rules/pricing'
import { ask } from '../testing/admin.ts'
import { mailsTo } from '../testing/mail.ts'
import { ADDRESS, approvedPayment, capturePaypalOrder, line, placeOrder } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type TestShop } from '../testing/shop.ts'

// A shop in Maine that sends to three countries: it has to tax what goes to Maine and New Jersey, which taxes shipping, too.
const policy = {
  ...DEFAULT_POLICY,
  taxBasisPoints: 0,
  taxRates: [
    { country: 'United States', state: 'ME', stateName: 'Maine', postalCodes: [], basisPoints: 550, onShipping: false },
    {
      country: 'United States',
      state: 'NJ',
      stateName: 'New Jersey',
      postalCodes: [],
      basisPoints: 662.5,
      onShipping: true,
    },
    // New York's own rate, and that of the city.
    {
      country: 'United States',
      state: 'NY',
      stateName: 'New York',
      postalCodes: [],
      basisPoints: 800,
      onShipping: true,
    },
    {
      country: 'United States',
      state: 'NY',
      stateName: 'New York',
      postalCodes: ['100-104', '112'],
      basisPoints: 887.5,
      onShipping: true,
    },
    { country: 'Mexico', state: null, stateName: null, postalCodes: [], basisPoints: 1600, onShipping: false },
  ],
  abroad: { ...DEFAULT_POLICY.abroad, shippingRate: 'FLAT' as const, flatShipping: 25_00 },
}
const delivery = { ...DEFAULT_DELIVERY, shipsTo: ['Canada', 'Mexico', 'United States'] }

let shop: TestShop
let buyer: Awaited<ReturnType<typeof makeUser>>
let yarn: Awaited<ReturnType<typeof makeProduct>>
beforeAll(async () => {
  shop = await openShop({ policy, delivery })
  buyer = await makeUser(shop.em())
  yarn = await makeProduct(shop.em(), { price: 2400, weight: '100 g', countInStock: 1_000 })
})
afterAll(() => shop?.close())

const orderTo = (
  country: string,
  state: string,
  { postalCode = ADDRESS.postalCode, ...more }: { postalCode?: string; [input: string]: unknown } = {},
) => placeOrder(shop, buyer, [line(yarn)], { shippingAddress: { ...ADDRESS, country, state, postalCode }, ...more })

const quoteTo = async (to: object | null) =>
  shop.gql(
    `query($lines: [CartLineInput!]!, $to: DestinationInput) {
      quoteCart(lines: $lines, to: $to) { shippingPrice taxPrice totalPrice }
    }`,
    { lines: [line(yarn)], to },
  )

describe('an order is taxed, and charged for its parcel, by where it goes', () => {
  test.each([
    ['United States', 'ME', 550, 132, 150],
    ['usa', 'maine', 550, 132, 150],
    ['United States', 'New Jersey', 662.5, 169, 150],
    ['United States', 'Oregon', 0, 0, 150],
    ['Canada', '', 0, 0, 2500],
    ['MX', 'Oaxaca', 1600, 384, 2500],
  ])('%s, %j: at %d basis points %i and %i cents', async (country, state, taxBasisPoints, taxPrice, shippingPrice) => {
    const totalPrice = 2400 + taxPrice + shippingPrice
    expect((await quoteTo({ country, state })).data.quoteCart).toEqual({ shippingPrice, taxPrice, totalPrice })
    const { order, userErrors } = await orderTo(country, state, { expectedTotal: totalPrice })
    expect(userErrors).toEqual([])
    expect(order).toMatchObject({ itemsPrice: 2400, shippingPrice, taxPrice, totalPrice, taxBasisPoints })
  })

  test.each([
    ['New York', '12207', 800, 204],
    ['NY', '10003-1234', 887.5, 226],
    ['NY', '11201', 887.5, 226],
    ['ME', '11201', 550, 132],
  ])('%s, %s: at %d basis points %i cents', async (state, postalCode, taxBasisPoints, taxPrice) => {
    const totalPrice = 2400 + taxPrice + 150
    const to = { country: 'US', state, postalCode }
    expect((await quoteTo(to)).data.quoteCart).toMatchObject({ taxPrice, totalPrice })
    const { order } = await orderTo('US', state, { postalCode, expectedTotal: totalPrice })
    expect(order).toMatchObject({ taxPrice, totalPrice, taxBasisPoints })
    const { data } = await shop.gql(
      `mutation($input: CartInput!) { createCart(input: $input) { cart { quote { taxPrice totalPrice } } } }`,
      { input: { lines: [{ productId: yarn.id, quantity: 1 }], shippingAddress: { ...ADDRESS, ...to } } },
    )
    expect(data.createCart.cart.quote).toEqual({ taxPrice, totalPrice })
  })

  it('gives the items back with their tax, and without that of shipping', async () => {
    const { order } = await orderTo('United States', 'NJ')
    await capturePaypalOrder(shop, buyer, order.id, await approvedPayment(shop, buyer, order.id))
    const admin = await makeUser(shop.em(), { isAdmin: true })
    const { fulfilOrder } = await ask(
      shop,
      admin,
      'mutation($id: ID!) { fulfilOrder(id: $id) { fulfilment { id } } }',
      {
        id: order.id,
      },
    )
    const { returnFulfilment } = await ask(
      shop,
      admin,
      'mutation($id: ID!) { returnFulfilment(id: $id) { returned { value } } }',
      { id: fulfilOrder.fulfilment.id },
    )
    expect(returnFulfilment.returned).toEqual({ value: 2400 + 159 })
  })

  it('refuses the total of another destination, and says what this one comes to', async () => {
    const { order, userErrors, quote } = await orderTo('United States', 'NJ', { expectedTotal: 2400 + 150 })
    expect(order).toBeNull()
    expect(userErrors).toMatchObject([{ code: 'PRICE_CHANGED' }])
    expect(quote).toMatchObject({ taxPrice: 169, totalPrice: 2719 })
  })

  it('prices a cart of which nobody knows where it goes as if it went to the shop’s own country', async () => {
    expect((await quoteTo(null)).data.quoteCart).toEqual({ shippingPrice: 150, taxPrice: 0, totalPrice: 2550 })
  })

  it('prices a cart with an address by that', async () => {
    const { data } = await shop.gql(
      `mutation($input: CartInput!) { createCart(input: $input) { cart { quote { shippingPrice taxPrice } } userErrors { message } } }`,
      {
        input: {
          lines: [{ productId: yarn.id, quantity: 1 }],
          shippingAddress: { ...ADDRESS, country: 'Mexico', state: '' },
        },
      },
    )
    expect(data.createCart).toEqual({ cart: { quote: { shippingPrice: 2500, taxPrice: 384 } }, userErrors: [] })
  })
})

describe('no order goes', () => {
  test.each([
    ['Germany', 'Bavaria', 'country', 'We do not ship there. We ship to Canada, Mexico and the United States.'],
    ['Ruritania', '', 'country', 'We do not ship there. We ship to Canada, Mexico and the United States.'],
    ['United States', '', 'state', 'Please enter the state or province, such as ME: tax depends on it.'],
    ['US', 'Ontario', 'state', 'Please enter the state or province, such as ME: tax depends on it.'],
  ])('to %s, %j', async (country, state, wrong, message) => {
    const { order, userErrors } = await orderTo(country, state)
    expect(order).toBeNull()
    expect(userErrors).toEqual([
      expect.objectContaining({ code: 'INVALID', message, field: ['shippingAddress', wrong] }),
    ])
  })

  it('where tax depends on a postal code that is not named', async () => {
    const { order, userErrors } = await orderTo('United States', 'NY', { postalCode: '' })
    expect(order).toBeNull()
    expect(userErrors).toEqual([
      expect.objectContaining({
        code: 'INVALID',
        message: 'Please enter the postal code: tax depends on it.',
        field: ['shippingAddress', 'postalCode'],
      }),
    ])
  })

  it('over REST either', async () => {
    const response = await fetch(`${shop.url}/api/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${buyer.token}` },
      body: JSON.stringify({
        orderItems: [{ product: yarn.id, quantity: 1 }],
        shippingAddress: { ...ADDRESS, country: 'Germany' },
        paymentMethod: 'PayPal',
      }),
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      message: 'We do not ship there. We ship to Canada, Mexico and the United States.',
    })
  })
})

it('tells every client where orders go and what decides their price', async () => {
  const { data } = await shop.gql(
    `{ shop {
      delivery { country shipsTo }
      pricingPolicy { shippingPer100Grams taxBasisPoints taxRates { country state stateName postalCodes basisPoints onShipping } country abroad { shippingRate flatShipping freeShippingFrom } }
    } }`,
  )
  expect(data.shop).toEqual({
    delivery: { country: 'United States', shipsTo: delivery.shipsTo },
    pricingPolicy: {
      shippingPer100Grams: 150,
      taxBasisPoints: 0,
      taxRates: policy.taxRates,
      country: 'United States',
      abroad: { shippingRate: 'FLAT', flatShipping: 2500, freeShippingFrom: 10_000 },
    },
  })
})

it('refuses a destination that is none', async () => {
  const { errors } = await quoteTo({ country: ' ', state: 'x'.repeat(201) })
  expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }])
})

describe('where prices have tax in them', () => {
  it('an order tells how much of its total it is: to its shopper, on the invoice, in the letter, to programs', async () => {
    const german = await openShop({
      mail: { to: 'mailbox' },
      policy: {
        ...DEFAULT_POLICY,
        taxIncluded: true,
        taxBasisPoints: 1900,
        taxRates: [
          { country: 'Austria', state: null, stateName: null, postalCodes: [], basisPoints: 2000, onShipping: false },
        ],
      },
    })
    try {
      const anna = await makeUser(german.em())
      const sock = await makeProduct(german.em(), { price: 2400, weight: '100 g' })
      const { order, userErrors } = await placeOrder(german, anna, [line(sock)], {
        shippingAddress: { ...ADDRESS, country: 'Austria', state: '' },
        expectedTotal: 2550,
      })
      expect(userErrors).toEqual([])
      expect(order).toMatchObject({
        itemsPrice: 2400,
        shippingPrice: 150,
        taxPrice: 0,
        totalPrice: 2550,
        includedTax: 425,
        taxBasisPoints: 2000,
      })

      const headers = { authorization: `Bearer ${anna.token}` }
      const rest = await fetch(`${german.url}/api/orders/${order.id}`, {
        headers,
      })
      expect(await rest.json()).toMatchObject({
        taxPrice: 0,
        totalPrice: 25.5,
        includedTax: 4.25,
        taxBasisPoints: 2000,
      })
      const [letter] = await mailsTo(german, anna.user.email)
      const pdf = await german.app.inject({ url: `/api/orders/${order.id}/invoice.pdf`, headers })
      const { text } = await extractText(new Uint8Array(pdf.rawPayload), { mergePages: true })
      expect(text).toMatch(/Total\s+\$25\.50\s+Tax in it \(20%\)\s+\$4\.25\s+Without tax\s+\$21\.25/)
      expect(letter.text).toContain('Shipping: $1.50\nTotal: $25.50\nTax in it (20%): $4.25\n')
    } finally {
      await german.close()
    }
  })
})
