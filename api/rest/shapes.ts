import type { z } from 'zod'
import type {
  AdjustStockMutation,
  CartFragment,
  DiscountCodeFragment,
  ExportFragment,
  FulfilmentFragment,
  FulfilmentReturnFragment,
  OrderFragment,
  PageFragment,
  ProductFragment,
  ProductQuery,
  UserFragment,
} from '../generated/rest.ts'
import type * as bodies from './bodies.ts'
import { given, type Asked } from './call.ts'

// The spec's names and shapes (SPEC §3): `_id`, snake_case product fields, money in dollars.

const dollars = (cents: number) => cents / 100

export const user = ({ id, name, email, isAdmin }: UserFragment) => ({ _id: id, name, email, isAdmin })

/** The signed-in user's record with a token: the new one, or the one the request came with. */
export const session = ({ user: who, token }: { user: UserFragment | null; token: string | null }, asked: Asked) => ({
  ...user(given(who)),
  token: token ?? asked.token,
})

type Renamed = 'id' | 'knittingNeedle' | 'crochetHook' | 'recommendedCare' | 'price' | 'compareAtPrice'

// One by one: to take apart what is left over of so many, for each product of a list, takes several times as long. A field that
// is asked for and not told does not compile.
export const product = (found: ProductFragment) =>
  ({
    _id: found.id,
    name: found.name,
    image: found.image,
    pictures: found.pictures,
    description: found.description,
    weight: found.weight,
    length: found.length,
    gauge: found.gauge,
    content: found.content,
    category: found.category,
    onSaleUntil: found.onSaleUntil,
    countInStock: found.countInStock,
    expectedOn: found.expectedOn,
    reducedTax: found.reducedTax,
    rating: found.rating,
    numReviews: found.numReviews,
    createdAt: found.createdAt,
    knitting_needle: found.knittingNeedle,
    crochet_hook: found.crochetHook,
    recommended_care: found.recommendedCare,
    price: dollars(found.price),
    compareAtPrice: found.compareAtPrice === null ? null : dollars(found.compareAtPrice),
  }) satisfies Omit<ProductFragment, Renamed> & Record<string, unknown>

export const productWithReviews = ({ reviews, ...found }: NonNullable<ProductQuery['product']>) => ({
  ...product(found),
  reviews: reviews.items.map(({ id, userId, needleMm, ...same }) => ({
    _id: id,
    user: userId,
    ...same,
    needle_mm: needleMm,
  })),
})

export const productPage = ({ items, page, pages }: PageFragment) => ({ products: items.map(product), page, pages })

type Body<Name extends keyof typeof bodies> = z.output<(typeof bodies)[Name]>

/** The body of `PUT /api/products/:id` as the contract's ProductInput. What an answer has as null is none here, too. */
export const productInput = ({
  knitting_needle,
  crochet_hook,
  recommended_care,
  expectedOn,
  ...same
}: Body<'product'>) => ({
  ...same,
  expectedOn: expectedOn === null ? '' : expectedOn,
  knittingNeedle: knitting_needle,
  crochetHook: crochet_hook,
  recommendedCare: recommended_care,
})

/** The lines of a change in bulk as the contract has them. */
export const stockLines = ({ body: { lines }, idempotencyKey }: Asked<string, unknown, Body<'stockLines'>>) => ({
  lines: lines.map(({ product, ...same }) => ({ id: product, ...same })),
  idempotencyKey,
})

export const productLines = ({ body: { lines }, idempotencyKey }: Asked<string, unknown, Body<'productLines'>>) => ({
  lines: lines.map(({ product, knitting_needle, crochet_hook, recommended_care, ...same }) => ({
    id: product,
    ...same,
    knittingNeedle: knitting_needle,
    crochetHook: crochet_hook,
    recommendedCare: recommended_care,
  })),
  idempotencyKey,
})

export const linesAnswer = ({ lines, changed }: AdjustStockMutation['adjustStock']) => ({
  lines: lines.map(({ productId, price, userErrors, ...same }) => ({
    product: productId,
    price: price === null ? null : dollars(price),
    ...same,
    errors: userErrors,
  })),
  changed,
})

export const fulfilment = ({ id, lines, ...same }: FulfilmentFragment) => ({
  _id: id,
  ...same,
  lines: lines.map(inParcel),
})

const inParcel = <Line extends FulfilmentFragment['lines'][number] | FulfilmentReturnFragment['lines'][number]>({
  item: { productId, sku, name },
  ...line
}: Line) => ({ product: productId, sku, name, ...line })

export const fulfilmentReturn = ({ id, lines, value, ...same }: FulfilmentReturnFragment) => ({
  _id: id,
  ...same,
  lines: lines.map(inParcel),
  value: dollars(value),
})

