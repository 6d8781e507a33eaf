import { z } from 'zod'
import * as answers from './responses.ts'
import * as example from './examples.ts'
import { filterOf, FILTERS, sortOf } from './narrowing.ts'
import * as out from './shapes.ts'
import { dollarsToCents, OPERATIONS as op } from './operations.ts'

/** What a request brings, before it is checked. */
export interface Asked {
  params: Record<string, string>
  query: Record<string, unknown>
  body: unknown
  /** The bearer token it came with, if any. */
  token: string | null
  idempotencyKey: string | null
}

export type QueryParameter = 'keyword' | 'pageNumber' | 'preview' | 'sort' | keyof typeof FILTERS

/** One REST call: the GraphQL operation behind it, and the mapping in and out. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  /** For the API document. */
  summary: string
  access: 'anyone' | 'signed in' | 'signed in or guest' | 'owner' | 'owner or admin' | 'admin'
  operation: string
  /** Shape of the JSON body. */
  body?: z.ZodType
  /** GraphQL variables from the request; `body` is already checked. */
  input?: (asked: Asked & { body: any }) => Record<string, unknown>
  /** JSON body from the GraphQL data. Null or undefined answers 404. */
  output: (data: any, asked: Asked) => unknown
  status?: 201
  /** Shape of the JSON answer, for the API document. */
  answer: z.ZodType
  /** A body that is accepted, for the API document. */
  example?: unknown
  /** Parameters of the query string. */
  query?: QueryParameter[]
  /** The list has no pages in REST: everything at once. */
  unpaged?: boolean
}

const id = ({ params }: Asked) => ({ id: params['id'] })

/** A page number as people type it; nonsense is the first page, the API clamps the rest. */
function page({ query }: Asked) {
  const number = Math.trunc(Number(query['pageNumber'] ?? 1))
  return Number.isFinite(number) ? Math.min(Math.max(number, 1), 1_000_000) : 1
}
const list = (asked: Asked) => ({
  keyword: typeof asked.query['keyword'] === 'string' ? asked.query['keyword'] : null,
  page: page(asked),
  filter: filterOf(asked.query),
})
const NARROWED = Object.keys(FILTERS) as (keyof typeof FILTERS)[]

const text = z.string({ error: 'must be text' })
/** Every number of a body may be text as well, as forms send it. Of anything else, `Number` would make nought and one. */
const whole = z
  .union(
    [
      z.number(),
      z
        .string()
        .max(20, { abort: true })
        .regex(/^-?\d+$/),
    ],
    { error: 'must be a whole number' },
  )
  .transform(Number)
  .pipe(z.int({ error: 'must be a whole number' }))
const money = z.union([z.number(), z.string()]).transform(dollarsToCents)
const credentials = z.object({ email: text, password: text, code: text.nullish() })
const registration = z.object({ name: text, email: text, password: text })
const profile = z.object({ name: text, email: text, password: text.nullish(), currentPassword: text.nullish() })
const user = z.object({ name: text, email: text, isAdmin: z.boolean({ error: 'must be true or false' }) })
const described = z.array(z.object({ image: text, alt: text.default('') }), { error: 'must be a list' }).nullish()
const review = z.object({ rating: whole, comment: text, pictures: described })
const product = z.object({
  name: text,
  image: text,
  pictures: described,
  description: text,
  weight: text,
  length: text,
  gauge: text,
  knitting_needle: text,
  crochet_hook: text,
  recommended_care: text,
  content: text,
  category: text,
  price: money,
  countInStock: whole,
})
const about = { product: text.optional(), sku: text.optional(), version: whole.optional() }
const stockLines = z.object({
  lines: z.array(z.object({ ...about, delta: whole.optional(), set: whole.optional(), lot: text.optional() }), {
    error: 'must be a list',
  }),
})
const productLines = z.object({
  lines: z.array(
    z
      .object(product.shape)
      .omit({ image: true, pictures: true, countInStock: true })
      .extend({ isDraft: z.boolean({ error: 'must be true or false' }) })
      .partial()
      .extend(about),
    { error: 'must be a list' },
  ),
})
const shippingAddress = z.object({
  name: text,
  address: text.default(''),
  address2: text.nullish().transform(line => line ?? ''),
  city: text.default(''),
  state: text.default(''),
  postalCode: text.default(''),
  country: text,
})
const lots = z.array(z.object({ code: text, quantity: whole }))
const order = z.object({
  // The spec's cart items carry the product's id as `_id`; order items as `product`.
  orderItems: z.array(
    z.object({ _id: text.optional(), product: text.optional(), quantity: whole, lots: lots.nullish() }),
  ),
  shippingAddress,
  paymentMethod: text.default('PayPal'),
  code: text.nullish(),
  guestEmail: text.nullish(),
})
const instant = z.iso.datetime({ error: 'must be an instant such as 2026-11-21T09:30:00.000Z' })
const codeLimits = {
  startsAt: instant.nullish(),
  endsAt: instant.nullish(),
  maxUses: whole.nullish(),
  maxUsesPerPerson: whole.nullish(),
}
const discountCode = z.object({
  code: text,
  isSeries: z.boolean({ error: 'must be true or false' }).default(false),
  kind: z.enum(['PERCENT', 'AMOUNT', 'FREE_SHIPPING'], { error: 'must be PERCENT, AMOUNT or FREE_SHIPPING' }),
  basisPoints: whole.nullish(),
  amount: money.nullish(),
  minimum: money.default(0),
  productIds: z.array(text).default([]),
  categories: z.array(text).default([]),
  isForFirstOrder: z.boolean({ error: 'must be true or false' }).default(false),
  ...codeLimits,
})
const codePatch = z.object({ isPaused: z.boolean({ error: 'must be true or false' }), ...codeLimits })
const captureDetails = z.object({
  id: z.string({ error: 'Payment failed. Please try again.' }).min(1, 'Payment failed. Please try again.'),
})

