const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' })
const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })
const second = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium' })
const clock = new Intl.DateTimeFormat('en-US', { timeStyle: 'short' })
const CLOCK = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const
const zonedClock = new Intl.DateTimeFormat('en-US', CLOCK)
const zonedDayAndClock = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  ...CLOCK,
})

// In the shopper's time zone, so only for pages that the server does not render.

/** "Nov 21, 2026" */
export const formatDay = (instant: string) => day.format(new Date(instant))

/** "Nov 21, 2026, 9:30 AM" */
export const formatMoment = (instant: string) => moment.format(new Date(instant))

/** "Nov 21, 2026, 9:30:05 AM" */
export const formatInstant = (instant: string) => second.format(new Date(instant))

/** "9:30 AM" */
export const formatClock = (instant: string) => clock.format(new Date(instant))

/** "9:30 AM EST", where it has to match the time in a letter; "Sun, Nov 22, 9:30 AM EST" of another day than today. */
export function formatZonedClock(instant: string, now = Date.now()): string {
  const isToday = formatDay(instant) === day.format(now)
  return (isToday ? zonedClock : zonedDayAndClock).format(new Date(instant))
}

/** The zone of the clock in view, such as Europe/Berlin. */
export const clockZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

const ago = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' })
/** In seconds. */
const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** "5 minutes ago", "yesterday", "in 2 hours"; "just now" and "in a moment" for less than a minute. */
export function formatAgo(instant: string, now = Date.now()): string {
  const seconds = (Date.parse(instant) - now) / 1000
  const unit = UNITS.find(([, length]) => Math.abs(seconds) >= length)
  if (unit) return ago.format(Math.trunc(seconds / unit[1]), unit[0])
  return seconds > 0 ? 'in a moment' : 'just now'
}

/** As a field for date and time takes it: in the reader's time zone, to the minute unless it was set more exactly. */
export function toLocal(instant: string | null): string {
  if (instant === null) return ''
  const at = new Date(instant)
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString()
  return local.slice(0, at.getTime() % 60_000 === 0 ? 16 : 23)
}