export const order = ({
  id,
  items,
  fulfilments,
  itemsPrice,
  discount,
  shippingPrice,
  taxPrice,
  totalPrice,
  includedTax,
  taxes,
  giftCardAmount,
  amountDue,
  giftCardsSold,
  user: buyer,
  ...same
}: OrderFragment) => ({
  _id: id,
  ...same,
  user: { _id: buyer.userId, name: buyer.name, email: buyer.email, isGuest: buyer.isGuest },
  orderItems: items.map(({ productId, price, discount, ...line }) => ({
    ...line,
    price: dollars(price),
    discount: dollars(discount),
    product: productId,
  })),
  fulfilments: fulfilments.map(fulfilment),
  itemsPrice: dollars(itemsPrice),
  discount: dollars(discount),
  shippingPrice: dollars(shippingPrice),
  taxPrice: dollars(taxPrice),
  totalPrice: dollars(totalPrice),
  includedTax: dollars(includedTax),
  taxes: taxes.map(({ amount, ...rate }) => ({ ...rate, amount: dollars(amount) })),
  giftCardAmount: dollars(giftCardAmount),
  amountDue: dollars(amountDue),
  giftCardsSold: dollars(giftCardsSold),
})

/** A new order; a guest's with the token that opens it. */
export const placed = ({ order: made, orderToken }: { order: OrderFragment | null; orderToken: string | null }) => ({
  ...order(given(made)),
  ...(orderToken && { orderToken }),
})

/** The body of `POST /api/orders` as the contract's PlaceOrderInput; its money fields are not looked at. */
export const placement = ({ body, idempotencyKey }: Asked<string, unknown, Body<'order'>>) => ({
  input: {
    lines: body.orderItems?.map(({ _id, product, quantity, lots }) => ({
      productId: product ?? _id ?? '',
      quantity,
      lots,
    })),
    cartId: body.cart,
    shippingAddress: body.shippingAddress,
    customerNote: body.customerNote,
    paymentMethod: body.paymentMethod,
    code: body.code,
    guestEmail: body.guestEmail,
    idempotencyKey,
  },
})

/** Which cart a path names: `mine` is that of the signed-in shopper. */
export const cartNamed = ({ params: { id } }: { params: { id: string } }) => (id === 'mine' ? null : id)

/** The body of a cart's calls as the contract's CartInput. */
export const cartInput = ({
  body: { cartItems, replacesItems, ...same },
  idempotencyKey,
}: Asked<string, unknown, Body<'cart'>>) => ({
  ...same,
  ...(cartItems && { lines: cartItems.map(({ product, ...line }) => ({ productId: product, ...line })) }),
  replacesLines: replacesItems,
  idempotencyKey,
})

export const cart = ({ id, lines, quote, notices, ...same }: CartFragment) => ({
  _id: id,
  cartItems: lines.map(({ productId, price, ...line }) => ({ product: productId, ...line, price: dollars(price) })),
  ...same,
  itemsPrice: dollars(quote.itemsPrice),
  discount: dollars(quote.discount),
  shippingPrice: dollars(quote.shippingPrice),
  taxPrice: dollars(quote.taxPrice),
  totalPrice: dollars(quote.totalPrice),
  includedTax: dollars(quote.includedTax),
  notices,
})

/** The body of `POST /api/orders/:id/fulfilments` as the arguments of the contract's fulfilOrder. */
export const parcel = ({
  params: { id },
  body: { lines, ...same },
  idempotencyKey,
}: Asked<'id', unknown, Body<'parcel'>>) => ({
  ...same,
  id,
  lines: lines?.map(({ product, quantity, lots }) => ({ productId: product, quantity, lots })),
  idempotencyKey,
})

/** The body of `POST /api/fulfilments/:id/returns` as the arguments of the contract's returnFulfilment. */
export const comeBack = ({
  params: { id },
  body: { lines, reason },
  idempotencyKey,
}: Asked<'id', unknown, Body<'comeBack'>>) => ({
  id,
  reason,
  lines: lines?.map(({ product, ...line }) => ({ productId: product, ...line })),
  idempotencyKey,
})

export const exported = ({ id, ...same }: ExportFragment) => ({ _id: id, ...same })

export const discountCode = ({ id, terms, figures, ...same }: DiscountCodeFragment) => ({
  _id: id,
  ...same,
  terms: { ...terms, amount: dollars(terms.amount), minimum: dollars(terms.minimum) },
  figures: { ...figures, revenue: dollars(figures.revenue), discountGiven: dollars(figures.discountGiven) },
})
