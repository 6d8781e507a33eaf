import { expect } from 'vitest'
import type { LotPortion } from '#schema/rules/lots'
import type { Product } from '../catalog/product.entity.ts'
import { reconcilePayments } from '../payment/reconcile.ts'
import type { Account, TestShop } from './shop.ts'
import { present } from '#schema/rules/present'

export const ADDRESS = {
  name: 'Nell Knitter',
  address: '1 Purl Lane',
  address2: '',
  city: 'Woolwich',
  state: 'ME',
  postalCode: '04579',
  country: 'United States',
}

const PRICES = 'itemsPrice discount shippingPrice taxPrice totalPrice includedTax'

export const ORDER = `
  id reference status ${PRICES} taxBasisPoints isPaid paidAt isDelivered deliveredAt heldUntil attention paymentMethod
  user { userId name email }
  items { productId name image price quantity lots { code quantity } }
  shippingAddress { name address address2 city state postalCode country }`

const PLACE = `mutation($input: PlaceOrderInput!) {
  placeOrder(input: $input) {
    order { ${ORDER} }
    quote { ${PRICES} lines { productId quantity lots { code quantity } mustAgreeToLots product { price countInStock } } }
    userErrors { code message field available }
  }
}`

export interface Line {
  productId: string
  quantity: number
  lots?: LotPortion[]
}

export const line = (product: Pick<Product, 'id'>, quantity = 1): Line => ({ productId: product.id, quantity })

/** Places an order and returns the payload, whether it was refused or not. */
export async function placeOrder(shop: TestShop, buyer: Account, lines: Line[], more: object = {}) {
  const answer = await shop.gql(PLACE, { input: { lines, shippingAddress: ADDRESS, ...more } }, buyer)
  expect(answer).toMatchObject({ status: 200, data: { placeOrder: {} } })
  return answer.data.placeOrder
}

/** Places an order that must not be refused. */
export async function placed(shop: TestShop, buyer: Account, lines: Line[], more: object = {}) {
  const { order, userErrors } = await placeOrder(shop, buyer, lines, more)
  expect(userErrors).toEqual([])
  return order
}

export async function readOrder(shop: TestShop, reader: Account, id: string) {
  return (await shop.gql(`query($id: ID!) { order(id: $id) { ${ORDER} } }`, { id }, reader)).data.order
}

export async function cancelOrder(shop: TestShop, buyer: Account, id: string) {
  const answer = await shop.gql(
    `mutation($id: ID!) { cancelOrder(id: $id) { order { ${ORDER} } userErrors { code message } } }`,
    { id },
    buyer,
  )
  expect(answer.status).toBe(200)
  return answer.data.cancelOrder
}

const PAYMENT = `captureId order { ${ORDER} } userErrors { code message }`

export async function createPaypalOrder(shop: TestShop, buyer: Account, orderId: string) {
  const answer = await shop.gql(
    'mutation($orderId: ID!) { createPaypalOrder(orderId: $orderId) { paypalOrderId userErrors { code message } } }',
    { orderId },
    buyer,
  )
  expect(answer.status).toBe(200)
  return answer.data.createPaypalOrder
}

function pay(field: 'capturePaypalOrder' | 'payOrder') {
  return async (shop: TestShop, buyer: Account, orderId: string, paypalOrderId: string) => {
    const answer = await shop.gql(
      `mutation($orderId: ID!, $paypalOrderId: ID!) { done: ${field}(orderId: $orderId, paypalOrderId: $paypalOrderId) { ${PAYMENT} } }`,
      { orderId, paypalOrderId },
      buyer,
    )
    expect(answer.status).toBe(200)
    return answer.data.done
  }
}

export const capturePaypalOrder = pay('capturePaypalOrder')
export const payOrder = pay('payOrder')

/** Does what the buyer does in PayPal's window. */
export async function buyerDoes(
  shop: TestShop,
  act: 'approve' | 'decline' | 'cancel',
  paypalOrderId: string,
  fundingSource: 'paypal' | 'card' = 'paypal',
) {
  await simulator(shop, `/__buyer/${act}`, { token: paypalOrderId, fundingSource })
}

