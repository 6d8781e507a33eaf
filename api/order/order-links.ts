import type { EntityManager } from '@mikro-orm/postgresql'
import { clock } from '../kernel/clock.ts'
import { hashOf, newToken } from '../kernel/tokens.ts'
import { OrderLink } from './order-link.entity.ts'

/** A token that opens a guest's order from now on, written with the caller's transaction. Only its hash is stored. */
export function makeOrderToken(em: EntityManager, orderId: string): string {
  const token = newToken()
  em.create(OrderLink, { tokenHash: hashOf(token), orderId, createdAt: clock.now() })
  return token
}

/** Has a token open an order that somebody else keeps, or can make again. Safe to repeat. */
export async function openOrderWith(em: EntityManager, token: string, orderId: string): Promise<void> {
  await em.execute(
    'insert into order_links (token_hash, order_id, created_at) values (?, ?, ?) on conflict (token_hash) do nothing',
    [hashOf(token), orderId, clock.now()],
  )
}

/** The order a token opens; null when it opens none. */
export async function orderOpenedBy(em: EntityManager, token: string): Promise<string | null> {
  if (!/^[\w-]{43}$/.test(token)) return null
  return (await em.findOne(OrderLink, { tokenHash: hashOf(token) }))?.orderId ?? null
}
