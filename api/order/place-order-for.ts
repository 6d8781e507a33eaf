import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { holdDays } from '#schema/rules/shapes/order'
import { emailKey, User } from '../account/user.entity.ts'
import type { Actor } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import type { PlaceOrderForInput } from '../generated/types.ts'
import { check, email } from '../kernel/validation.ts'
import { accountOf, guestOf, placeFor, type Placed } from './place-order.ts'
import { quoteCart, type Quotable, type Quote } from './quote-cart.ts'

const given = z.object({
  customerEmail: email,
  holdDays: holdDays.default(3),
  // Of guests' orders: with its key, one is answered once more.
  idempotencyKey: z
    .string()
    .min(20, 'An idempotency key has 20 characters or more: make a random one for each order.')
    .max(limits.idempotencyKey)
    .nullish(),
})

const MINUTES_A_DAY = 24 * 60

/** Places an order that a customer gave to an administrator, who tells it to the shop. */
export async function placeOrderFor(
  em: EntityManager,
  context: Context,
  actor: Actor,
  { customerEmail, holdDays: days, idempotencyKey, ...input }: PlaceOrderForInput,
): Promise<Placed> {
  const asked = check(given, { customerEmail, holdDays: days, idempotencyKey })
  const { customer, timeZone } = await findCustomer(em, asked.customerEmail)
  const takenBy = { actor, holdMinutes: asked.holdDays * MINUTES_A_DAY }
  return placeFor(
    em,
    context,
    { ...customer, takenBy },
    {
      ...input,
      paymentMethod: 'PayPal',
      timeZone: timeZone ?? context.timeZone,
      idempotencyKey: asked.idempotencyKey ?? null,
    },
  )
}

/** What it would come to: for a customer as soon as it is known who that is. */
export async function quoteOrderFor(
  em: EntityManager,
  policy: Context['policy'],
  customerEmail: string | null | undefined,
  cart: Omit<Quotable, 'buyer'>,
): Promise<Quote> {
  const { data: address } = email.safeParse(customerEmail ?? '')
  const buyer = address === undefined ? null : (await findCustomer(em, address)).customer
  return quoteCart(em, policy, { ...cart, buyer })
}

/** Of whom an order would be, and their time zone where it is known. */
async function findCustomer(em: EntityManager, address: string) {
  // Whoever has not confirmed the address may have typed somebody else's.
  const account = await em.findOne(User, {
    emailKey: emailKey(address),
    emailVerifiedAt: { $ne: null },
    closedAt: null,
  })
  return { customer: account ? accountOf(account) : guestOf(address), timeZone: account?.timeZone ?? null }
}
