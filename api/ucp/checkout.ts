import { createHash } from 'node:crypto'
import { z } from 'zod'
import { codeOfCountry, countryNamed } from '#schema/rules/countries'
import { limits } from '#schema/rules/limits'
import type { OrderStatus } from '#schema/rules/order-status'
import { shippingAddress } from '#schema/rules/shapes/address'
import { email, text } from '#schema/rules/shapes/text'
import * as op from '../generated/ucp.ts'
import { clock } from '../kernel/clock.ts'
import { hashOf } from '../kernel/tokens.ts'
import { openOrderWith } from '../order/order-links.ts'
import { AgentCheckout, type Buyer } from './agent-checkout.entity.ts'
import { type Asked, error, hints, type Message, Nothing, type Shop } from './call.ts'
import {
  buyer,
  cartView,
  changeBy,
  discounts,
  emptyCart,
  itemOf,
  lineItems,
  lineTotals,
  linksOf,
  messageOf,
  notFound,
  ofPayload,
  openCart,
  totalsOf,
  withoutBadCode,
  type Cart,
} from './cart.ts'
import { confirmationOf, pageOf, postal, readOrder, tokenOf, type Order } from './order.ts'

const line = z.string().max(1_000).optional()

const destination = z.looseObject({
  id: z.string().max(200).optional(),
  first_name: line,
  last_name: line,
  street_address: line,
  extended_address: line,
  address_locality: line,
  address_region: line,
  postal_code: line,
  address_country: line.describe('ISO 3166-1, or its name in English'),
  phone_number: line,
})

const fulfillment = z
  .looseObject({
    methods: z
      .array(
        z.looseObject({
          id: z.string().max(200).optional(),
          type: z.literal('shipping').optional(),
          line_item_ids: z.array(z.string().max(200)).max(limits.linesPerOrder).optional(),
          destinations: z.array(destination).max(10).optional().describe('Where it goes'),
          selected_destination_id: z.string().max(200).nullish(),
          groups: z
            .array(
              z.looseObject({ id: z.string().max(200).optional(), selected_option_id: z.string().max(200).nullish() }),
            )
            .max(10)
            .optional(),
        }),
      )
      .max(1)
      .optional(),
  })
  .optional()

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

const sayingOf = ({ issues }: z.core.$ZodError) => issues.map(({ message }) => message).join(' ')

const buyerFields = {
  email,
  first_name: text('First name', limits.addressLine),
  last_name: text('Last name', limits.addressLine),
  phone_number: text('Phone', limits.phone),
}

/** What can be kept of a buyer; the rest is told. */
function readBuyer(given: Buyer) {
  const buyer: Buyer = {}
  const messages: Message[] = []
  for (const [field, shape] of Object.entries(buyerFields) as [keyof Buyer, z.ZodType<string>][]) {
    if (given[field] === undefined) continue
    const { success, data, error: wrong } = shape.safeParse(given[field])
    if (success) buyer[field] = data
    else messages.push(error(`invalid_${field}`, sayingOf(wrong), 'recoverable', `$.buyer.${field}`))
  }
  return { buyer, messages }
}

/** Where it goes: the destination that was chosen, or the first. What cannot be an address is told, and not taken. */
function readAddress(
  fulfillment: Change['fulfillment'],
  buyer: Buyer,
): { address: z.output<typeof shippingAddress> | null; messages: Message[] } {
  const { destinations = [], selected_destination_id: chosen } = fulfillment?.methods?.[0] ?? {}
  const index = Math.max(
    destinations.findIndex(({ id }) => id !== undefined && id === chosen),
    0,
  )
  const given = destinations[index]
  if (!given) return { address: null, messages: [] }
  const path = `$.fulfillment.methods[0].destinations[${index}]`
  const nameOf = (person: Buyer) => [person.first_name, person.last_name].filter(Boolean).join(' ')
  const {
    success,
    data,
    error: wrong,
  } = shippingAddress.safeParse({
    name: nameOf(given) || nameOf(buyer),
    address: given.street_address,
    address2: given.extended_address,
    city: given.address_locality,
    state: given.address_region,
    postalCode: given.postal_code,
    country: countryNamed(given.address_country ?? ''),
    phone: given.phone_number ?? buyer.phone_number,
  })
  if (!success) return { address: null, messages: [error('invalid_address', sayingOf(wrong), 'recoverable', path)] }
  if (codeOfCountry(data.country) === undefined)
    return {
      address: null,
      messages: [error('address_undeliverable', 'There is no such country.', 'recoverable', `${path}.address_country`)],
    }
  return { address: data, messages: [] }
}

