import type { EntityManager } from '@mikro-orm/postgresql'
import { nth } from '#schema/rules/present'
import { refuse } from '../kernel/errors.ts'
import type { Load } from '../query/batch.ts'

/** For each order, whether a capture has begun whose outcome is still unknown. */
export const underWay: Load<string, boolean> = async (em, orderIds) => {
  const open = await em.execute<{ order_id: string }[]>(
    `select distinct order_id from payment_attempts where order_id in (?) and state in ('STARTED', 'UNKNOWN', 'PENDING')`,
    [orderIds],
  )
  const ids = new Set(open.map(({ order_id }) => order_id))
  return orderIds.map(id => ids.has(id))
}

/** Of one order, whose row is locked: then no capture begins meanwhile. */
export const isUnderWay = async (em: EntityManager, orderId: string): Promise<boolean> =>
  nth(await underWay(em, [orderId]), 0)

/** Refuses what would end an order, or take its money otherwise, while nobody knows how a capture ended. Its row is locked. */
export async function assertNotUnderWay(em: EntityManager, orderId: string): Promise<void> {
  if (await isUnderWay(em, orderId))
    throw refuse(
      'PAYMENT_PENDING',
      'A payment of this order is under way. Please wait until PayPal says how that ended.',
    )
}
