import { LockMode, type EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { orderCan } from '#schema/rules/order-status'
import { valueAt } from '#schema/rules/present'
import { recordAudit, type Actor } from '../audit/record-audit.ts'
import { bulkIds } from '../catalog/bulk-update.ts'
import { clock } from '../kernel/clock.ts'
import { Refusal, refuse } from '../kernel/errors.ts'
import { deliverRest } from '../fulfilment/deliver-rest.ts'
import { queueMail } from '../mail/queue-mail.ts'
import type { UserError } from '../generated/types.ts'
import { check, isId } from '../kernel/validation.ts'
import { recordOrderEvents } from './order-event.ts'
import { Order } from './order.entity.ts'

/** Marks a paid order as delivered. */
export function deliverOrder(em: EntityManager, actor: Actor, id: string): Promise<Order> {
  return em.transactional(async tx => {
    const order = await findForUpdate(tx, id)
    const problem = hindrance(order)
    if (problem) throw refuse(problem.code, problem.message)
    await deliver(tx, actor, [order])
    return order
  })
}

/** Marks many paid orders as delivered, all of them or none. */
export function deliverOrders(
  em: EntityManager,
  actor: Actor,
  input: string[],
): Promise<{ orders: Order[]; changed: number }> {
  const { ids: asked } = check(z.object({ ids: bulkIds }), { ids: input })
  const ids = [...new Set(asked.map(id => id.toLowerCase()))]
  return em.transactional(async tx => {
    const found = await tx.find(
      Order,
      { id: { $in: ids.filter(isId) } },
      { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
    )
    const byId = new Map(found.map(order => [order.id, order]))
    const errors = ids.flatMap((id): UserError[] => {
      const order = byId.get(id)
      const problem = order ? hindrance(order) : { code: 'NOT_FOUND' as const, message: 'There is no such order.' }
      return problem
        ? [
            {
              ...problem,
              message: order ? `${order.reference}: ${problem.message}` : problem.message,
              field: ['ids', id],
            },
          ]
        : []
    })
    if (errors.length > 0) throw new Refusal(errors)
    await deliver(tx, actor, found)
    return { orders: ids.map(id => valueAt(byId, id)), changed: found.length }
  })
}

async function findForUpdate(em: EntityManager, id: string): Promise<Order> {
  const order = isId(id)
    ? await em.findOne(Order, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
    : null
  if (!order) throw refuse('NOT_FOUND', 'There is no such order.')
  return order
}

/** Why nothing more of an order goes to its shopper. */
export const REFUNDED = 'All that was paid for this order went back, so nothing more of it is sent.'

/** Why an order cannot be delivered now. */
function hindrance(order: Order): Pick<UserError, 'code' | 'message'> | null {
  if (order.isDelivered) return { code: 'ALREADY_DELIVERED', message: 'This order has already been delivered.' }
  if (!order.isPaid) return { code: 'NOT_PAID', message: 'This order has not been paid yet.' }
  return orderCan.deliver(order) ? null : { code: 'ORDER_REFUNDED', message: REFUNDED }
}

async function deliver(em: EntityManager, actor: Actor, orders: readonly Order[]): Promise<void> {
  const now = clock.now()
  await deliverRest(em, orders, now)
  await tellDelivered(em, actor, orders, now)
}

/** Marks orders as delivered of which every parcel is, and writes events. */
export async function tellDelivered(
  em: EntityManager,
  actor: Actor,
  orders: readonly Order[],
  now: Date,
): Promise<void> {
  for (const order of orders) order.deliveredAt = now
  await recordOrderEvents(em, 'ORDER_DELIVERED', orders)
  for (const { id } of orders) queueMail(em, 'ORDER_DELIVERED', { orderId: id })
  await recordAudit(
    em,
    actor,
    ...orders.map(order => ({
      entity: 'ORDER' as const,
      entityId: order.id,
      label: order.reference,
      action: 'DELIVERED' as const,
      changes: [{ field: 'deliveredAt', before: null, after: now.toISOString() }],
    })),
  )
}
