import { LockMode, type EntityManager } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { recordAudit, type Actor } from '../audit/record-audit.ts'
import { clock } from '../kernel/clock.ts'
import { refuse } from '../kernel/errors.ts'
import { isId } from '../kernel/validation.ts'
import type { Incident } from './incident.ts'
import { OrderIncident } from './order-incident.entity.ts'
import { Order } from './order.entity.ts'

/**
 * Puts an incident on an order's list, inside the caller's transaction. The same one is written once, from however many
 * sides it is reported, and one that was resolved does not come back.
 */
export async function recordIncident(em: EntityManager, orderId: string, { code, data }: Incident): Promise<void> {
  await em.execute(
    'insert into order_incidents (id, order_id, code, data, at) values (?, ?, ?, ?::jsonb, ?) on conflict (order_id, code, data) do nothing',
    [v7(), orderId, code, JSON.stringify(data), clock.now()],
  )
}

/** Marks one incident as dealt with. */
export async function resolveIncident(em: EntityManager, actor: Actor, id: string): Promise<Order> {
  const known = isId(id) ? await em.findOne(OrderIncident, { id }) : null
  if (!known) throw refuse('NOT_FOUND', 'There is no such incident.')
  return resolve(em, actor, known.orderId, { id })
}

/** Marks all open incidents of an order as dealt with. */
export const resolveIncidents = (em: EntityManager, actor: Actor, orderId: string): Promise<Order> =>
  resolve(em, actor, orderId, {})

function resolve(em: EntityManager, actor: Actor, orderId: string, which: { id?: string }): Promise<Order> {
  return em.transactional(async tx => {
    const order = isId(orderId)
      ? await tx.findOne(Order, { id: orderId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
      : null
    if (!order) throw refuse('NOT_FOUND', 'There is no such order.')
    const open = await tx.find(
      OrderIncident,
      { ...which, orderId, resolvedAt: null },
      { orderBy: { at: 'asc', id: 'asc' }, refresh: true },
    )
    for (const incident of open)
      tx.assign(incident, { resolvedAt: clock.now(), resolvedById: actor.id, resolvedByName: actor.name })
    await recordAudit(
      tx,
      actor,
      ...open.map(({ message }) => ({
        entity: 'ORDER' as const,
        entityId: order.id,
        label: order.reference,
        action: 'ATTENTION_RESOLVED' as const,
        changes: [{ field: 'attention', before: message, after: null }],
      })),
    )
    return order
  })
}
