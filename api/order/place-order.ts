import { createHash } from 'node:crypto'
import { UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { z } from 'zod'
import { paymentMethods } from '#schema/rules/payment-methods'
import { valueAt } from '#schema/rules/present'
import { giftCardsIn, isDownloadsAlone } from '#schema/rules/pricing'
import { orderAddress } from '#schema/rules/shapes/address'
import { enteredCode } from '#schema/rules/shapes/discount'
import { enteredGiftCards } from '#schema/rules/shapes/gift-card'
import { customerNote } from '#schema/rules/shapes/order'
import { emailKey, type User } from '../account/user.entity.ts'
import { recordAudit, type Actor } from '../audit/record-audit.ts'
import { asAsked, emptyCart, lockCart, type OpenCart } from '../cart/open-cart.ts'
import { readShelf, takeUntold, type StockLine } from '../catalog/stock.ts'
import { stockMoveEvents } from '../catalog/stock-event.ts'
import { takeCode } from '../discount/apply-code.ts'
import { takeGiftCards } from '../gift-card/use-gift-cards.ts'
import { clock } from '../kernel/clock.ts'
import type { Context } from '../context.ts'
import { Refusal, refuse, unauthenticated } from '../kernel/errors.ts'
import type { PlaceOrderInput, UserErrorCode } from '../generated/types.ts'
import { becomePaid } from '../payment/settle.ts'
import { check, email, idempotencyKey, isId, knownTimeZone } from '../kernel/validation.ts'
import { admitHold, holderOf } from './admit-hold.ts'
import { resolveAddress, whyUnreachable } from './destination.ts'
import { insertOrder } from './insert-order.ts'
import { recordPlaced } from './order-event.ts'
import { makeOrderToken } from './order-links.ts'
import { Order, type Owner } from './order.entity.ts'
import { chargeGiftCards, priceOrder, type Priced, readShelfToday, reducedColumns, type Shelf } from './price-order.ts'
import { mergeLines, quoteCart } from './quote-cart.ts'
import { refuseOtherLots, refuseShort } from './refuse-short.ts'

const placement = z.object({
  shippingAddress: orderAddress.nullish(),
  customerNote: customerNote.nullish().transform(said => said || null),
  paymentMethod: z
    .string()
    .default('PayPal')
    .refine(method => method === 'PayPal', 'Payment must be by PayPal.'),
  code: enteredCode.nullish(),
  giftCards: enteredGiftCards.nullish().transform(codes => codes ?? []),
  timeZone: knownTimeZone,
  idempotencyKey: idempotencyKey.nullish(),
})

/** With its key, a guest's order is answered once more, token and all: so it has to be one that nobody guesses. */
const guestOrder = z.object({
  guestEmail: email,
  idempotencyKey: z
    .string()
    .min(20, 'A guest’s idempotency key has 20 characters or more: make a random one for each order.')
    .nullish(),
})

/** Refusals that come with the cart as it is now. */
const QUOTED: readonly UserErrorCode[] = ['OUT_OF_STOCK', 'PRICE_CHANGED', 'NOT_FOUND', 'MIXED_LOTS', 'LOTS_GONE']

/** The part of its hold that an order has before its shopper turns to paying it. */
const UNSTARTED_PART = 1 / 4

type Placing = Pick<
  Context,
  'user' | 'policy' | 'delivery' | 'stockHoldMinutes' | 'holdLimits' | 'guestThrottle' | 'ip' | 'scopes'
>

/** Whose order it is going to be. A guest is called as the address says. */
export interface Buyer extends Owner {
  userName: string | null
  userEmail: string
  /** The administrator who was told of the order, and how long it waits to be paid. Null when they order themselves. */
  takenBy: { actor: Actor; holdMinutes: number } | null
}

export const accountOf = ({ id, name, email }: User): Omit<Buyer, 'takenBy'> => ({
  userId: id,
  guestKey: null,
  userName: name,
  userEmail: email,
})
export const guestOf = (address: string): Omit<Buyer, 'takenBy'> => ({
  userId: null,
  guestKey: emailKey(address),
  userName: null,
  userEmail: address,
})

export interface Placed {
  order: Order
  /** Opens a guest's order, for who placed it; null for an account's. */
  orderToken: string | null
}

/**
 * Places an order and takes its stock, all or nothing. The same idempotency key answers with the order placed before; to
 * a guest with a token of its own, for the first one may not have arrived.
 */
export async function placeOrder(
  em: EntityManager,
  services: Placing,
  { guestEmail = null, ...input }: PlaceOrderInput,
): Promise<Placed> {
  const { user } = services
  if (user) {
    if (guestEmail !== null)
      throw refuse('INVALID', 'You are signed in: the order is your account’s, not a guest’s.', {
        field: ['guestEmail'],
      })
    return placeFor(em, services, { ...accountOf(user), takenBy: null }, input)
  }
  if (guestEmail === null) throw unauthenticated()
  const guest = check(guestOrder, { guestEmail, idempotencyKey: input.idempotencyKey })
  await services.guestThrottle.admit({ ip: services.ip, email: guest.guestEmail })
  return placeFor(em, services, { ...guestOf(guest.guestEmail), takenBy: null }, input)
}

/** Opens a guest's order in the transaction that places it: an order that nobody can open would be placed once more. */
async function opened(em: EntityManager, { userId, takenBy }: Buyer, order: Order): Promise<Placed> {
  if (userId !== null || takenBy) return { order, orderToken: null }
  const orderToken = makeOrderToken(em, order.id)
  await em.flush()
  return { order, orderToken }
}

/** Places an order for a buyer, whoever sent it. */
export async function placeFor(
  em: EntityManager,
  services: Placing,
  buyer: Buyer,
  { lines, cartId = null, expectedTotal = null, expectedDue = null, ...input }: Omit<PlaceOrderInput, 'guestEmail'>,
): Promise<Placed> {
  if (lines && cartId !== null) throw refuse('INVALID', 'Give either lines or a cart.', { field: ['cartId'] })
  const given = mergeLines(lines ?? [])
  if (cartId === null && given.length === 0) throw emptyOrder()
  const unknown = given.find(line => !isId(line.productId))
  if (unknown)
    throw refuse('NOT_FOUND', 'A product in your cart is no longer for sale.', { field: ['lines', unknown.productId] })
  const asked: Asked = { ...check(placement, input), lines: given, cartId }

  const key = asked.idempotencyKey ?? null
  const hash = key && hashOfOrder(asked, buyer)
  if (key) {
    const placed = await placedBefore(em, buyer, key, hash)
    if (placed) return opened(em, buyer, placed)
  }
  let ordered: Contents = { ...asked, code: asked.code ?? null }
  try {
    // Without a transaction: when a crowd wants the last skeins, nearly everybody is told here that they are gone.
    let seen = cartId === null && ordered.shippingAddress ? await readShelf(em, ordered.lines) : null
    if (seen) refuseShort(seen)
    return await em.transactional(async tx => {
      const shelf = seen
      // A transaction that a conflict has undone reads again.
      seen = null
      const cart = cartId !== null ? await lockCart(tx, services, cartId) : null
      if (cart) ordered = contentsOf(cart, asked)
      if (ordered.lines.length === 0) throw emptyOrder()
      if (!ordered.shippingAddress)
        throw refuse('INVALID', 'Please say where the order goes.', { field: ['shippingAddress'] })
      const shippingAddress = resolveAddress(services, ordered.shippingAddress)
      const unreachable = whyUnreachable(services, shippingAddress)
      if (unreachable) throw refuse('INVALID', unreachable.message, { field: ['shippingAddress', unreachable.line] })
      if (cart) emptyCart(cart)
      const placement = { ...asked, ...ordered, seen: shelf, shippingAddress, key, hash, expectedTotal, expectedDue }
      return opened(tx, buyer, await place(tx, services, buyer, placement))
    })
  } catch (error) {
    // The same submit may have come through in the meantime, and may have taken what this one found short.
    if (key && (error instanceof UniqueConstraintViolationException || error instanceof Refusal)) {
      const placed = await placedBefore(em, buyer, key, hash)
      if (placed) return opened(em, buyer, placed)
    }
    if (error instanceof Refusal && error.userErrors.some(({ code }) => QUOTED.includes(code))) {
      const { lines, code, shippingAddress } = ordered
      const { giftCards } = asked
      const to = shippingAddress && resolveAddress(services, shippingAddress)
      // A field's resolver: a quote that nobody asked for is not made.
      error.details['quote'] = () => quoteCart(em, services.policy, { lines, code, to, buyer, giftCards })
    }
    throw error
  }
}

const emptyOrder = () => refuse('CART_EMPTY', 'Your cart is empty.')

/** What is asked for, checked. Either lines or a cart. */
interface Asked extends z.output<typeof placement> {
  lines: StockLine[]
  cartId: string | null
}

/** What is ordered, and where it goes if anybody has said. */
interface Contents {
  lines: StockLine[]
  shippingAddress?: Order['shippingAddress'] | null | undefined
  code: string | null
}

/** Those of a cart, but for what is given with the order. */
const contentsOf = (cart: OpenCart, { shippingAddress, code }: Asked): Contents => ({
  lines: asAsked(cart.lines),
  shippingAddress: shippingAddress ?? cart.shippingAddress,
  code: code || cart.code,
})

function hashOfOrder(asked: Asked, { guestKey }: Buyer): string {
  const { lines, cartId, shippingAddress, customerNote, paymentMethod, code, giftCards } = asked
  const parts = [
    // The cart's id alone: when the same request is repeated, the cart has been emptied by its order.
    cartId ?? lines,
    shippingAddress,
    paymentMethod,
    ...(code ? [code] : []),
    ...(giftCards.length > 0 ? [{ giftCards }] : []),
    ...(customerNote ? [{ note: customerNote }] : []),
    ...(guestKey === null ? [] : [{ guest: guestKey }]),
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

interface Placement extends Priced {
  lines: StockLine[]
  /** The products of these lines, if they were read already. */
  seen: Shelf | null
  customerNote: string | null
  paymentMethod: string
  timeZone: string | null
  key: string | null
  hash: string | null
}

async function place(
  em: EntityManager,
  { policy, stockHoldMinutes, holdLimits, ...asking }: Placing,
  buyer: Buyer,
  placement: Placement,
): Promise<Order> {
  const { lines, seen, shippingAddress, customerNote, timeZone, key, hash } = placement
  const shelf = await readShelfToday(em, lines, seen)
  refuseShort(shelf)
  const { products } = shelf

  const items = lines.map((line, position) => ({ ...valueAt(products, line.productId), ...line, position }))
  if (shippingAddress.isPickup && isDownloadsAlone(items))
    throw refuse('INVALID', 'There is nothing to pick up. Please give your address.', {
      field: ['shippingAddress', 'isPickup'],
    })
  const { terms, prices, applied, saved } = await priceOrder(em, policy, buyer, items, placement)
  const { takenBy, ...owner } = buyer
  const holder = takenBy ? null : holderOf(buyer, asking)
  if (holder) await admitHold(em, holdLimits, holder, lines)
  const { cards, giftCardAmount, isPaid } = await chargeGiftCards(em, prices.totalPrice, placement)
  const now = clock.now()
  const holdMinutes = takenBy?.holdMinutes ?? stockHoldMinutes * UNSTARTED_PART
  // As much as can be is written before rows are locked that other buyers wait for.
  const order = await insertOrder(em, {
    id: v7(),
    ...owner,
    userName: buyer.userName ?? shippingAddress.name,
    timeZone,
    shippingAddress,
    customerNote,
    isDownload: isDownloadsAlone(items),
    paymentMethod: isPaid ? paymentMethods.GIFT_CARD : placement.paymentMethod,
    ...prices,
    giftCardAmount,
    giftCardsSold: giftCardsIn(items),
    taxBasisPoints: terms.taxBasisPoints,
    ...reducedColumns(prices),
    discountCode: applied?.code ?? null,
    heldUntil: new Date(now.getTime() + holdMinutes * 60_000),
    placedFrom: holder?.placedFrom ?? null,
    idempotencyKey: key,
    idempotencyHash: hash,
    createdAt: now,
  })
  if (!order) throw unauthenticated()
  if (takenBy)
    await recordAudit(em, takenBy.actor, {
      entity: 'ORDER',
      entityId: order.id,
      label: order.reference,
      action: 'CREATED',
      changes: [{ field: 'totalPrice', before: null, after: String(order.totalPrice) }],
    })

  if (applied)
    await takeCode(em, applied, {
      orderId: order.id,
      buyer,
      saved,
    })
  await takeGiftCards(em, order.id, cards)
  const taken = await takeUntold(em, order, lines)
  refuseShort(taken)
  refuseOtherLots(taken)
  // Only after takeUntold: a line refers to its product, and an order that waits for one would keep others waiting for the rest.
  await recordPlaced(
    em,
    order.id,
    items.map(({ productId, position, sku, name, image, price, quantity, isDownload, isGiftCard, reducedTax }) => {
      const discount = applied?.reduction.lines[position] ?? 0
      const [lots, expectedOn] = [taken.lots.get(productId) ?? [], taken.expected.get(productId) ?? null]
      return {
        productId,
        position,
        sku,
        name,
        image,
        price,
        quantity,
        lots,
        expectedOn,
        isDownload,
        isGiftCard,
        reducedTax,
        discount,
      }
    }),
    stockMoveEvents(taken.moves, 'sold', order),
  )
  if (isPaid) await becomePaid(em, order)
  return order
}

async function placedBefore(
  em: EntityManager,
  { userId }: Buyer,
  key: string,
  hash: string | null,
): Promise<Order | null> {
  const order = await em.findOne(Order, { userId, idempotencyKey: key })
  if (order && order.idempotencyHash !== hash) {
    throw refuse('IDEMPOTENCY_MISMATCH', 'This order was already placed with other contents.')
  }
  return order
}
