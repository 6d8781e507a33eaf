import { z } from 'zod'
import { CURRENCIES } from '#schema/rules/currency'
import { orderStatusNames } from '#schema/rules/order-status'
import type { EventType } from '../generated/types.ts'
import { wireType } from './start-deliveries.ts'

// What the requests of webhooks say, for the API document; a test holds real events against it. Money is in cents.

const id = z.uuid()
const instant = z.iso.datetime()
const cents = z.int()
const units = z.int()
const portions = z.array(z.object({ code: z.string(), quantity: units }))
const counted = z.int().meta({ description: 'Grows with every change: the greater one is later' })
const says = <Shape extends z.ZodType>(shape: Shape, description: string) => shape.meta({ description })

const order = z.object({
  id,
  reference: z.string(),
  accountId: says(id.nullable(), 'Null for a guest’s'),
  status: z.enum(orderStatusNames),
  isPickup: says(z.boolean(), 'Whether it is picked up at the shop instead of sent'),
  lines: z.array(
    z.object({
      productId: id,
      sku: says(z.string(), 'When it was ordered, as the name and the price'),
      name: z.string(),
      quantity: units,
      fulfilledQuantity: says(units, 'Units in parcels, packed or sent; all of what is downloaded'),
      lots: says(portions, 'By dye lot; empty when the product was not kept by lot'),
      expectedOn: says(z.iso.date(), 'Of a line that was ordered ahead: the day its units are expected').nullable(),
      price: says(cents, 'For one unit'),
      discount: says(cents, 'What a code took off the line as a whole'),
      isGiftCard: says(z.boolean(), 'Whether its buyer gets gift cards over its price'),
    }),
  ),
  itemsPrice: cents,
  discount: cents,
  shippingPrice: cents,
  taxPrice: cents,
  totalPrice: cents,
  includedTax: says(cents, 'What of the total is tax that prices have in them'),
  taxBasisPoints: says(
    z.number().nullable(),
    'The usual rate of its tax: 1500 is 15%; null for orders from before it was kept',
  ),
  taxes: says(
    z.array(
      z.object({
        basisPoints: z.number().nullable(),
        isReduced: says(z.boolean(), 'Whether it is the rate of what is taxed less'),
        amount: cents,
      }),
    ),
    'Its tax, rate by rate',
  ),
  giftCardAmount: says(cents, 'What of the total gift cards pay'),
  amountDue: says(cents, 'What of the total is not paid'),
  giftCardsSold: says(cents, 'What of the items is gift cards, which are not taxed'),
  refundedAmount: cents,
  currency: says(z.enum(CURRENCIES), 'What the shop trades in, as `Shop.currency`'),
  updatedAt: instant,
  version: counted,
})

const parcelLine = z.object({ productId: id, sku: z.string(), quantity: units, lots: portions })
const fulfilment = z.object({
  id,
  status: z.enum(['PACKED', 'SENT', 'DELIVERED', 'CANCELLED']),
  carrier: z.string().nullable(),
  trackingNumber: z.string().nullable(),
  trackingUrl: z.string().nullable(),
  lines: z.array(parcelLine),
  sentAt: instant.nullable(),
  deliveredAt: instant.nullable(),
})

const product = z.object({
  id,
  sku: z.string(),
  name: z.string(),
  price: cents,
  countInStock: units,
  expectedOn: says(z.iso.date(), 'While it is sold by pre-order: the day its units are expected').nullable(),
  isForSale: z.boolean(),
  version: says(z.int(), 'Grows with every save by hand'),
})

const stock = z.object({
  before: units,
  after: units,
  delta: units,
  reason: z.enum(['INITIAL', 'SOLD', 'RELEASED', 'RETURNED', 'ADJUSTED']),
  lots: says(z.array(z.object({ code: z.string(), delta: units })), 'What each dye lot moved by, where that is known'),
  order: says(z.object({ id, reference: z.string() }).nullable(), 'That it was sold to, or came back of'),
})

const customer = z.object({
  id,
  isAdmin: z.boolean(),
  emailVerified: z.boolean(),
  isClosed: z.boolean(),
  updatedAt: instant,
  version: counted,
})

const review = z.object({
  id,
  productId: id,
  sku: z.string(),
  accountId: id.nullable(),
  rating: z.int(),
  helpful: z.int(),
  isAnswered: z.boolean(),
  isHidden: z.boolean(),
  updatedAt: instant,
  version: counted,
})

const ofOrder = z.object({ order })
const ofParcel = z.object({ order, fulfilment })
const ofProduct = z.object({ product })

const DATA: Record<EventType, z.ZodObject> = {
  ORDER_PLACED: ofOrder,
  ORDER_PAID: ofOrder,
  ORDER_EXPECTED: ofOrder,
  ORDER_PACKED: ofParcel,
  ORDER_UNPACKED: ofParcel,
  ORDER_SENT: ofParcel,
  ORDER_TRACKED: ofParcel,
  ORDER_PARTLY_DELIVERED: ofParcel,
  ORDER_DELIVERED: ofOrder,
  ORDER_RETURNED: ofParcel.extend({
    return: z.object({
      id,
      reason: z.string().nullable(),
      value: says(cents, 'What the shopper paid for it'),
      createdAt: instant,
      lines: z.array(parcelLine.extend({ isRestocked: z.boolean() })),
    }),
  }),
  ORDER_LAPSED: ofOrder,
  ORDER_CANCELLED: ofOrder,
  ORDER_REFUNDED: ofOrder,
  ORDER_ATTENTION: ofOrder.extend({ incidents: z.array(z.object({ code: z.string(), isOpen: z.boolean() })) }),
  ORDER_ANNOTATED: ofOrder,
  PRODUCT_CHANGED: ofProduct,
  STOCK_CHANGED: ofProduct.extend({ stock }),
  STOCK_LOW: ofProduct,
  CUSTOMER_CHANGED: z.object({ customer }),
  REVIEW_CHANGED: z.object({ review }),
}

export const eventTypes = Object.keys(DATA) as EventType[]

/** The body of every request about an event of a type. */
export const payloadOf = (type: EventType) =>
  z.object({
    id: says(id, 'Of the event: the same when it comes again'),
    type: z.literal(wireType(type)),
    sequence: says(z.int(), 'Counts the events of one order, product, account or review from 1'),
    createdAt: instant,
    data: DATA[type],
  })
