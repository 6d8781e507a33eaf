import { z } from 'zod'
import { ofEachField } from '#schema/rules/product-fields'

// What the calls answer, for the API document; a test holds real answers against it. Money is in dollars.

const id = z.uuid()
const instant = z.iso.datetime()
const dollars = z.number().meta({ description: 'In the shop’s currency, such as 12.5' })

export const Message = z.strictObject({ message: z.string() })
export const User = z.strictObject({ _id: id, name: z.string(), email: z.string(), isAdmin: z.boolean() })
export const AccountExport = z.strictObject({ path: z.string(), expiresAt: instant })
export const Session = User.extend({
  token: z.string().nullable().meta({ description: 'For the Authorization header: `Bearer <token>`' }),
})

const { knittingNeedle, crochetHook, recommendedCare, ...sameName } = ofEachField({
  text: () => z.string(),
  cents: () => dollars,
  units: () => z.int(),
  flag: () => z.boolean().meta({ description: 'Whether some places tax it less' }),
  day: () =>
    z.iso.date().nullable().meta({ description: 'While it is sold by pre-order: the day its units are expected' }),
})
export const Product = z.strictObject({
  _id: id,
  ...sameName,
  pictures: z
    .array(
      z.strictObject({
        image: z.string(),
        alt: z.string().meta({ description: 'What it shows, in words; may be empty' }),
        width: z.int().nullable(),
        height: z.int().nullable(),
      }),
    )
    .meta({ description: 'In the order they are shown in; the first is `image`' }),
  knitting_needle: knittingNeedle,
  crochet_hook: crochetHook,
  recommended_care: recommendedCare,
  price: dollars.meta({ description: 'For one unit, now' }),
  compareAtPrice: dollars
    .nullable()
    .meta({ description: 'What it costs without the sale that is on; null when none is' }),
  onSaleUntil: instant.nullable().meta({ description: 'When the sale that is on ends; null when its end is open' }),
  rating: z.number(),
  numReviews: z.int(),
  createdAt: instant,
})
const Review = z.strictObject({
  _id: id,
  user: id,
  name: z.string(),
  rating: z.int().min(1).max(5),
  comment: z.string(),
  needle_mm: z.number().nullable().meta({ description: 'Millimetres of the needle it was knitted on' }),
  gauge: z.number().nullable().meta({ description: 'Stitches in 10 cm that came of it' }),
  project: z.string().nullable().meta({ description: 'What was knitted' }),
  pictures: z.array(z.strictObject({ image: z.string(), alt: z.string(), width: z.int(), height: z.int() })),
  helpful: z.int().meta({ description: 'How many found it helpful' }),
  answer: z
    .strictObject({ text: z.string(), answeredAt: instant })
    .nullable()
    .meta({ description: 'What the shop says to it' }),
  createdAt: instant,
})
export const ProductWithReviews = Product.extend({ reviews: z.array(Review) })
export const ProductPage = z.strictObject({ products: z.array(Product), page: z.int(), pages: z.int() })
export const ProductStats = z.strictObject({ totalProducts: z.int(), lowStockCount: z.int(), outOfStockCount: z.int() })

const lots = z
  .array(z.strictObject({ code: z.string(), quantity: z.int() }))
  .meta({ description: 'The dye lots they are from; empty when the product was not kept by lot' })

export const Fulfilment = z.strictObject({
  _id: id,
  status: z.enum(['PACKED', 'SENT', 'DELIVERED', 'CANCELLED']),
  carrier: z.string().nullable(),
  trackingNumber: z.string().nullable(),
  trackingUrl: z.string().nullable(),
  lines: z.array(
    z.strictObject({
      product: id,
      sku: z.string(),
      name: z.string(),
      quantity: z.int(),
      lots,
      returnedQuantity: z.int(),
    }),
  ),
  createdAt: instant,
  sentAt: instant.nullable(),
  deliveredAt: instant.nullable(),
  cancelledAt: instant.nullable(),
})

