import { z } from 'zod'
import { fromDecimal } from '#schema/rules/money'

// The JSON bodies of the calls, with the spec's names. What is wrong with one is said by its path and these words.

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
const money = z.union([z.number(), z.string()]).transform((dollars, context) => {
  const cents = fromDecimal(String(dollars).trim())
  if (cents === null) context.addIssue('price must be dollars with at most two decimals.')
  return cents ?? z.NEVER
})
export const credentials = z.object({ email: text, password: text, code: text.nullish() })
export const registration = z.object({ name: text, email: text, password: text })
export const profile = z.object({ name: text, email: text, password: text.nullish(), currentPassword: text.nullish() })
export const proof = z.object({ currentPassword: text.nullish(), code: text.nullish() })
export const user = z.object({ name: text, email: text, isAdmin: z.boolean({ error: 'must be true or false' }) })
const described = z.array(z.object({ image: text, alt: text.default('') }), { error: 'must be a list' }).nullish()
export const review = z.object({ rating: whole, comment: text, pictures: described })
export const product = z.object({
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
export const stockLines = z.object({
  lines: z.array(z.object({ ...about, delta: whole.optional(), set: whole.optional(), lot: text.optional() }), {
    error: 'must be a list',
  }),
})
export const productLines = z.object({
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
export const order = z.object({
  // The spec's cart items carry the product's id as `_id`; order items as `product`.
  orderItems: z
    .array(z.object({ _id: text.optional(), product: text.optional(), quantity: whole, lots: lots.nullish() }))
    .nullish(),
  cart: text.nullish(),
  shippingAddress: shippingAddress.nullish(),
  paymentMethod: text.default('PayPal'),
  code: text.nullish(),
  guestEmail: text.nullish(),
})
export const cart = z.object({
  cartItems: z
    .array(z.object({ product: text, quantity: whole.nullish(), add: whole.nullish(), lots: lots.nullish() }), {
      error: 'must be a list',
    })
    .nullish(),
  replacesItems: z.boolean({ error: 'must be true or false' }).default(false),
  code: text.nullish(),
  shippingAddress: shippingAddress.nullish(),
})
export const mergedCart = z.object({ cart: text })
const instant = z.iso.datetime({ error: 'must be an instant such as 2026-11-21T09:30:00.000Z' })
const codeLimits = {
  startsAt: instant.nullish(),
  endsAt: instant.nullish(),
  maxUses: whole.nullish(),
  maxUsesPerPerson: whole.nullish(),
}
export const discountCode = z.object({
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
export const codePatch = z.object({ isPaused: z.boolean({ error: 'must be true or false' }), ...codeLimits })
export const captureDetails = z.object({
  id: z.string({ error: 'Payment failed. Please try again.' }).min(1, 'Payment failed. Please try again.'),
})

export const parcel = z.object({
  lines: z.array(z.object({ product: text, quantity: whole, lots: lots.nullish() })).nullish(),
  carrier: text.nullish(),
  trackingNumber: text.nullish(),
  trackingUrl: text.nullish(),
  isSent: z.boolean({ error: 'must be true or false' }).default(true),
})

export const exportQuery = z.object({ query: text })

export const comeBack = z.object({
  lines: z
    .array(
      z.object({
        product: text,
        quantity: whole,
        isRestocked: z.boolean({ error: 'must be true or false' }).default(true),
        lots: lots.nullish(),
      }),
    )
    .nullish(),
  reason: text.nullish(),
})
