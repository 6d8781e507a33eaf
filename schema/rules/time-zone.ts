/** Whether this machine knows a time zone by this name, for example Europe/Berlin. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone: name }))
  } catch {
    return false
  }
}

/** Kept, because making a formatter takes far longer than using it; limited, because clients name the zones. */
const formats = new Map<string | undefined, Intl.DateTimeFormat>()
const MOST_FORMATS = 100

/** "Nov 22, 2026, 7:22 PM EST", with its zone: `timeZone`, or that of the machine that runs this. */
export const zonedMoment = (instant: Date | string, timeZone?: string): string =>
  formatOf(timeZone).format(new Date(instant))

function formatOf(timeZone: string | undefined): Intl.DateTimeFormat {
  const kept = formats.get(timeZone)
  if (kept) return kept
  const format = new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  })
  if (formats.size >= MOST_FORMATS) formats.clear()
  formats.set(timeZone, format)
  return format
}
