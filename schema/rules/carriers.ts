/** Carriers whose parcels can be followed by their number alone, and the page where that is done. */
const LINKS = {
  USPS: 'https://tools.usps.com/go/TrackConfirmAction?tLabels=',
  UPS: 'https://www.ups.com/track?tracknum=',
  FedEx: 'https://www.fedex.com/fedextrack/?trknbr=',
  DHL: 'https://www.dhl.com/global-en/home/tracking.html?submit=1&tracking-id=',
  'Royal Mail': 'https://www.royalmail.com/track-your-item#/tracking-results/',
  'Canada Post': 'https://www.canadapost-postescanada.ca/track-reperage/en#/search?searchFor=',
  'Australia Post': 'https://auspost.com.au/mypost/track/details/',
  'NZ Post': 'https://www.nzpost.co.nz/tools/tracking/item/',
  'An Post': 'https://www.anpost.com/Post-Parcels/Track/History?item=',
  'Deutsche Post': 'https://www.deutschepost.de/de/s/sendungsverfolgung.html?piececode=',
  'DHL Paket': 'https://www.dhl.de/de/privatkunden/pakete-empfangen/verfolgen.html?piececode=',
} as const

export type KnownCarrier = keyof typeof LINKS

export const knownCarriers = Object.keys(LINKS) as KnownCarrier[]

/** "UPS" for "ups": the usual spelling of a carrier that the shop knows; any other carrier stays as it was typed. */
export const carrierName = (typed: string): string =>
  knownCarriers.find(known => known.toLowerCase() === typed.toLowerCase()) ?? typed

/** Where a parcel can be followed. Null without a number, or when the shop does not know the carrier. */
export function trackingLink(carrier: string | null | undefined, number: string | null | undefined): string | null {
  const known = knownCarriers.find(name => name === carrier)
  // People copy numbers with spaces between groups of digits.
  const digits = number?.replaceAll(/\s/g, '')
  return known && digits ? LINKS[known] + encodeURIComponent(digits) : null
}