/** Opens a PayPal order for this order and approves it as the buyer. Returns its id. */
export async function approvedPayment(
  shop: TestShop,
  buyer: Account,
  orderId: string,
  fundingSource: 'paypal' | 'card' = 'paypal',
): Promise<string> {
  const { paypalOrderId, userErrors } = await createPaypalOrder(shop, buyer, orderId)
  expect(userErrors).toEqual([])
  await buyerDoes(shop, 'approve', paypalOrderId, fundingSource)
  return paypalOrderId
}

/** A PayPal order that the client creates itself, as a browser can with only the shop's client id. */
export async function openOwnPayment(shop: TestShop, unit: object): Promise<string> {
  const call = async (path: string, body: string, headers: Record<string, string>) =>
    (await fetch(shop.simulator.url + path, { method: 'POST', body, headers })).json() as Promise<
      Record<string, string>
    >
  const { access_token } = await call('/v1/oauth2/token', 'grant_type=client_credentials', {
    authorization: `Basic ${Buffer.from('test-client:test-secret').toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
  })
  const { id } = await call('/v2/checkout/orders', JSON.stringify({ intent: 'CAPTURE', purchase_units: [unit] }), {
    authorization: `Bearer ${access_token}`,
    'content-type': 'application/json',
  })
  return present(id)
}

/** Places an order and pays it. */
export async function bought(shop: TestShop, buyer: Account, lines: Line[], more: object = {}) {
  const order = await placed(shop, buyer, lines, more)
  const paid = await capturePaypalOrder(shop, buyer, order.id, await approvedPayment(shop, buyer, order.id))
  expect(paid.userErrors).toEqual([])
  return paid.order
}

/** Sets what the simulator does to the next calls; see tools/paypal-simulator/scenarios.ts. */
export async function plan(shop: TestShop, scenario: object) {
  await simulator(shop, '/__sim/scenario', scenario)
}

async function simulator(shop: TestShop, path: string, body: object) {
  const response = await fetch(shop.simulator.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.ok).toBe(true)
}

/** How often money moved at PayPal, according to the simulator. */
export const captures = (shop: TestShop) =>
  shop.simulator.journal().filter(({ effect }) => effect === 'captured').length

/** Runs the reconciler as it will run in so many seconds. Returns how many payments it checked. */
export const reconcile = (shop: TestShop, seconds = 0) =>
  reconcilePayments(
    { em: shop.em(), paypal: shop.paypal, stockHoldMinutes: 60, log: shop.log },
    new Date(Date.now() + seconds * 1000),
  )

/** Makes the hold of an order run out now. */
export async function holdRunsOut(shop: TestShop, orderId: string) {
  await shop
    .em()
    .execute(`update orders set held_until = now() - interval '1 second' where id = ? and held_until is not null`, [
      orderId,
    ])
}

/** What is left of each lot of a product, by code. */
export async function lotsOf(shop: TestShop, productId: string): Promise<Record<string, number>> {
  const lots = await shop
    .em()
    .execute<LotPortion[]>('select code, quantity from product_lots where product_id = ?', [productId])
  return Object.fromEntries(lots.map(({ code, quantity }) => [code, quantity]))
}

export interface Stock {
  left: number
  /** Sum of the stock ledger. */
  ledger: number
  /** Units in orders that hold or have bought them. */
  sold: number
}

/** What the database knows of a product's stock, from three places that must agree. */
export async function stockOf(shop: TestShop, productId: string): Promise<Stock> {
  const [row] = await shop.em().execute<[Stock]>(
    `select count_in_stock as left,
            (select coalesce(sum(delta), 0)::int from stock_movements where product_id = p.id) as ledger,
            (select coalesce(sum(quantity), 0)::int from order_items i join orders o on o.id = i.order_id where i.product_id = p.id and o.lapsed_at is null) as sold
     from products p where id = ?`,
    [productId],
  )
  return row
}
