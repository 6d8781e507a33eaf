import { LockMode, type EntityManager } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { recordAudit, type Actor } from '../audit/record-audit.ts'
import type { OrderIncidentCode } from '../generated/types.ts'
import { clock } from '../kernel/clock.ts'
import { refuse } from '../kernel/errors.ts'
import { isId } from '../kernel/validation.ts'
import { queueMail } from '../mail/queue-mail.ts'
import type { Incident } from './incident.ts'
import { OrderIncident } from './order-incident.entity.ts'
import { recordOrderEvents } from './order-event.ts'
import { Order } from './order.entity.ts'

/**
 * Puts an incident on the list of an order, whose row the caller's transaction has locked. The same one is written once,
 * from however many sides it is reported, and one that was resolved does not come back.
 */
export async function recordIncident(em: EntityManager, orderId: string, { code, data }: Incident): Promise<void> {
  const [made] = await em.execute<{ id: string }[]>(
    'insert into order_incidents (id, order_id, code, data, at) values (?, ?, ?, ?::jsonb, ?) on conflict (order_id, code, data) do nothing returning id',
    [v7(), orderId, code, JSON.stringify(data), clock.now()],
  )
  if (!made) return
  await tellAttention(em, orderId, [{ code, isOpen: true }])
  queueMail(em, 'ORDER_ATTENTION', { incidentId: made.id })
}

const tellAttention = (em: EntityManager, id: string, incidents: { code: OrderIncidentCode; isOpen: boolean }[]) =>
  recordOrderEvents(em, 'ORDER_ATTENTION', [{ id }], { incidents })

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
    if (open.length > 0)
      await tellAttention(
        tx,
        order.id,
        open.map(({ code }) => ({ code, isOpen: false })),
      )
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