export const FulfilmentReturn = z.strictObject({
  _id: id,
  lines: z.array(
    z.strictObject({
      product: id,
      sku: z.string(),
      name: z.string(),
      quantity: z.int(),
      isRestocked: z.boolean().meta({ description: 'Whether they are for sale again, or were written off' }),
      lots,
    }),
  ),
  reason: z.string().nullable(),
  value: dollars.meta({ description: 'What the shopper paid for it; no money went back by itself' }),
  createdAt: instant,
})

const Address = z.strictObject({
  name: z.string(),
  address: z.string(),
  address2: z.string(),
  city: z.string(),
  state: z.string(),
  postalCode: z.string(),
  country: z.string(),
  isPickup: z.boolean().meta({ description: 'Whether it is picked up there, at the shop, instead of sent' }),
})

export const Order = z.strictObject({
  _id: id,
  reference: z.string().meta({ description: 'What people call it, such as #10042' }),
  user: z.strictObject({ _id: id, name: z.string(), email: z.string(), isGuest: z.boolean() }),
  orderItems: z.array(
    z.strictObject({
      product: id,
      sku: z.string(),
      name: z.string(),
      image: z.string(),
      price: dollars,
      quantity: z.int(),
      lots,
      expectedOn: z.iso.date().nullable().meta({
        description: 'Of a line that was ordered ahead: the day its units are expected; null once they are here',
      }),
      fulfilledQuantity: z
        .int()
        .meta({ description: 'How many of them are in parcels that were not cancelled; all of what is downloaded' }),
      discount: dollars,
      isGiftCard: z.boolean().meta({ description: 'Whether its buyer gets gift cards over its price' }),
    }),
  ),
  shippingAddress: Address,
  customerNote: z.string().nullable().meta({ description: 'What the shopper told the shop with it' }),
  paymentMethod: z.string(),
  itemsPrice: dollars,
  discountCode: z.string().nullable(),
  discount: dollars,
  shippingPrice: dollars,
  taxPrice: dollars,
  totalPrice: dollars,
  includedTax: dollars.meta({ description: 'What of the total is tax that prices have in them' }),
  taxBasisPoints: z.number().nullable().meta({ description: 'The usual rate of its tax: 1500 is 15%' }),
  taxes: z
    .array(
      z.strictObject({
        basisPoints: z.number().nullable(),
        isReduced: z.boolean().meta({ description: 'Whether it is the rate of what is taxed less' }),
        amount: dollars,
      }),
    )
    .meta({ description: 'Its tax, rate by rate' }),
  giftCardAmount: dollars.meta({ description: 'What of the total gift cards pay' }),
  amountDue: dollars.meta({ description: 'What of the total is not paid' }),
  giftCardsSold: dollars.meta({ description: 'What of the items is gift cards, which are not taxed' }),
  isPaid: z.boolean(),
  paidAt: instant.nullable(),
  isDelivered: z.boolean(),
  deliveredAt: instant.nullable(),
  sentAt: instant.nullable(),
  fulfilments: z.array(Fulfilment),
  createdAt: instant,
})

const UserError = z.strictObject({
  code: z.string().meta({ description: 'For programs' }),
  message: z.string().meta({ description: 'A sentence for people' }),
  field: z.array(z.string()).nullable(),
  available: z.int().nullable(),
})
export const Cart = z.strictObject({
  _id: z.string().meta({ description: 'Opens a cart of no account: keep it as a secret' }),
  cartItems: z.array(
    z.strictObject({
      product: id,
      name: z.string(),
      price: dollars.meta({ description: 'For one unit, when the line was last changed' }),
      quantity: z.int(),
      lots: z
        .array(z.strictObject({ code: z.string(), quantity: z.int() }))
        .meta({ description: 'The dye lots asked for; empty for any one lot' }),
    }),
  ),
  code: z.string().nullable(),
  shippingAddress: Address.nullable(),
  itemsPrice: dollars.meta({ description: 'What an order would come to now, as the other prices' }),
  discount: dollars,
  shippingPrice: dollars,
  taxPrice: dollars,
  totalPrice: dollars,
  includedTax: dollars.meta({ description: 'What of the total is tax that prices have in them' }),
  notices: z.array(UserError).meta({ description: 'What an order would be refused for now, and what has changed' }),
  updatedAt: instant,
  expiresAt: instant.meta({ description: 'When it is forgotten unless it is changed before' }),
})

