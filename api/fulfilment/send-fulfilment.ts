import type { EntityManager } from '@mikro-orm/postgresql'
import { recordAudit, type Actor } from '../audit/record-audit.ts'
import { clock } from '../kernel/clock.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { progressOf } from './deliver-rest.ts'
import { lockFulfilment, refuseCancelled, refuseRefunded, type Parcel } from './lock-fulfilment.ts'
import { contentsOf, parcelAudit } from './parcel-audit.ts'
import { recordParcelEvent } from './parcel-event.ts'

/** Says that a packed parcel left. */
export function sendFulfilment(em: EntityManager, actor: Actor, id: string): Promise<Parcel> {
  return em.transactional(async tx => {
    const parcel = await lockFulfilment(tx, id)
    refuseCancelled(parcel.fulfilment)
    if (parcel.fulfilment.sentAt) return parcel
    refuseRefunded(parcel.order)
    await markSent(tx, actor, parcel)
    return parcel
  })
}

/** Inside the caller's transaction, with the order locked. */
export async function markSent(em: EntityManager, actor: Actor, parcel: Parcel): Promise<void> {
  const { fulfilment, order } = parcel
  const now = clock.now()
  fulfilment.sentAt = now
  order.firstSentAt ??= now
  await em.flush()
  if ((await progressOf(em, order)).isSent) order.sentAt = now
  await recordParcelEvent(em, 'ORDER_SENT', parcel)
  queueMail(em, 'ORDER_SENT', { orderId: order.id, fulfilmentId: fulfilment.id })
  await recordAudit(
    em,
    actor,
    parcelAudit('SENT', order, {
      fulfilments: [null, contentsOf(fulfilment.lines.getItems())],
      carrier: [null, fulfilment.carrier ?? null],
      trackingNumber: [null, fulfilment.trackingNumber ?? null],
      trackingUrl: [null, fulfilment.trackingUrl],
    }),
  )
}
