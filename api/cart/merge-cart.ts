import type { EntityManager } from '@mikro-orm/postgresql'
import { limits } from '#schema/rules/limits'
import { lotsForQuantity } from '#schema/rules/lots'
import type { User } from '../account/user.entity.ts'
import type { UserError } from '../generated/types.ts'
import { clock } from '../kernel/clock.ts'
import { Cart, type CartLine } from './cart.entity.ts'
import { FULL } from './change-cart.ts'
import { shortage } from './notices.ts'
import { lockCart, type OpenCart } from './open-cart.ts'

export interface MergedCart {
  cart: OpenCart
  /** What did not fit. */
  notices: UserError[]
}

/** Puts the cart that a token opens into an account's own, and ends it. */
export function mergeCart(em: EntityManager, user: User, token: string): Promise<MergedCart> {
  return em.transactional(async tx => {
    // A merge locks the ending cart first, and other changes lock only one cart: no deadlock.
    const other = await lockCart(tx, { user: null }, token)
    const own = await lockCart(tx, { user })
    const { lines, notices } = await together(tx, own.lines, other.lines)
    Object.assign(own.row, {
      lines,
      code: own.code ?? other.code,
      shippingAddress: own.shippingAddress ?? other.shippingAddress,
      changedAt: clock.now(),
    })
    await tx.nativeDelete(Cart, { id: other.row.id })
    return { cart: own, notices }
  })
}

/** Quantities add up, up to the stock; but a line never ends lower than either cart had it. */
async function together(
  em: EntityManager,
  own: readonly CartLine[],
  others: readonly CartLine[],
): Promise<{ lines: CartLine[]; notices: UserError[] }> {
  const stock = await stockOf(
    em,
    others.map(({ productId }) => productId),
  )
  const lines = new Map(own.map(line => [line.productId, line]))
  const notices: UserError[] = []
  for (const other of others) {
    const { productId, name } = other
    const known = lines.get(productId)
    if (!known && lines.size >= limits.linesPerOrder) {
      notices.push({ code: 'CART_FULL', message: `“${name}” was left out. ${FULL}`, field: ['lines', productId] })
      continue
    }
    if (!known) {
      lines.set(productId, other)
      continue
    }
    const left = stock.get(productId) ?? 0
    const sum = known.quantity + other.quantity
    const quantity = Math.min(sum, Math.max(left, known.quantity, other.quantity))
    if (quantity < sum) notices.push(shortage(productId, name, left))
    lines.set(productId, { ...other, quantity, lots: lotsForQuantity(known.lots, quantity) })
  }
  return { lines: [...lines.values()], notices }
}

async function stockOf(em: EntityManager, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await em.execute<{ id: string; left: number }[]>(
    'select id, count_in_stock as left from products where id in (?)',
    [ids],
  )
  return new Map(rows.map(({ id, left }) => [id, left]))
}
