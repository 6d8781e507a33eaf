import { z } from 'zod'
import { carrierName } from '../carriers.ts'
import { ownerLimits } from '../owner-limits.ts'
import { isWebAddress } from '../web-address.ts'
import { text } from './text.ts'

const optional = (label: string, max: number) =>
  text(label, max)
    .nullish()
    .transform(typed => typed || null)

/** How a parcel can be followed. */
export const tracking = z.object({
  carrier: optional('Carrier', ownerLimits.carrier).transform(typed => typed && carrierName(typed)),
  trackingNumber: optional('Tracking number', ownerLimits.trackingNumber),
  trackingUrl: optional('Tracking link', ownerLimits.trackingUrl).refine(
    url => url === null || isWebAddress(url),
    'Please enter a tracking link that starts with https:// or http://.',
  ),
})
