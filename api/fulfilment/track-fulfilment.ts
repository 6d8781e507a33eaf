import type { EntityManager } from '@mikro-orm/postgresql'
import { tracking } from '#schema/rules/shapes/tracking'
import { recordAudit, type Actor } from '../audit/record-audit.ts'
import type { MutationTrackFulfilmentArgs } from '../generated/types.ts'
import { check } from '../kernel/validation.ts'
import { lockFulfilment, refuseCancelled, type Parcel } from './lock-fulfilment.ts'
import { parcelAudit } from './parcel-audit.ts'
import { recordParcelEvent } from './parcel-event.ts'

/** Changes the tracking of a parcel. */
export function trackFulfilment(em: EntityManager, actor: Actor, args: MutationTrackFulfilmentArgs): Promise<Parcel> {
  const { id, ...given } = args
  const { carrier, trackingNumber, trackingUrl } = check(tracking, given)
  return em.transactional(async tx => {
    const parcel = await lockFulfilment(tx, id)
    const { fulfilment, order } = parcel
    refuseCancelled(fulfilment)
    const before = { ...fulfilment, trackingUrl: fulfilment.trackingUrl }
    tx.assign(fulfilment, { carrier, trackingNumber, givenUrl: trackingUrl })
    const record = parcelAudit('TRACKED', order, {
      carrier: [before.carrier ?? null, carrier],
      trackingNumber: [before.trackingNumber ?? null, trackingNumber],
      trackingUrl: [before.trackingUrl, fulfilment.trackingUrl],
    })
    if (!record.changes?.length) return parcel
    await recordParcelEvent(tx, 'ORDER_TRACKED', parcel)
    await recordAudit(tx, actor, record)
    return parcel
  })
}
