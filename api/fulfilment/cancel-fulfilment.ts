import type { EntityManager } from '@mikro-orm/postgresql'
import { recordAudit, type Actor } from '../audit/record-audit.ts'
import { clock } from '../kernel/clock.ts'
import { refuse } from '../kernel/errors.ts'
import { countFulfilled } from './count-fulfilled.ts'
import { lockFulfilment, type Parcel } from './lock-fulfilment.ts'
import { contentsOf, parcelAudit } from './parcel-audit.ts'
import { recordParcelEvent } from './parcel-event.ts'

/** Cancels a parcel that has not left: what was in it is left to send again. */
export function cancelFulfilment(em: EntityManager, actor: Actor, id: string): Promise<Parcel> {
  return em.transactional(async tx => {
    const parcel = await lockFulfilment(tx, id)
    const { fulfilment, order } = parcel
    if (fulfilment.sentAt) throw refuse('FULFILMENT_STATE', 'This parcel has left already.')
    if (fulfilment.cancelledAt) return parcel
    fulfilment.cancelledAt = clock.now()
    const lines = fulfilment.lines.getItems()
    await countFulfilled(
      tx,
      order,
      lines.map(({ item, quantity }) => ({ item, delta: -quantity })),
    )
    await recordParcelEvent(tx, 'ORDER_UNPACKED', parcel)
    await recordAudit(tx, actor, parcelAudit('UNPACKED', order, { fulfilments: [contentsOf(lines), null] }))
    return parcel
  })
}