/** A checkout as it stands, and what is to be done next. */
async function checkoutView(shop: Shop, id: string, messages: Message[] = []) {
  const checkout = await openCheckout(shop, id)
  const order = checkout.orderId ? await readOrder(shop, id) : null
  if (order) return orderedView(shop, id, order, messages)
  const { cart } = await shop.ask(op.UcpCartByIdDocument, { id })
  if (!cart) throw notFound()
  const { buyer, cancelledAt } = checkout
  const view = cartView(shop, cart, [...messages, ...missingOf(cart, buyer, messages)])
  const isReady = !view.messages.some(({ type }) => type === 'error')
  return {
    ...view,
    status: cancelledAt ? 'canceled' : isReady ? 'ready_for_complete' : 'incomplete',
    ...(cancelledAt && { messages }),
    buyer,
    fulfillment: fulfillmentOf(
      cart.lines.map(({ productId }) => productId),
      cart.shippingAddress,
      cart.quote.shippingPrice,
    ),
  }
}

/** What an order needs and nobody has said yet, unless what was said of it was wrong. */
function missingOf({ lines, shippingAddress }: Cart, { email }: Buyer, messages: Message[]): Message[] {
  const isNamed = (path: string) => messages.some(message => message.path?.startsWith(path))
  const address = '$.fulfillment.methods[0].destinations'
  return [
    ...(lines.length === 0 ? [error('field_required', 'Nothing is ordered.', 'recoverable', '$.line_items')] : []),
    ...(email === undefined && !isNamed('$.buyer.email')
      ? [error('field_required', 'Say where the shop writes to.', 'recoverable', '$.buyer.email')]
      : []),
    ...(shippingAddress === null && !isNamed(address)
      ? [error('field_required', 'Say where it goes: at least name and country.', 'recoverable', address)]
      : []),
  ]
}

/** What a checkout has come to with its order; null as long as that is to be paid. */
const ended: Record<OrderStatus, 'completed' | 'canceled' | null> = {
  UNPAID: null,
  LAPSED: null,
  CANCELLED: 'canceled',
  PAID: 'completed',
  PARTLY_SENT: 'completed',
  SENT: 'completed',
  DELIVERED: 'completed',
}

/** One that was ordered: what is left to do is its buyer’s. */
function orderedView(shop: Shop, id: string, order: Order, messages: Message[]) {
  const { status, isPaid, isPaymentUnderWay, heldUntil } = order
  const isOver = ended[status] !== null
  return {
    id,
    status: ended[status] ?? (isPaymentUnderWay ? 'complete_in_progress' : 'requires_escalation'),
    buyer: { email: order.user.email },
    line_items: order.items.map(item => ({
      ...itemOf(shop, item),
      quantity: item.quantity,
      totals: lineTotals(item.price * item.quantity),
    })),
    currency: 'USD',
    totals: totalsOf(order),
    ...(order.discountCode !== null && {
      discounts: {
        codes: [order.discountCode],
        applied: [{ code: order.discountCode, title: 'Discount', amount: order.discount }],
      },
    }),
    fulfillment: fulfillmentOf(
      order.items.map(({ productId }) => productId),
      order.shippingAddress,
      order.shippingPrice,
    ),
    messages: isOver
      ? messages
      : [
          ...messages,
          error(
            'payment_required',
            'The order is placed. Its buyer looks at it and pays it at `continue_url`.',
            'requires_buyer_review',
          ),
        ],
    links: linksOf(shop),
    ...(isPaid && { order: confirmationOf(shop, id, order) }),
    ...(!isOver && { continue_url: pageOf(shop, id, order) }),
    ...(!isOver && heldUntil !== null && { expires_at: heldUntil }),
  }
}

/** The shop sends everything in one way, for what its rules say. */
const fulfillmentOf = (lines: string[], address: op.UcpAddressFragment | null, price: number) => ({
  methods: [
    {
      id: 'shipping',
      type: 'shipping',
      line_item_ids: lines,
      ...(address && { destinations: [{ id: 'address', ...postal(address) }], selected_destination_id: 'address' }),
      groups: [
        {
          id: 'parcel',
          line_item_ids: lines,
          selected_option_id: 'standard',
          options: [{ id: 'standard', title: 'Standard shipping', totals: [{ type: 'total', amount: price }] }],
        },
      ],
    },
  ],
})
