import type { Asked } from './calls.ts'

// The spec's names and shapes (SPEC §3): `_id`, snake_case product fields, money in dollars.

const dollars = (cents: number) => cents / 100

export const user = ({ id, name, email, isAdmin }: any) => ({ _id: id, name, email, isAdmin })

/** The signed-in user's record with a token: the new one, or the one the request came with. */
export const session =
  (field: string) =>
  (data: any, { token }: Asked) => ({ ...user(data[field].user), token: data[field].token ?? token })

export const product = ({
  id,
  knittingNeedle,
  crochetHook,
  recommendedCare,
  price,
  compareAtPrice,
  reviews: _,
  ...same
}: any) => ({
  _id: id,
  ...same,
  knitting_needle: knittingNeedle,
  crochet_hook: crochetHook,
  recommended_care: recommendedCare,
  price: dollars(price),
  compareAtPrice: compareAtPrice === null ? null : dollars(compareAtPrice),
})

export const productWithReviews = (found: any) => ({
  ...product(found),
  reviews: found.reviews.items.map(({ id, userId, needleMm, ...same }: any) => ({
    _id: id,
    user: userId,
    ...same,
    needle_mm: needleMm,
  })),
})

export const productPage = ({ items, page, pages }: any) => ({ products: items.map(product), page, pages })

/** The body of `PUT /api/products/:id` as the contract's ProductInput. */
export const productInput = ({ knitting_needle, crochet_hook, recommended_care, ...same }: any) => ({
  ...same,
  knittingNeedle: knitting_needle,
  crochetHook: crochet_hook,
  recommendedCare: recommended_care,
})

/** The lines of a change in bulk as the contract has them. */
export const lines = ({ body, idempotencyKey }: Asked & { body: any }) => ({
  lines: body.lines.map(({ product, ...same }: any) => ({ id: product, ...same })),
  idempotencyKey,
})

/** As `PUT /api/products` sends them. */
export const productLines = (asked: Asked & { body: any }) => ({
  ...lines(asked),
  lines: lines(asked).lines.map(({ knitting_needle, crochet_hook, recommended_care, ...same }: any) => ({
    ...same,
    knittingNeedle: knitting_needle,
    crochetHook: crochet_hook,
    recommendedCare: recommended_care,
  })),
})

export const linesAnswer = ({ lines, changed }: any) => ({
  lines: lines.map(({ productId, price, userErrors, ...same }: any) => ({
    product: productId,
    price: price === null ? null : dollars(price),
    ...same,
    errors: userErrors,
  })),
  changed,
})

export const fulfilment = ({ id, lines, ...same }: any) => ({
  _id: id,
  ...same,
  lines: lines.map(({ item: { productId, sku, name }, quantity, lots }: any) => ({
    product: productId,
    sku,
    name,
    quantity,
    lots,
  })),
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
  user: buyer,
  ...same
}: any) => ({
  _id: id,
  ...same,
  user: { _id: buyer.userId, name: buyer.name, email: buyer.email, isGuest: buyer.isGuest },
  orderItems: items.map(({ productId, price, discount, ...line }: any) => ({
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
})

/** A new order; a guest's with the token that opens it. */
export const placed = ({ placeOrder: { order: made, orderToken } }: any) => ({
  ...order(made),
  ...(orderToken && { orderToken }),
})

/** The body of `POST /api/orders` as the contract's PlaceOrderInput; its money fields are not looked at. */
export const placement = ({ body, idempotencyKey }: Asked & { body: any }) => ({
  input: {
    lines: body.orderItems.map(({ _id, product, quantity, lots }: any) => ({
      productId: product ?? _id ?? '',
      quantity,
      lots,
    })),
    shippingAddress: body.shippingAddress,
    paymentMethod: body.paymentMethod,
    code: body.code,
    guestEmail: body.guestEmail,
    idempotencyKey,
  },
})

/** The body of `POST /api/orders/:id/fulfilments` as the arguments of the contract's fulfilOrder. */
export const parcel = ({ params, body: { lines, ...same }, idempotencyKey }: Asked & { body: any }) => ({
  ...same,
  id: params['id'],
  lines: lines?.map(({ product, quantity, lots }: any) => ({ productId: product, quantity, lots })),
  idempotencyKey,
})

export const discountCode = ({ id, terms, figures, ...same }: any) => ({
  _id: id,
  ...same,
  terms: { ...terms, amount: dollars(terms.amount), minimum: dollars(terms.minimum) },
  figures: { ...figures, revenue: dollars(figures.revenue), discountGiven: dollars(figures.discountGiven) },
})
