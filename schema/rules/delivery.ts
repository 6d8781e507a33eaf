import { dayWords } from './day.ts'

/** Business days: the fewest and the most. */
export interface Days {
  min: number
  max: number
}

/** How long parcels take. */
export interface DeliveryTerms {
  /** From payment until the parcel leaves. */
  handling: Days
  /** On the way: within the shop's country, and to any other country. */
  domestic: Days
  elsewhere: Days
  /** The shop's own country, spelled as in `COUNTRIES`. */
  country: string
  /** The countries the shop sends to, spelled likewise; none means every country. */
  shipsTo: readonly string[]
  /** Where orders can be picked up instead of sent; null where they cannot. */
  pickup: PickupPlace | null
}

/** The shop's own address, in its own country. */
export interface PickupPlace {
  street: string
  city: string
  state: string
  postalCode: string
  /** When it is open, in the owner's words. */
  hours: string
}

export const DEFAULT_DELIVERY: DeliveryTerms = {
  handling: { min: 1, max: 2 },
  domestic: { min: 2, max: 4 },
  elsewhere: { min: 7, max: 15 },
  country: 'United States',
  shipsTo: [],
  pickup: null,
}

/** For how many days after a parcel arrives unused things can be sent back; 0 if the shop takes nothing back. */
export const DEFAULT_RETURN_DAYS = 30

/** Calendar days such as 2026-11-24, both included. `from` is never after `to`. */
export interface DayRange {
  from: string
  to: string
}

const DAY_MS = 86_400_000

/** Kept, because making a formatter takes far longer than using it. */
const dayFormats = new Map<string, Intl.DateTimeFormat>()

/** The calendar day that an instant falls on in a time zone. */
export function dayIn(timeZone: string, instant: Date): string {
  const format =
    dayFormats.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  dayFormats.set(timeZone, format)
  return format.format(instant)
}

/** The day `count` business days later: Saturdays and Sundays do not count. */
function afterBusinessDays(day: string, count: number): string {
  let at = Date.parse(day)
  for (let left = count; left > 0;) {
    at += DAY_MS
    const weekday = new Date(at).getUTCDay()
    if (weekday !== 0 && weekday !== 6) left--
  }
  return new Date(at).toISOString().slice(0, 10)
}

const AT_ONCE: Days = { min: 0, max: 0 }

interface Parcel {
  /** On which it is paid, or sent if `sent`. */
  day: string
  /** Outside the shop's country. */
  abroad: boolean
  isPickup?: boolean
  sent?: boolean
  /** The day that what is in it is expected at the shop; null when it is there. */
  expectedOn?: string | null
}

/** When a parcel arrives. One that is picked up is ready when others leave. */
export function estimateDelivery(
  { handling, domestic, elsewhere }: Pick<DeliveryTerms, 'handling' | 'domestic' | 'elsewhere'>,
  { day, abroad, isPickup, sent, expectedOn }: Parcel,
): DayRange {
  const transit = isPickup ? AT_ONCE : abroad ? elsewhere : domestic
  const before = sent ? AT_ONCE : handling
  const begins = expectedOn && expectedOn > day && !sent ? expectedOn : day
  return {
    from: afterBusinessDays(begins, before.min + transit.min),
    to: afterBusinessDays(begins, before.max + transit.max),
  }
}

/** What an estimate is of. */
export const estimateLabel = (isPickup: boolean): string =>
  isPickup ? 'Likely ready for pickup' : 'Estimated delivery'

/** "Tue, Nov 24 – Fri, Nov 27"; "Tue, Nov 24" if both are the same day. */
export const dayRangeWords = ({ from, to }: DayRange): string =>
  from === to ? dayWords(to) : `${dayWords(from)} – ${dayWords(to)}`

/** The lines of an address where orders are picked up: the shop's own, but for who comes, and how to call them. */
export const pickupLines = (country: string, { street, city, state, postalCode }: PickupPlace) => ({
  address: street,
  address2: '',
  city,
  state,
  postalCode,
  country,
  isPickup: true,
})
