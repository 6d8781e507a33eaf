import { LockMode, type EntityManager } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { limits } from '#schema/rules/limits'
import { present } from '#schema/rules/present'
import { openAccount } from '../account/open-account.ts'
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

/** A cart with the id that opens it. The shop does not know that id of a guest cart: only the request carries it. */
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
    const { lines, code, shippingAddress: to } = this
    const buyer = user && { userId: user.id, guestKey: null }
    return (this.#quote ??= quoteCart(em, policy, { lines: asAsked(lines), code, to, buyer }))
  }
}

const daysOf = ({ userId }: Pick<Cart, 'userId'>) => (userId ? limits.cartDays.account : limits.cartDays.guest)

/** Lines as rules and orders take them: without lots, from any one lot. */
export const asAsked = (lines: Cart['lines']) =>
  lines.map(({ productId, quantity, lots }) => ({ productId, quantity, ...(lots.length > 0 && { lots }) }))

/** The filter that finds the cart an id opens, or the account's own without an id; null when there can be none. */
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
 * The same, locked until the caller's transaction ends. It is read under the lock: lines read earlier would overwrite
 * what others changed meanwhile. Refused when there is none; an account's cart is created.
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

/** Creates an account's cart if it has none; an outdated one starts empty. A closed account gets none. */
async function makeOwn(em: EntityManager, { id: userId }: User): Promise<void> {
  const now = clock.now()
  await em.execute(
    `insert into carts (id, user_id, lines, change_keys, changed_at)
     select ?, id, '[]', '[]', ? from (${openAccount('share')}) account
     on conflict (user_id) do update
       set lines = '[]', code = null, shipping_address = null, changed_at = excluded.changed_at
       where carts.changed_at <= ?`,
    [v7(), now, userId, new Date(now.getTime() - limits.cartDays.account * DAY)],
  )
}