export const DiscountCode = z.strictObject({
  _id: id,
  code: z.string(),
  isSeries: z.boolean(),
  description: z.string().meta({ description: 'What it gives, in words' }),
  terms: z.strictObject({
    kind: z.enum(['PERCENT', 'AMOUNT', 'FREE_SHIPPING']),
    basisPoints: z.int(),
    amount: dollars,
    minimum: dollars,
    productIds: z.array(z.string()),
    categories: z.array(z.string()),
    startsAt: instant.nullable(),
    endsAt: instant.nullable(),
  }),
  isForFirstOrder: z.boolean(),
  maxUses: z.int().nullable(),
  maxUsesPerPerson: z.int().nullable(),
  status: z.enum(['ACTIVE', 'PAUSED', 'SCHEDULED', 'EXPIRED', 'USED_UP']),
  pausedAt: instant.nullable(),
  createdAt: instant,
  figures: z.strictObject({ uses: z.int(), paidOrders: z.int(), revenue: dollars, discountGiven: dollars }),
})
export const DiscountCodePage = z.strictObject({ codes: z.array(DiscountCode), page: z.int(), pages: z.int() })

export const ProductLines = z.strictObject({
  lines: z.array(
    z.strictObject({
      index: z.int().meta({ description: 'Of the line: 0 is the first' }),
      product: z.string().nullable(),
      sku: z.string().nullable(),
      price: dollars.nullable(),
      countInStock: z.int().nullable(),
      version: z.int().nullable(),
      errors: z.array(UserError).meta({ description: 'Why the line was not done; empty when it was' }),
    }),
  ),
  changed: z.int().meta({ description: 'How many products are different from before' }),
})

export const PlacedOrder = Order.extend({
  orderToken: z
    .string()
    .optional()
    .meta({ description: 'Opens a guest’s order, as X-Order-Token; only a guest has it' }),
})
export const PaypalOrder = z.strictObject({ id: z.string().meta({ description: 'Of the payment at PayPal' }) })
export const Capture = z.strictObject({
  id: z.string().meta({ description: 'Of the capture at PayPal' }),
  order: Order,
})
export const PaypalConfig = z.strictObject({ clientId: z.string() })
export const Picture = z.strictObject({
  image: z.string().meta({ description: 'Address of the stored picture, a path on this host' }),
})
const Failure = z.strictObject({
  message: z.string().meta({ description: 'A sentence for people' }),
  code: z.string().meta({ description: 'For programs' }),
})

export const Export = z.strictObject({
  _id: id,
  connection: z.string(),
  query: z.string(),
  status: z.enum(['RUNNING', 'DONE', 'FAILED', 'CANCELLED']),
  rows: z.int().meta({ description: 'How many lines have been written' }),
  total: z.int().nullable().meta({ description: 'How many there were when it began; null until then' }),
  bytes: z.number(),
  problem: z.string().nullable(),
  createdAt: instant,
  endedAt: instant.nullable(),
  keptUntil: instant.nullable(),
})
export const ExportLink = z.strictObject({
  path: z.string().meta({ description: 'Where on this host the file is fetched with GET' }),
  until: instant,
})

/** By the names they have in the document. */
export const ANSWERS = {
  Message,
  User,
  Session,
  AccountExport,
  Product,
  Review,
  ProductWithReviews,
  ProductPage,
  ProductStats,
  Order,
  PlacedOrder,
  Cart,
  Fulfilment,
  FulfilmentReturn,
  Export,
  ExportLink,
  DiscountCode,
  DiscountCodePage,
  ProductLines,
  PaypalOrder,
  Capture,
  PaypalConfig,
  Picture,
  Failure,
}

for (const [id, answer] of Object.entries<z.ZodType>(ANSWERS)) z.globalRegistry.add(answer, { ...answer.meta(), id })