const parcel = z.object({
  lines: z.array(z.object({ product: text, quantity: whole, lots: lots.nullish() })).nullish(),
  carrier: text.nullish(),
  trackingNumber: text.nullish(),
  trackingUrl: text.nullish(),
  isSent: z.boolean({ error: 'must be true or false' }).default(true),
})

/** Every REST call of the shop. GraphQL is the API; nothing is decided here. */
export const calls: Call[] = [
  {
    method: 'POST',
    path: '/api/users/login',
    access: 'anyone',
    summary: 'Sign in; with `code` where a second factor is asked for',
    operation: op.login,
    body: credentials,
    input: ({ body }) => body,
    output: out.session('login'),
    answer: answers.Session,
    example: example.credentials,
  },
  {
    method: 'POST',
    path: '/api/users',
    access: 'anyone',
    summary: 'Register and sign in',
    operation: op.register,
    body: registration,
    input: ({ body }) => ({ input: body }),
    output: out.session('register'),
    status: 201,
    answer: answers.Session,
    example: example.registration,
  },
  {
    method: 'POST',
    path: '/api/users/logout',
    access: 'anyone',
    summary: 'End the session',
    operation: op.logout,
    output: () => ({ message: 'Logged out successfully.' }),
    answer: answers.Message,
  },
  {
    method: 'PUT',
    path: '/api/users/profile',
    access: 'signed in',
    summary:
      'Change one’s own account; a blank password stays; another email, which needs currentPassword, counts once it is confirmed by mail',
    operation: op.updateProfile,
    body: profile,
    input: ({ body }) => ({ input: body }),
    output: out.session('updateProfile'),
    answer: answers.Session,
    example: example.profile,
  },
  {
    method: 'GET',
    path: '/api/users',
    access: 'admin',
    summary: 'Every account',
    operation: op.users,
    output: data => data.users.items.map(out.user),
    unpaged: true,
    answer: z.array(answers.User),
  },
  {
    method: 'GET',
    path: '/api/users/:id',
    access: 'admin',
    summary: 'One account',
    operation: op.user,
    input: id,
    output: data => data.user && out.user(data.user),
    answer: answers.User,
  },
  {
    method: 'PUT',
    path: '/api/users/:id',
    access: 'admin',
    summary: 'Change an account',
    operation: op.updateUser,
    body: user,
    input: asked => ({ ...id(asked), input: asked.body }),
    output: data => out.user(data.updateUser.user),
    answer: answers.User,
    example: example.user,
  },
  {
    method: 'DELETE',
    path: '/api/users/:id',
    access: 'admin',
    summary: 'Close an account',
    operation: op.deleteUser,
    input: id,
    output: () => ({ message: 'User deleted successfully.' }),
    answer: answers.Message,
  },

  {
    method: 'GET',
    path: '/api/products',
    access: 'anyone',
    summary: 'One page of the catalogue, or of what a keyword finds',
    operation: op.products,
    input: asked => ({ ...list(asked), sort: sortOf(asked.query) }),
    output: data => out.productPage(data.products),
    answer: z.union([answers.ProductPage, answers.ProductStats]),
    query: ['keyword', 'pageNumber', 'preview', 'sort', ...NARROWED],
  },
  {
    method: 'GET',
    path: '/api/products/top-rated',
    access: 'anyone',
    summary: 'One page of the catalogue by rating',
    operation: op.topRated,
    input: list,
    output: data => out.productPage(data.topRatedProducts),
    answer: answers.ProductPage,
    query: ['keyword', 'pageNumber', ...NARROWED],
  },
  {
    method: 'GET',
    path: '/api/products/:id',
    access: 'anyone',
    summary: 'One product with its reviews',
    operation: op.product,
    input: id,
    output: data => data.product && out.productWithReviews(data.product),
    unpaged: true,
    answer: answers.ProductWithReviews,
  },
  {
    method: 'POST',
    path: '/api/products',
    access: 'admin',
    summary: 'Make a placeholder product, a draft until it is saved',
    operation: op.createProduct,
    output: data => out.product(data.createProduct.product),
    status: 201,
    answer: answers.Product,
  },
  {
    method: 'POST',
    path: '/api/products/stock',
    access: 'admin',
    summary: 'Change up to 500 stocks; each line is answered by itself. Idempotency-Key makes it safe to repeat',
    operation: op.adjustStock,
    body: stockLines,
    input: out.lines,
    output: data => out.linesAnswer(data.adjustStock),
    answer: answers.ProductLines,
    example: example.stockLines,
  },
  {
    method: 'PUT',
    path: '/api/products',
    access: 'admin',
    summary:
      'Change prices and fields of up to 500 products; each line is answered by itself. Idempotency-Key makes it safe to repeat',
    operation: op.setProducts,
    body: productLines,
    input: out.productLines,
    output: data => out.linesAnswer(data.setProducts),
    answer: answers.ProductLines,
    example: example.productLines,
  },
  {
    method: 'PUT',
    path: '/api/products/:id',
    access: 'admin',
    summary: 'Save a product',
    operation: op.updateProduct,
    body: product,
    input: asked => ({ ...id(asked), input: out.productInput(asked.body) }),
    output: data => out.product(data.updateProduct.product),
    answer: answers.Product,
    example: example.product,
  },
  {
    method: 'DELETE',
    path: '/api/products/:id',
    access: 'admin',
    summary: 'Take a product off sale',
    operation: op.deleteProduct,
    input: id,
    output: () => ({ message: 'Product deleted successfully.' }),
    answer: answers.Message,
  },
  {
    method: 'POST',
    path: '/api/products/:id/reviews',
    access: 'signed in',
    summary: 'Review a product, once',
    operation: op.createReview,
    body: review,
    input: asked => ({ ...id(asked), input: asked.body }),
    output: () => ({ message: 'Review submitted successfully.' }),
    status: 201,
    answer: answers.Message,
    example: example.review,
  },

  {
    method: 'POST',
    path: '/api/orders',
    access: 'signed in or guest',
    summary:
      'Place an order; prices in the body are ignored, the true ones are answered. Who is not signed in gives guestEmail, and is answered orderToken',
    operation: op.placeOrder,
    body: order,
    input: out.placement,
    output: out.placed,
    status: 201,
    answer: answers.PlacedOrder,
    example: example.order,
  },
  {
    method: 'GET',
    path: '/api/orders/my-orders',
    access: 'signed in',
    summary: 'One’s own orders',
    operation: op.myOrders,
    output: data => data.myOrders.map(out.order),
    answer: z.array(answers.Order),
  },
  {
    method: 'GET',
    path: '/api/orders/:id',
    access: 'owner or admin',
    summary: 'One order',
    operation: op.order,
    input: id,
    output: data => data.order && out.order(data.order),
    answer: answers.Order,
  },
  {
    method: 'POST',
    path: '/api/orders/:id/paypal',
    access: 'owner',
    summary: 'Open the payment at PayPal',
    operation: op.createPaypalOrder,
    input: id,
    output: data => ({ id: data.createPaypalOrder.paypalOrderId }),
    status: 201,
    answer: answers.PaypalOrder,
  },
  {
    method: 'POST',
    path: '/api/orders/:id/paypal/:paypalId/capture',
    access: 'owner',
    summary: 'Capture an approved payment',
    operation: op.capturePaypalOrder,
    input: asked => ({ ...id(asked), paypalOrderId: asked.params['paypalId'] }),
    output: data => ({ id: data.capturePaypalOrder.captureId, order: out.order(data.capturePaypalOrder.order) }),
    answer: answers.Capture,
  },
  {
    method: 'PUT',
    path: '/api/orders/:id/pay',
    access: 'owner',
    summary: 'Report a captured payment; it is checked with PayPal',
    operation: op.payOrder,
    body: captureDetails,
    input: asked => ({ ...id(asked), paypalOrderId: asked.body.id }),
    output: data => out.order(data.payOrder.order),
    answer: answers.Order,
    example: example.captureDetails,
  },
  {
    method: 'PUT',
    path: '/api/orders/:id/cancel',
    access: 'owner',
    summary: 'Cancel an unpaid order',
    operation: op.cancelOrder,
    input: id,
    output: data => out.order(data.cancelOrder.order),
    answer: answers.Order,
  },
  {
    method: 'GET',
    path: '/api/orders',
    access: 'admin',
    summary: 'Every order',
    operation: op.orders,
    output: data => data.orders.items.map(out.order),
    unpaged: true,
    answer: z.array(answers.Order),
  },
  {
    method: 'POST',
    path: '/api/orders/:id/fulfilments',
    access: 'admin',
    summary: 'Send a paid order, or a part of it, in a parcel; without lines all that is left goes',
    operation: op.fulfilOrder,
    body: parcel,
    input: out.parcel,
    output: data => out.fulfilment(data.fulfilOrder.fulfilment),
    status: 201,
    answer: answers.Fulfilment,
    example: example.parcel,
  },
  {
    method: 'PUT',
    path: '/api/orders/:id/deliver',
    access: 'admin',
    summary: 'Mark a paid order delivered',
    operation: op.deliverOrder,
    input: id,
    output: data => out.order(data.deliverOrder.order),
    answer: answers.Order,
  },

  {
    method: 'GET',
    path: '/api/discount-codes',
    access: 'admin',
    summary: 'One page of the discount codes with their figures, newest first',
    operation: op.discountCodes,
    input: asked => ({ page: page(asked) }),
    output: ({ discountCodes: { items, page, pages } }) => ({ codes: items.map(out.discountCode), page, pages }),
    answer: answers.DiscountCodePage,
    query: ['pageNumber'],
  },
  {
    method: 'POST',
    path: '/api/discount-codes',
    access: 'admin',
    summary: 'Make a discount code',
    operation: op.createDiscountCode,
    body: discountCode,
    input: ({ body }) => ({ input: body }),
    output: data => out.discountCode(data.createDiscountCode.discountCode),
    status: 201,
    answer: answers.DiscountCode,
    example: example.discountCode,
  },
  {
    method: 'PUT',
    path: '/api/discount-codes/:id',
    access: 'admin',
    summary: 'Pause a discount code, or change how long and how often it works; what is left out stays',
    operation: op.updateDiscountCode,
    body: codePatch,
    input: asked => ({ ...id(asked), input: asked.body }),
    output: data => out.discountCode(data.updateDiscountCode.discountCode),
    answer: answers.DiscountCode,
    example: example.codePatch,
  },

  {
    method: 'GET',
    path: '/api/config/paypal',
    access: 'anyone',
    summary: 'What PayPal’s buttons need',
    operation: op.paypalConfig,
    output: data => ({ clientId: data.paypalConfig.clientId }),
    answer: answers.PaypalConfig,
  },
]

/** `GET /api/products?preview=true` shares its path with the list. */
export const productStats: Call = {
  method: 'GET',
  path: '/api/products?preview=true',
  access: 'admin',
  summary: 'Counts over the catalogue',
  operation: op.productStats,
  output: data => data.productStats,
  answer: answers.ProductStats,
}

/** Of the form field `image`. */
export const upload: Call = {
  method: 'POST',
  path: '/api/uploads',
  access: 'admin',
  summary: 'Store a picture',
  operation: op.uploadPicture,
  output: data => ({ image: data.uploadPicture.image }),
  status: 201,
  answer: answers.Picture,
}

/** For a review that is about to be written. */
export const reviewUpload: Call = {
  method: 'POST',
  path: '/api/reviews/pictures',
  access: 'signed in',
  summary: 'Store a picture for a review',
  operation: op.uploadReviewPicture,
  output: data => ({ image: data.uploadReviewPicture.image }),
  status: 201,
  answer: answers.Picture,
}

/** What takes a file in the field `image` of a multipart form. */
export const uploads: readonly Call[] = [upload, reviewUpload]
