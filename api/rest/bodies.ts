import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { ownerLimits } from '#schema/rules/owner-limits'
import { fromDecimal } from '#schema/rules/money'
import { ofEachField } from '#schema/rules/product-fields'

// The JSON bodies of the calls, with the spec's names. What is wrong with one is said by its path and these words.

/** Lengths and ranges are documented here and checked by the operation, which says in words what is wrong with them. */
const upTo = (maxLength: number, minLength = 0) =>
  z.string({ error: 'must be text' }).meta({ maxLength, ...(minLength > 0 && { minLength }) })
const text = z.string({ error: 'must be text' })
const email = upTo(limits.email)
const password = upTo(limits.password.max)
const newPassword = upTo(limits.password.max, limits.password.min)
/** The largest number GraphQL knows. */
const INT = 2 ** 31 - 1
const TOO_LARGE = `must be a whole number from ${-INT} to ${INT}`
/** Every number of a body may be text as well, as forms send it. Of anything else, `Number` would make nought and one. */
const whole = (minimum: number, maximum: number) =>
  z
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
    .pipe(z.int({ error: 'must be a whole number' }).min(-INT, TOO_LARGE).max(INT, TOO_LARGE))
    .meta({ type: 'integer', minimum, maximum })
const quantity = whole(1, limits.stock)
const money = (minimum: number, maximum: number) =>
  z
    .union([z.number(), z.string()])
    .transform((typed, context) => {
      const cents = fromDecimal(String(typed).trim())
      if (cents === null) context.addIssue('price must be an amount with at most two decimals.')
      return cents ?? z.NEVER
    })
    .meta({ type: 'number', minimum: minimum / 100, maximum: maximum / 100 })
const yesOrNo = z.boolean({ error: 'must be true or false' })

export const credentials = z.object({ email, password, code: text.nullish() })
export const registration = z.object({ name: upTo(limits.name, 1), email, password: newPassword })
export const profile = z.object({
  name: upTo(limits.name, 1),
  email,
  password: password.nullish(),
  currentPassword: text.nullish(),
})
export const proof = z.object({ currentPassword: text.nullish(), code: text.nullish() })
export const user = z.object({
  name: upTo(limits.name, 1),
  email,
  isAdmin: yesOrNo,
})
const described = z
  .array(z.object({ image: upTo(ownerLimits.imageAddress, 1), alt: upTo(limits.pictureAlt).default('') }), {
    error: 'must be a list',
  })
  .nullish()
export const review = z.object({
  rating: whole(limits.rating.min, limits.rating.max),
  comment: upTo(limits.comment, 1),
  pictures: described,
})
const { knittingNeedle, crochetHook, recommendedCare, ...sameName } = ofEachField({
  text: () => upTo(limits.productText),
  cents: () => money(1, limits.price),
  units: () => whole(0, limits.stock),
  flag: () => yesOrNo.optional(),
  day: () => text.nullish(),
})
export const product = z.object({
  ...sameName,
  name: upTo(limits.productText, 1),
  image: upTo(ownerLimits.imageAddress, 1),
  pictures: described,
  description: upTo(ownerLimits.description),
  knitting_needle: knittingNeedle,
  crochet_hook: crochetHook,
  recommended_care: recommendedCare,
})
const about = { product: text.optional(), sku: upTo(ownerLimits.sku).optional(), version: whole(0, INT).optional() }
export const stockLines = z.object({
  lines: z.array(
    z.object({
      ...about,
      delta: whole(-limits.stock, limits.stock).optional(),
      set: whole(0, limits.stock).optional(),
      lot: upTo(ownerLimits.lot.code).optional(),
    }),
    {
      error: 'must be a list',
    },
  ),
})
export const productLines = z.object({
  lines: z.array(
    z
      .object(product.shape)
      .omit({ image: true, pictures: true, countInStock: true, expectedOn: true })
      .extend({ isDraft: yesOrNo })
      .partial()
      .extend(about),
    { error: 'must be a list' },
  ),
})
const shippingAddress = z.object({
  name: upTo(limits.addressLine, 1),
  address: upTo(limits.addressLine).default(''),
  address2: upTo(limits.addressLine)
    .nullish()
    .transform(line => line ?? ''),
  city: upTo(limits.addressLine).default(''),
  state: upTo(limits.addressLine).default(''),
  postalCode: upTo(limits.addressLine).default(''),
  country: upTo(limits.addressLine, 1),
  isPickup: yesOrNo.default(false),
})
const lots = z.array(z.object({ code: upTo(ownerLimits.lot.code, 1), quantity }))
export const order = z.object({
  // The spec's cart items carry the product's id as `_id`; order items as `product`.
  orderItems: z
    .array(z.object({ _id: text.optional(), product: text.optional(), quantity, lots: lots.nullish() }))
    .nullish(),
  cart: text.nullish(),
  shippingAddress: shippingAddress.nullish(),
  customerNote: text.nullish(),
  paymentMethod: text.default('PayPal'),
  code: text.nullish(),
  guestEmail: email.nullish(),
})
export const cart = z.object({
  cartItems: z
    .array(
      z.object({
        product: text,
        quantity: whole(0, limits.stock).nullish(),
        add: whole(-INT, INT).nullish(),
        lots: lots.nullish(),
      }),
      {
        error: 'must be a list',
      },
    )
    .nullish(),
  replacesItems: yesOrNo.default(false),
  code: text.nullish(),
  shippingAddress: shippingAddress.nullish(),
})
export const mergedCart = z.object({ cart: text })
const instant = z.iso.datetime({ error: 'must be an instant such as 2026-11-21T09:30:00.000Z' })
const codeLimits = {
  startsAt: instant.nullish(),
  endsAt: instant.nullish(),
  maxUses: whole(1, INT).nullish(),
  maxUsesPerPerson: whole(1, INT).nullish(),
}
export const discountCode = z.object({
  code: text,
  isSeries: yesOrNo.default(false),
  kind: z.enum(['PERCENT', 'AMOUNT', 'FREE_SHIPPING'], { error: 'must be PERCENT, AMOUNT or FREE_SHIPPING' }),
  basisPoints: whole(1, 10_000).nullish(),
  amount: money(1, limits.price).nullish(),
  minimum: money(0, limits.orderTotal).default(0),
  productIds: z.array(text).default([]),
  categories: z.array(text).default([]),
  isForFirstOrder: yesOrNo.default(false),
  ...codeLimits,
})
export const codePatch = z.object({ isPaused: yesOrNo, ...codeLimits })
export const captureDetails = z.object({
  id: z.string({ error: 'Payment failed. Please try again.' }).min(1, 'Payment failed. Please try again.'),
})

export const parcel = z.object({
  lines: z.array(z.object({ product: text, quantity, lots: lots.nullish() })).nullish(),
  carrier: upTo(ownerLimits.carrier).nullish(),
  trackingNumber: upTo(ownerLimits.trackingNumber).nullish(),
  trackingUrl: upTo(ownerLimits.trackingUrl).nullish(),
  isSent: yesOrNo.default(true),
})

export const exportQuery = z.object({ query: text })

export const comeBack = z.object({
  lines: z
    .array(
      z.object({
        product: text,
        quantity,
        isRestocked: yesOrNo.default(true),
        lots: lots.nullish(),
      }),
    )
    .nullish(),
  reason: text.nullish(),
})
