import { z } from 'zod'
import { shopCurrency } from '#schema/rules/money'
import { limits } from '#schema/rules/limits'
import { ownerLimits } from '#schema/rules/owner-limits'
import type { UserError, UserErrorCode } from '../generated/types.ts'
import * as op from '../generated/ucp.ts'
import { hashOf } from '../kernel/tokens.ts'
import { AgentCheckout } from './agent-checkout.entity.ts'
import { type Asked, error, hints, type Message, Nothing, type Shop, warning } from './call.ts'
import { absolute } from './product-view.ts'

const id = z.string().min(1).max(200)
const line = (of: number) => z.string().max(of).optional()

const lineItem = z.looseObject({
  id: id.optional().describe('What the shop calls the line; not needed'),
  item: z.looseObject({ id: id.describe('Of the variant') }),
  quantity: z.number().int().min(1).max(limits.stock),
  dye_lots: z
    .array(z.looseObject({ code: z.string().max(ownerLimits.lot.code), quantity: z.number().int().min(1) }))
    .max(ownerLimits.lot.perProduct)
    .optional()
    .describe('To agree to a line of several dye lots: those that the answer told, as they were told'),
})

export const lineItems = z.array(lineItem).max(limits.linesPerOrder)

export const discounts = z
  .looseObject({ codes: z.array(z.string().max(100)).max(10).optional().describe('One can be used with an order') })
  .optional()

export const buyer = z
  .looseObject({
    first_name: line(limits.addressLine),
    last_name: line(limits.addressLine),
    email: z.string().max(1_000).optional().describe('Where the shop writes to about the order'),
    phone_number: line(limits.phone),
  })
  .optional()

export const filling = z.looseObject({ ...hints, line_items: lineItems, discounts, buyer })

type Filling = z.output<typeof filling>

export async function createCart(shop: Shop, { body, idempotencyKey }: Asked<Filling>) {
  if (body.line_items.length === 0)
    throw new Nothing(error('invalid_input', 'Put something in.', 'recoverable', '$.line_items'))
  const { createCart: made } = await shop.ask(op.UcpCreateCartDocument, { input: changeBy(body, idempotencyKey) })
  const cart = ofPayload(made, body)
  return cartView(shop, ...(await withoutBadCode(shop, cart, body)))
}

export const getCart = async (shop: Shop, { id }: Asked<unknown>) => cartView(shop, await openCart(shop, id), [])

export async function updateCart(shop: Shop, { id, body, idempotencyKey }: Asked<Filling>) {
  const checkout = await shop.em.findOne(AgentCheckout, { tokenHash: hashOf(id) })
  // It has been ordered: what comes now is another cart.
  if (checkout?.orderId) throw notFound()
  const { changeCart } = await shop.ask(op.UcpChangeCartDocument, { id, input: changeBy(body, idempotencyKey) })
  return cartView(shop, ...(await withoutBadCode(shop, ofPayload(changeCart, body), body)))
}

/** Empties it: an empty cart is none to agents. Returns what was in it. */
export async function cancelCart(shop: Shop, { id }: Asked<unknown>) {
  const cart = await openCart(shop, id)
  await emptyCart(shop, id)
  return cartView(shop, cart, [])
}

export const emptyCart = (shop: Shop, id: string) =>
  shop.ask(op.UcpChangeCartDocument, {
    id,
    input: { lines: [], replacesLines: true, code: null, shippingAddress: null },
  })

export async function openCart(shop: Shop, id: string): Promise<Cart> {
  const { cart } = await shop.ask(op.UcpCartByIdDocument, { id })
  if (!cart || cart.lines.length === 0) throw notFound()
  return cart
}

export const notFound = () => new Nothing(error('not_found', 'There is no such thing (any more).', 'unrecoverable'))

export type Cart = op.UcpCartFragment

/** What of a cart changes: the protocol sends all of what it changes, and leaves out what stays. */
export function changeBy(
  { line_items, discounts: asked }: Pick<Filling, 'line_items' | 'discounts'>,
  key: string | null,
) {
  const byProduct = Map.groupBy(line_items, ({ item }) => item.id.toLowerCase())
  return {
    lines: [...byProduct].map(([productId, lines]) => {
      const lots = lines.flatMap(({ dye_lots = [] }) => dye_lots.map(({ code, quantity }) => ({ code, quantity })))
      const quantity = lines.reduce((sum, each) => sum + each.quantity, 0)
      return { productId, quantity, ...(lots.length > 0 && { lots }) }
    }),
    replacesLines: true,
    ...(asked?.codes && { code: asked.codes[0] ?? null }),
    ...(key !== null && { idempotencyKey: key }),
  }
}

interface Payload {
  cart: Cart | null
  userErrors: Refused[]
}
export type Refused = Pick<UserError, 'code' | 'message' | 'field'>

/** The cart after a change; nothing was changed when it was refused. */
export function ofPayload({ cart, userErrors }: Payload, { line_items }: Pick<Filling, 'line_items'>): Cart {
  if (cart) return cart
  if (userErrors.some(({ code, field }) => code === 'NOT_FOUND' && !field)) throw notFound()
  const products = line_items.map(({ item }) => item.id.toLowerCase())
  throw new Nothing(...userErrors.map(refused => messageOf(refused, products)))
}

