import { LockMode, type EntityManager } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { limits } from '#schema/rules/limits'
import { present } from '#schema/rules/present'
import type { User } from '../account/user.entity.ts'
import type { Context } from '../context.ts'
import { clock } from '../kernel/clock.ts'
import { refuse } from '../kernel/errors.ts'
import { hashOf } from '../kernel/tokens.ts'
import { isId } from '../kernel/validation.ts'
import { quoteCart, type Quote } from '../order/quote-cart.ts'
import { Cart } from './cart.entity.ts'

const DAY = 86_400_000

/** Who asks for a cart. */
export type CartAsker = Pick<Context, 'user'>

/** A cart as its owner is told of it: under the id that opens it, which the shop does not know of a cart of no account. */
export class OpenCart {
  readonly id: string
  readonly row: Cart
  #quote: Promise<Quote> | undefined

  constructor(id: string, row: Cart) {
    this.id = id
    this.row = row
  }

  get lines() {
    return this.row.lines
  }

  get code() {
    return this.row.code ?? null
  }

  get shippingAddress() {
    return this.row.shippingAddress ?? null
  }

  get updatedAt() {
    return this.row.changedAt
  }

  get expiresAt() {
    return new Date(this.row.changedAt.getTime() + daysOf(this.row) * DAY)
  }

  /** What an order of it would be now, asked for once. */
  quote({ em, policy, user }: Pick<Context, 'em' | 'policy' | 'user'>): Promise<Quote> {
    const { lines, code } = this
    const buyer = user && { userId: user.id, guestKey: null }
    return (this.#quote ??= quoteCart(em, policy, { lines: asAsked(lines), code, buyer }))
  }
}

const daysOf = ({ userId }: Pick<Cart, 'userId'>) => (userId ? limits.cartDays.account : limits.cartDays.guest)

/** Lines as rules and orders take them: without lots, from any one lot. */
export const asAsked = (lines: Cart['lines']) =>
  lines.map(({ productId, quantity, lots }) => ({ productId, quantity, ...(lots.length > 0 && { lots }) }))

/** What finds the cart that an id opens for somebody, or their account's own without an id; null when nothing can. */
function conditionOf({ user }: CartAsker, id: string | null | undefined) {
  if (id === null || id === undefined) return user && { userId: user.id }
  if (/^[\w-]{43}$/.test(id)) return { tokenHash: hashOf(id) }
  return user && isId(id) ? { id, userId: user.id } : null
}

/** The cart that an id opens, or the account's own without one. Null when there is none that this asker may open. */
export async function openCart(
  em: EntityManager,
  asker: CartAsker,
  id?: string | null,
  lockMode: LockMode.NONE | LockMode.PESSIMISTIC_WRITE = LockMode.NONE,
): Promise<OpenCart | null> {
  const condition = conditionOf(asker, id)
  const row = condition && (await em.findOne(Cart, condition, { refresh: true, lockMode }))
  const cart = row && new OpenCart(row.userId ? row.id : present(id), row)
  return cart && clock.now() < cart.expiresAt ? cart : null
}

/**
 * The same for a change: nobody else changes it until the caller's transaction ends. Locked as it is read, for lines read
 * before would be written back over what others put in meanwhile. Refused when there is none; an account's is made.
 */
export async function lockCart(em: EntityManager, asker: CartAsker, id?: string | null): Promise<OpenCart> {
  const open = () => openCart(em, asker, id, LockMode.PESSIMISTIC_WRITE)
  let cart = await open()
  if (!cart && asker.user && (id === null || id === undefined)) {
    await makeOwn(em, asker.user)
    cart = await open()
  }
  if (!cart) throw refuse('NOT_FOUND', 'There is no such cart (any more).')
  return cart
}

/** Once it was ordered, inside the caller's transaction. */
export function emptyCart({ row }: OpenCart): void {
  Object.assign(row, { lines: [], code: null, shippingAddress: null, changedAt: clock.now() })
}

/** Makes an account's cart unless it has one; one that is out of date begins anew. A closed account gets none. */
async function makeOwn(em: EntityManager, { id: userId }: User): Promise<void> {
  const now = clock.now()
  await em.execute(
    `insert into carts (id, user_id, lines, change_keys, changed_at)
     select ?, id, '[]', '[]', ? from users where id = ? and closed_at is null for share
     on conflict (user_id) do update
       set lines = '[]', code = null, shipping_address = null, changed_at = excluded.changed_at
       where carts.changed_at <= ?`,
    [v7(), now, userId, new Date(now.getTime() - limits.cartDays.account * DAY)],
  )
}
