import { createHash } from 'node:crypto'
import { z } from 'zod'
import * as op from '../generated/ucp.ts'
import { clock } from '../kernel/clock.ts'
import { hashOf } from '../kernel/tokens.ts'
import { openOrderWith } from '../order/order-links.ts'
import { AgentCheckout } from './agent-checkout.entity.ts'
import { type Asked, error, hints, type Message, Nothing, type Shop } from './call.ts'
import {
  buyer,
  cartView,
  changeBy,
  discounts,
  emptyCart,
  lineItems,
  messageOf,
  notFound,
  ofPayload,
  openCart,
  withoutBadCode,
} from './cart.ts'
import { fulfillmentOf, missingOf, orderedView } from './checkout-view.ts'
import { fulfillment, readAddress, readBuyer } from './destination.ts'
import { readOrder, tokenOf } from './order.ts'

const shared = { ...hints, discounts, buyer, fulfillment }

export const beginning = z.looseObject({
  ...shared,
  cart_id: z.string().max(200).optional().describe('Of a cart that is ordered: `line_items` are its own then'),
  line_items: lineItems,
})
export const changing = z.looseObject({ ...shared, line_items: lineItems })
/** Payment is not part of the protocol here: the buyer pays on the shop's page. */
export const completing = z.looseObject({ ...hints, payment: z.looseObject({}).optional() })

type Change = z.output<typeof changing>

export async function createCheckout(shop: Shop, { body, idempotencyKey }: Asked<z.output<typeof beginning>>) {
  const { cart_id: cartId } = body
  if (cartId !== undefined) {
    const begun = await shop.em.findOne(AgentCheckout, { tokenHash: hashOf(cartId) })
    if (begun?.orderId) return checkoutView(shop, cartId)
    await openCart(shop, cartId)
    return change(shop, cartId, { ...body, line_items: null }, idempotencyKey)
  }
  if (body.line_items.length === 0)
    throw new Nothing(error('invalid_input', 'Say what is ordered.', 'recoverable', '$.line_items'))
  const { createCart } = await shop.ask(op.UcpCreateCartDocument, { input: changeBy(body, idempotencyKey) })
  const { id } = ofPayload(createCart, body)
  return change(shop, id, { ...body, line_items: null }, null)
}

export const getCheckout = (shop: Shop, { id }: Asked<unknown>) => checkoutView(shop, id)

export async function updateCheckout(shop: Shop, { id, body, idempotencyKey }: Asked<Change>) {
  const { orderId, cancelledAt } = await openCheckout(shop, id)
  if (orderId || cancelledAt)
    return checkoutView(shop, id, [
      error('not_modifiable', 'What was ordered or cancelled does not change any more: begin another checkout.'),
    ])
  return change(shop, id, body, idempotencyKey)
}

/** Lines that are null stay as they are. */
type Changing = Pick<Change, 'discounts' | 'buyer' | 'fulfillment'> & { line_items: Change['line_items'] | null }

async function change(shop: Shop, id: string, body: Changing, idempotencyKey: string | null) {
  const person = readBuyer(body.buyer ?? {})
  const begun = await shop.em.findOne(AgentCheckout, { tokenHash: hashOf(id) })
  const read = readAddress(body.fulfillment, { ...begun?.buyer, ...person.buyer })
  const input = {
    ...(body.line_items && changeBy({ ...body, line_items: body.line_items }, idempotencyKey)),
    ...(body.discounts?.codes && { code: body.discounts.codes[0] ?? null }),
    ...(read.address && { shippingAddress: read.address }),
  }
  const { changeCart } = await shop.ask(op.UcpChangeCartDocument, { id, input })
  const cart = ofPayload(changeCart, { line_items: body.line_items ?? [] })
  const [, refused] = await withoutBadCode(shop, cart, body)
  await shop.em.execute(
    `insert into agent_checkouts (token_hash, buyer) values (?, ?)
     on conflict (token_hash) do update set buyer = agent_checkouts.buyer || excluded.buyer, cancelled_at = null`,
    [hashOf(id), JSON.stringify(person.buyer)],
  )
  return checkoutView(shop, id, [...read.messages, ...person.messages, ...refused])
}

/** Places the order, which sets its stock aside: the buyer has what it takes to pay it. Safe to repeat. */
export async function completeCheckout(shop: Shop, { id }: Asked<unknown>) {
  const { buyer, orderId, cancelledAt } = await openCheckout(shop, id)
  if (orderId || cancelledAt || !buyer.email) return checkoutView(shop, id)
  // A checkout becomes one order, however often and under whatever key an agent completes it.
  const idempotencyKey = createHash('sha256').update(`placing ${id}`).digest('hex')
  const { placeOrder } = await shop.ask(op.UcpPlaceOrderDocument, {
    input: { cartId: id, guestEmail: buyer.email, idempotencyKey },
  })
  const { order, userErrors } = placeOrder
  if (order) {
    await shop.em.transactional(async tx => {
      await openOrderWith(tx, tokenOf(id), order.id)
      await tx.execute('update agent_checkouts set order_id = ? where token_hash = ?', [order.id, hashOf(id)])
    })
    return checkoutView(shop, id)
  }
  const cart = await openCart(shop, id)
  // Whether this buyer may use the code is known only now.
  if (userErrors.some(({ field }) => field?.[0] === 'code'))
    await shop.ask(op.UcpChangeCartDocument, { id, input: { code: null } })
  const products = cart.lines.map(({ productId }) => productId)
  return checkoutView(
    shop,
    id,
    userErrors.map(refused => messageOf(refused, products)),
  )
}

export async function cancelCheckout(shop: Shop, { id }: Asked<unknown>) {
  await openCheckout(shop, id)
  // A concurrent order finds the cart empty, unless it came first: then it stands.
  await emptyCart(shop, id)
  const { orderId } = await openCheckout(shop, id)
  if (!orderId) {
    await shop.em.execute('update agent_checkouts set cancelled_at = ? where token_hash = ?', [clock.now(), hashOf(id)])
    return checkoutView(shop, id)
  }
  const { cancelOrder } = await shop.ask(op.UcpCancelOrderDocument, { id: orderId }, { orderToken: tokenOf(id) })
  return checkoutView(
    shop,
    id,
    cancelOrder.userErrors.map(refused => messageOf(refused, [])),
  )
}

async function openCheckout(shop: Shop, id: string): Promise<AgentCheckout> {
  const found = await shop.em.findOne(AgentCheckout, { tokenHash: hashOf(id) }, { refresh: true })
  if (!found) throw notFound()
  return found
}

/** A checkout as it stands, and what is to be done next. */
async function checkoutView(shop: Shop, id: string, messages: Message[] = []) {
  const checkout = await openCheckout(shop, id)
  const order = checkout.orderId ? await readOrder(shop, id) : null
  if (order) return orderedView(shop, id, order, messages)
  const { cart } = await shop.ask(op.UcpCartByIdDocument, { id })
  if (!cart) throw notFound()
  const { buyer, cancelledAt } = checkout
  const view = cartView(shop, cart, [...messages, ...missingOf(shop, cart, buyer, messages)])
  const isReady = !view.messages.some(({ type }) => type === 'error')
  return {
    ...view,
    status: cancelledAt ? 'canceled' : isReady ? 'ready_for_complete' : 'incomplete',
    ...(cancelledAt && { messages }),
    buyer,
    fulfillment: fulfillmentOf(
      cart.quote.lines.map(({ productId, product }) => ({ productId, isDownload: product?.isDownload ?? false })),
      cart.shippingAddress,
      cart.quote.shippingPrice,
    ),
  }
}