/** A code that does not work is taken off again, so that it keeps nobody from ordering; the answer says so this once. */
export async function withoutBadCode(
  shop: Shop,
  cart: Cart,
  { discounts: asked }: Pick<Filling, 'discounts'> = {},
): Promise<[Cart, Message[]]> {
  const others = (asked?.codes ?? [])
    .slice(1)
    .map((code, index) =>
      warning(
        'discount_code_combination_disallowed',
        `“${code}” was not used: an order has one discount code.`,
        `$.discounts.codes[${index + 1}]`,
      ),
    )
  const refused = cart.notices.filter(({ field }) => field?.[0] === 'code')
  if (refused.length === 0) return [cart, others]
  const { changeCart } = await shop.ask(op.UcpChangeCartDocument, { id: cart.id, input: { code: null } })
  return [changeCart.cart ?? cart, [...refused.map(notice => messageOf(notice, [])), ...others]]
}

/** The protocol's word for why something is refused; our own in small letters where it has none. */
const CODES: Partial<Record<UserErrorCode, string>> = {
  NOT_FOUND: 'item_unavailable',
  MIXED_LOTS: 'mixed_dye_lots',
  LOTS_GONE: 'dye_lots_gone',
  CODE_EXPIRED: 'discount_code_expired',
  CODE_FIRST_ORDER: 'discount_code_user_ineligible',
  CODE_OF_ANOTHER: 'discount_code_user_ineligible',
  CODE_USED_BY_YOU: 'discount_code_user_ineligible',
  CODE_UNKNOWN: 'discount_code_invalid',
  CODE_NOT_YET: 'discount_code_invalid',
  CODE_MINIMUM: 'discount_code_invalid',
  CODE_USED_UP: 'discount_code_invalid',
  CODE_NOT_FOR_THESE: 'discount_code_invalid',
}

/** A refusal, or a notice, in the protocol's terms. `products` are the lines', in their order. */
export function messageOf({ code, message, field }: Refused, products: readonly string[]): Message {
  const name = CODES[code] ?? code.toLowerCase()
  if (field?.[0] === 'code') return warning(name, message, '$.discounts.codes[0]')
  const index = products.indexOf(field?.[1] ?? '')
  const path = field?.[0] === 'lines' ? (index < 0 ? '$.line_items' : `$.line_items[${index}]`) : '$'
  return code === 'PRICE_CHANGED' ? warning(name, message, path) : error(name, message, 'recoverable', path)
}

/** A cart as it is now, with what would be in the way of ordering it. */
export function cartView(shop: Shop, cart: Cart, messages: Message[]) {
  const { id, lines, quote, notices, expiresAt } = cart
  const quoted = new Map(quote.lines.map(each => [each.productId, each]))
  const products = lines.map(({ productId }) => productId)
  return {
    id,
    line_items: lines.map(({ productId, name, price, quantity }) => {
      const { product, quantity: available = 0, lots = [] } = quoted.get(productId) ?? {}
      const each = product?.price ?? price
      return {
        ...itemOf(shop, { productId, name: product?.name ?? name, image: product?.image ?? null, price: each }),
        quantity,
        // Of what can be had, as the totals are.
        totals: lineTotals(each * available),
        ...(lots.length > 0 && { dye_lots: lots }),
      }
    }),
    currency: shopCurrency(),
    totals: totalsOf(quote),
    ...(quote.code && {
      discounts: {
        codes: [quote.code.code],
        applied: [{ code: quote.code.code, title: quote.code.description, amount: quote.code.saved }],
      },
    }),
    messages: [...notices.map(notice => messageOf(notice, products)), ...messages],
    links: linksOf(shop),
    expires_at: expiresAt,
  }
}

interface Item {
  productId: string
  name: string
  image: string | null
  price: number
}

/** A line, which is called as its product: there is one of each. */
export const itemOf = (shop: Shop, { productId, name, image, price }: Item) => ({
  id: productId,
  item: { id: productId, title: name, price, ...(image !== null && { image_url: absolute(shop, image) }) },
})

export const lineTotals = (amount: number) => [
  { type: 'subtotal', amount },
  { type: 'total', amount },
]

type Prices = Pick<Cart['quote'], 'itemsPrice' | 'discount' | 'shippingPrice' | 'taxPrice' | 'totalPrice'>

/** As `schema/rules/pricing.ts` has them. A code's discount is one of the whole. */
export const totalsOf = ({ itemsPrice, discount, shippingPrice, taxPrice, totalPrice }: Prices) => [
  { type: 'subtotal', display_text: 'Items', amount: itemsPrice },
  ...(discount > 0 ? [{ type: 'discount', display_text: 'Discount', amount: -discount }] : []),
  { type: 'fulfillment', display_text: 'Shipping', amount: shippingPrice },
  { type: 'tax', display_text: 'Tax', amount: taxPrice },
  { type: 'total', display_text: 'Total', amount: totalPrice },
]

export const linksOf = ({ url }: Shop) => [
  { type: 'privacy_policy', url: `${url}/privacy` },
  { type: 'terms_of_service', url: `${url}/terms` },
  { type: 'shipping_policy', url: `${url}/shipping-and-returns` },
  { type: 'refund_policy', url: `${url}/shipping-and-returns` },
]
